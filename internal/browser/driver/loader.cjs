// --- The loader of what the driver is made of: Playwright's own code, and what it has
// of others. All else is Node's.

const coreFile = 'lib/coreBundle.js', utilsFile = 'lib/utilsBundle.js';

/** Modules of Playwright's that begin the driver, in this order: some of them name each
 *  other, and the first has to be the one that the others are made of. */
const running = ['remote/playwrightConnection.ts', 'server/index.ts'];

/** Modules of which something is used or put right here. */
const used = ['generated/injectedScriptSource.ts', 'server/browserContext.ts', 'server/chromium/crConnection.ts', 'server/chromium/crPage.ts', 'server/dialog.ts', 'server/dispatchers/dispatcher.ts', 'server/dispatchers/networkDispatchers.ts',
  'server/dispatchers/playwrightDispatcher.ts', 'server/dom.ts', 'server/frames.ts', 'server/har/harRecorder.ts', 'server/har/harTracer.ts', 'server/page.ts', 'server/pipeTransport.ts', 'server/playwright.ts',
  'server/recorder.ts', 'server/recorder/recorderApp.ts', 'utils/debugLogger.ts', 'utils/pipeTransport.ts', 'utils/processLauncher.ts'];

/** A file as it is compiled: in one byte a character, which is half of the room. */
function read(file) {
  const text = fs.readFileSync(root + file, 'utf8');
  return file === coreFile ? bundled(text, running, used) : wrapped(text);
}

/** What a file's code is: a function of what Node gives a module. */
function load(file) {
  let m = modules.find(m => m.file === file);
  if (!m)
    modules.push(m = { file });
  const cached = fetch(m); // it may be found stale
  const text = cached ? cached.text : m.text = read(file);
  const script = new vm.Script(text, { filename: root + file, cachedData: cached && cached.code });
  if (!cached || script.cachedDataRejected)
    stale = true;
  if (!released || stale)
    m.script = script;
  return script.runInThisContext();
}

/** Runs a file of the package's: what it exports, and what its code answers. */
function run(file) {
  const filename = root + file, module = { exports: {} }, nodes = Module.createRequire(filename);
  const require = id => id === './utilsBundle' ? utils : builtin(nodes, id);
  Object.assign(require, nodes);
  const answer = load(file).call(module.exports, module.exports, require, module, filename, path.dirname(filename));
  return { exports: module.exports, answer };
}

const utils = whenUsed(() => run(utilsFile).exports);

let core; // {file: {name: …}}, once it runs

/** What one of Playwright's modules holds. */
const own = file => core[file];
