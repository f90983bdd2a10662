// --- Loads the driver's files: Playwright's own code and its bundled dependencies. All
// other modules come from Node.

const coreFile = 'lib/coreBundle.js', utilsFile = 'lib/utilsBundle.js';

/** Playwright modules to run at the start, in this order. Some refer to each other, and
 *  the first must be the one on which the others build. */
const running = ['remote/playwrightConnection.ts', 'server/index.ts'];

/** Modules used or patched here. */
const used = ['generated/injectedScriptSource.ts', 'server/browser.ts', 'server/browserContext.ts', 'server/chromium/crBrowser.ts', 'server/chromium/crConnection.ts', 'server/chromium/crPage.ts', 'server/dialog.ts', 'server/dispatchers/dispatcher.ts',
  'server/dispatchers/playwrightDispatcher.ts', 'server/dom.ts', 'server/download.ts', 'server/frames.ts', 'server/har/harRecorder.ts', 'server/har/harTracer.ts', 'server/page.ts', 'server/pipeTransport.ts', 'server/playwright.ts',
  'server/recorder.ts', 'server/recorder/recorderApp.ts', 'server/screenshotter.ts', 'server/transport.ts', 'utils/debugLogger.ts', 'utils/pipeTransport.ts', 'utils/processLauncher.ts'];

/** Reads a file for compiling, in one-byte characters, which halves its size. */
function read(file) {
  const text = fs.readFileSync(root + file, 'utf8');
  return file === coreFile ? bundled(text, running, used) : wrapped(text);
}

/** Compiles a file to a function that takes Node's module arguments. */
function load(file) {
  let m = modules.find(m => m.file === file);
  if (!m)
    modules.push(m = { file });
  const cached = fetch(m); // may set stale
  const text = cached ? cached.text : m.text = read(file);
  const script = new vm.Script(text, { filename: root + file, cachedData: cached && cached.code });
  if (!cached || script.cachedDataRejected)
    stale = true;
  if (!released || stale)
    m.script = script;
  return script.runInThisContext();
}

/** Runs a file of the package. Returns its exports and what its code returns. */
function run(file) {
  const filename = root + file, module = { exports: {} }, nodes = Module.createRequire(filename);
  const require = id => id === './utilsBundle' ? utils : builtin(nodes, id);
  Object.assign(require, nodes);
  const answer = load(file).call(module.exports, module.exports, require, module, filename, path.dirname(filename));
  return { exports: module.exports, answer };
}

const utils = whenUsed(() => run(utilsFile).exports);

let core; // {file: {name: …}}, set once the bundle has run

/** The declarations of one Playwright module. */
const own = file => core[file];
