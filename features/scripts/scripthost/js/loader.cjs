// --- Loads the packages: Playwright, its dependencies, and its expect.

const coreFile = path.join(settings.core, 'lib/coreBundle.js'), utilsFile = path.join(settings.core, 'lib/utilsBundle.js'), expectFile = path.join(settings.test, 'lib/matchers/expect.js');

// used lists the Playwright modules that this program uses.
const used = ['client/browserContext', 'client/cdpSession', 'client/channelOwner', 'client/connection', 'client/errors', 'client/fetch', 'client/frame', 'client/locator', 'client/network', 'client/page', 'client/timeoutSettings',
  'client/tracing', 'generated/injectedScriptSource', 'inprocess', 'isomorphic/index', 'server/artifact', 'server/browser', 'server/chromium/crBrowser', 'server/chromium/crPage', 'server/dialog',
  'server/dispatchers/browserContextDispatcher', 'server/dispatchers/browserDispatcher', 'server/dom', 'server/errors', 'server/fetch', 'server/frames', 'server/input', 'server/page', 'server/protocolError', 'server/screenshotter', 'server/videoRecorder',
  'utils/debugLogger', 'utils/index', 'utils/task'].map((file) => file + '.ts');

// run runs a file of the packages, and returns its exports and what its code returns.
function run(file, text, requested) {
  const module = { exports: {} };
  const compiled = new vm.Script(text, { filename: file }).runInThisContext();
  const answer = compiled.call(module.exports, module.exports, (id) => requested(id) ?? builtin(id), module, file, path.dirname(file));
  return { exports: module.exports, answer };
}
const builtin = (id) => /^(node:)?async_hooks$/.test(id) ? { AsyncLocalStorage: Storage } : require(id); // see zones.cjs
const textOf = (file) => fs.readFileSync(file, 'utf8');

const utils = whenUsed(() => run(utilsFile, wrapped(textOf(utilsFile)), () => undefined).exports);
const parts = run(coreFile, bundled(textOf(coreFile), ['isomorphic/index.ts', 'utils/index.ts', 'inprocess.ts'], used), (id) => id === './utilsBundle' ? utils : undefined).answer;
const core = (file) => parts[file];
const { playwright } = core('inprocess.ts');
followPromises();
