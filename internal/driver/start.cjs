'use strict';
// Starts Playwright's driver faster than its own cli.js does, and otherwise as
// cli.js does:
//
//   node start.cjs CACHE-FOLDER PACKAGE/cli.js run-driver
//
// Most of the driver's start is Node finding, reading and compiling some two
// hundred modules. Here they come out of one file that holds their sources and
// the code that V8 made of them in an earlier run. And of all that cli.js loads
// only what run-driver needs is loaded: no command line, no client.
//
// Nothing here may print, and nothing here may fail: without a usable cache the
// modules are compiled as ever, and a driver of another shape is left to cli.js.
const fs = require('fs');
const path = require('path');
const vm = require('vm');
const zlib = require('zlib');
const Module = require('module');

const folder = process.argv[2];
const cli = process.argv[3];
process.argv.splice(1, 2); // what the driver sees is what cli.js would
let root; // of the package, with a separator at its end; links resolved, as Node does

// --- The cache: 8 characters of magic, 8 of checksum over all that follows, 8
// of header length, the header as JSON, then sources and code, each at a
// multiple of 8, as V8 wants its code aligned.

const magic = 'pwpipe1\n';
const cacheFile = path.join(folder, `start-${process.version}-${process.arch}.cache`);

/** The driver that the cache is of: a package that is installed anew has another
 *  package.json. Another Node has a file of its own; other V8 flags or another
 *  CPU are V8's to notice (cachedDataRejected). */
function keyOf() {
  const s = fs.statSync(root + 'package.json');
  return [root, s.size, s.mtimeMs, s.ino].join(' ');
}

function checksum(bytes) {
  // Not of Node 18, but three times as fast.
  if (zlib.crc32)
    return zlib.crc32(bytes).toString(16).padStart(8, '0');
  return require('crypto').createHash('sha256').update(bytes).digest('hex').slice(0, 8);
}

let blob;           // the cache as read
let bodies = 0;     // where in it the sources begin
let modules = [];   // {file, twoByte, source: [at, length], code: [at, length], requests: {id: index}}
let calls = 0;      // requests served so far
let callsThen = 0;  // requests served by the run that wrote the cache
let stale = true;   // the cache is of no use, in whole or in part
let released = false; // nothing is kept for writing any more

function readCache() {
  try {
    const bytes = fs.readFileSync(cacheFile);
    if (bytes.toString('latin1', 0, 8) !== magic || bytes.toString('latin1', 8, 16) !== checksum(bytes.subarray(16)))
      return;
    const end = 24 + parseInt(bytes.toString('latin1', 16, 24), 16);
    bodies = align(end);
    const header = JSON.parse(bytes.toString('utf8', 24, end));
    if (header.key !== keyOf())
      return;
    modules = header.modules;
    callsThen = header.calls;
    blob = bytes;
    stale = false;
  } catch {
    // None, or of no use.
  }
}

const align = n => Math.ceil(n / 8) * 8;

/** Few requests compile few functions: a cache from a run as short as a check
 *  of the installation is replaced by that of the first real one. */
const enough = 10;

/** Writes the cache. It is complete before it has its name, and of two writers
 *  only one gets to write. */
function writeCache() {
  const temp = cacheFile + '.tmp';
  let fd;
  try {
    fd = fs.openSync(temp, 'wx', 0o644);
  } catch {
    dropOld(temp); // or the folder can't be written: go without
    return;
  }
  try {
    try {
      fs.writeFileSync(fd, cacheBytes());
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(temp, cacheFile);
  } catch {
    remove(temp);
  }
}

/** Removes what a writer left that was killed; the next run writes. */
function dropOld(temp) {
  try {
    if (Date.now() - fs.statSync(temp).mtimeMs > 60000)
      fs.unlinkSync(temp);
  } catch { /* none */ }
}

function remove(file) {
  try { fs.unlinkSync(file); } catch { /* gone, or not ours to remove */ }
}

function cacheBytes() {
  const parts = [];
  let at = 0;
  const add = bytes => {
    const start = at;
    at = align(at + bytes.length);
    parts.push(bytes, Buffer.alloc(at - start - bytes.length));
    return [start, bytes.length];
  };
  const list = modules.map(m => {
    const text = textOf(m);
    const twoByte = /[^\x00-\xff]/.test(text);
    const source = add(Buffer.from(text, twoByte ? 'utf16le' : 'latin1'));
    // The code is of what ran so far: taken from the script after it ran, it
    // holds the functions that V8 compiles at their first call, too.
    const code = m.script ? m.script.createCachedData() : m.code && codeOf(m);
    return { file: m.file, twoByte, source, code: code && add(code), requests: m.requests };
  });
  const header = Buffer.from(JSON.stringify({ key: keyOf(), calls, modules: list }));
  const rest = Buffer.concat([
    Buffer.from(header.length.toString(16).padStart(8, '0')), header,
    Buffer.alloc(align(24 + header.length) - 24 - header.length), ...parts,
  ]);
  return Buffer.concat([Buffer.from(magic + checksum(rest)), rest]);
}

function slice(at, length) {
  return blob.subarray(bodies + at, bodies + at + length);
}

const codeOf = m => slice(...m.code);

/** What V8 compiles, or the JSON. */
function textOf(m) {
  if (m.text !== undefined)
    return m.text;
  if (blob)
    return slice(...m.source).toString(m.twoByte ? 'utf16le' : 'latin1');
  return read(root + m.file);
}

function read(filename) {
  const text = fs.readFileSync(filename, 'utf8');
  return filename.endsWith('.js') ? Module.wrap(text) : text;
}

// --- The loader: what Node's does for the driver's own CommonJS and JSON
// files, with the results of look-ups remembered. All else is Node's.

const indexOf = new Map(); // file -> index in modules

/** The exports of one of the driver's files. */
function load(index, parent) {
  const entry = modules[index];
  const filename = root + entry.file;
  const known = Module._cache[filename];
  if (known)
    return known.exports;
  const m = new Module(filename, parent);
  m.filename = filename;
  Module._cache[filename] = m;
  let done = false;
  try {
    run(m, entry);
    done = true;
  } finally {
    if (!done)
      delete Module._cache[filename];
  }
  m.loaded = true;
  return m.exports;
}

function run(m, entry) {
  const text = textOf(entry);
  if (entry.file.endsWith('.json')) {
    m.exports = JSON.parse(text);
    return;
  }
  const script = new vm.Script(text, { filename: m.filename, cachedData: blob && entry.code && codeOf(entry) });
  if (script.cachedDataRejected)
    stale = true;
  if (!released)
    entry.script = script;
  script.runInThisContext().call(m.exports, m.exports, requireFor(m, entry), m, m.filename, m.path);
}

function requireFor(m, entry) {
  const require = id => {
    let index = entry.requests[id];
    if (typeof index !== 'number')
      index = find(m, entry, id);
    return index < 0 ? m.require(id) : load(index, m);
  };
  require.resolve = (id, options) => {
    givePaths(m);
    return Module._resolveFilename(id, m, false, options);
  };
  require.main = process.mainModule;
  require.cache = Module._cache;
  require.extensions = Module._extensions;
  return require;
}

/** Look-ups in node_modules are rare, so their folders are worked out when the
 *  first comes. */
function givePaths(m) {
  if (!m.paths)
    m.paths = Module._nodeModulePaths(m.path);
}

/** The index of what id names, -1 if it is for Node to load. */
function find(m, entry, id) {
  if (Module.builtinModules.includes(id) || id.startsWith('node:'))
    return entry.requests[id] = -1;
  givePaths(m);
  const filename = Module._resolveFilename(id, m, false);
  const index = indexFor(filename);
  if (/^\.\.?\//.test(id)) // others may come to mean another file
    entry.requests[id] = index;
  return index;
}

/** The index of a file, which is read if it is new; -1 if it is not for us. */
function indexFor(filename) {
  if (!filename.startsWith(root) || !/\.js(on)?$/.test(filename))
    return -1;
  const file = filename.slice(root.length);
  if (indexOf.has(file))
    return indexOf.get(file);
  const text = read(filename);
  let index = -1;
  // A script of ours has no loader for import(), and knows no BOM or #!.
  if (!/\ufeff|\bimport\s*\(|\{ #!/.test(text))
    index = modules.push({ file, text, requests: {} }) - 1;
  indexOf.set(file, index);
  return index;
}

// --- The driver.

/** What the driver is made of, undefined if it is of another shape. */
function parts() {
  const own = file => load(indexFor(root + file), module);
  const all = {
    ...own('lib/server/index.js'),
    ...own('lib/server/utils/pipeTransport.js'),
    ...own('lib/server/utils/processLauncher.js'),
  };
  const names = ['DispatcherConnection', 'RootDispatcher', 'PlaywrightDispatcher', 'createPlaywright', 'PipeTransport', 'gracefullyProcessExitDoNotHang'];
  return names.every(name => typeof all[name] === 'function') ? all : undefined;
}

/** What runDriver in lib/cli/driver.js does. */
function serve({ DispatcherConnection, RootDispatcher, PlaywrightDispatcher, createPlaywright, PipeTransport, gracefullyProcessExitDoNotHang }) {
  const connection = new DispatcherConnection();
  new RootDispatcher(connection, async (scope, { sdkLanguage }) => {
    return new PlaywrightDispatcher(scope, createPlaywright({ sdkLanguage }));
  });
  const transport = new PipeTransport(process.stdout, process.stdin);
  transport.onmessage = message => {
    calls++;
    connection.dispatch(JSON.parse(message));
  };
  connection.onmessage = message => transport.send(JSON.stringify(message));
  transport.onclose = () => {
    connection.onmessage = () => {};
    gracefullyProcessExitDoNotHang(0);
  };
  process.on('SIGINT', () => {});
}

/** Sees to it that the cache is written if it should be: when the driver has
 *  been idle for a second, or else when it ends. */
function keepCache() {
  if (!stale && callsThen >= enough)
    return release();
  const write = () => {
    if (stale || calls >= enough)
      writeCache();
    clearInterval(timer);
    process.off('exit', write);
    release();
  };
  let before = -1;
  const timer = setInterval(() => {
    if (calls >= enough && calls === before)
      write();
    before = calls;
  }, 1000);
  timer.unref();
  process.on('exit', write);
}

/** Lets go of what only a writer needs, some ten megabytes. A module that is
 *  loaded only later is read from its own file. */
function release() {
  released = true;
  blob = undefined;
  for (const m of modules)
    m.text = m.script = m.code = undefined;
}

function main() {
  if (process.argv[2] !== 'run-driver')
    return require(cli);
  let found;
  try {
    root = fs.realpathSync(path.dirname(cli)) + path.sep;
    readCache();
    modules.forEach((m, i) => indexOf.set(m.file, i));
    found = parts();
  } catch {
    // As far as it got is forgotten, so that cli.js starts from nothing, and so
    // is the cache that may have led here.
    for (const file of Object.keys(Module._cache).filter(file => file.startsWith(root)))
      delete Module._cache[file];
    remove(cacheFile);
  }
  if (!found)
    return require(cli);
  serve(found);
  keepCache();
}

main();
