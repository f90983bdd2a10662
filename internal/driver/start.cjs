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
const root = path.dirname(cli) + path.sep;

// --- The cache: 8 characters of magic, 8 of checksum over all that follows, 8
// of header length, the header as JSON, then sources and code, each at a
// multiple of 8, as V8 wants its code aligned.

const magic = 'pwpipe1\n';
const cacheFile = path.join(folder, `start-${process.version}-${process.arch}.cache`);

/** The driver that the cache is of. Other Node, other file; other V8 flags or
 *  another CPU are V8's to notice (cachedDataRejected). */
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
let modules = [];   // {file, twoByte, source: [at, length], code: [at, length], requests: {request: index}}
let calls = 0;      // requests served so far
let cachedCalls = 0; // requests served by the run that wrote the cache
let stale = true;   // the cache is to be written anew

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
    cachedCalls = header.calls;
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

const worthWriting = () => stale || (cachedCalls < enough && calls >= enough);

/** Writes the cache. It is complete before it has its name, so that of two
 *  writers one wins and no reader sees half of it. */
function writeCache() {
  const temp = `${cacheFile}.${process.pid}-${Date.now()}.tmp`;
  try {
    const parts = [];
    let at = 0;
    const add = bytes => {
      const start = at;
      at = align(at + bytes.length);
      parts.push(bytes, Buffer.alloc(at - start - bytes.length));
      return [start, bytes.length];
    };
    const list = modules.filter(m => m.text !== undefined || m.source);
    if (list.length !== modules.length)
      return; // one could not be loaded; indices would not hold
    const out = list.map(m => {
      const text = m.text !== undefined ? m.text : sourceOf(m);
      const twoByte = /[^\x00-\xff]/.test(text);
      return {
        file: m.file, twoByte, requests: m.requests,
        source: add(Buffer.from(text, twoByte ? 'utf16le' : 'latin1')),
        code: m.script ? add(m.script.createCachedData()) : m.code && add(codeOf(m)),
      };
    });
    const header = Buffer.from(JSON.stringify({ key: keyOf(), calls, modules: out }));
    const rest = Buffer.concat([
      Buffer.from(header.length.toString(16).padStart(8, '0')), header,
      Buffer.alloc(align(24 + header.length) - 24 - header.length), ...parts,
    ]);
    fs.writeFileSync(temp, Buffer.concat([Buffer.from(magic + checksum(rest)), rest]), { flag: 'wx', mode: 0o600 });
    fs.renameSync(temp, cacheFile);
  } catch {
    try { fs.unlinkSync(temp); } catch { /* a folder that can't be written: go without */ }
  }
}

function slice(at, length) {
  return blob.subarray(bodies + at, bodies + at + length);
}

function sourceOf(m) {
  return slice(...m.source).toString(m.twoByte ? 'utf16le' : 'latin1');
}

const codeOf = m => slice(...m.code);

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
  const text = entry.text !== undefined ? entry.text : sourceOf(entry);
  if (entry.file.endsWith('.json')) {
    m.exports = JSON.parse(text);
    return;
  }
  const script = new vm.Script(text, { filename: m.filename, cachedData: entry.code && codeOf(entry) });
  if (script.cachedDataRejected)
    stale = true;
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
  let text = fs.readFileSync(filename, 'utf8');
  let index = -1;
  // A script of ours has no loader for import(), and knows no #! or BOM.
  if (!/^[#\ufeff]|\bimport\s*\(/.test(text)) {
    if (file.endsWith('.js'))
      text = Module.wrap(text);
    index = modules.push({ file, text, requests: {} }) - 1;
  }
  indexOf.set(file, index);
  return index;
}

// --- The driver.

/** What the driver is made of, undefined if it is of another shape. */
function parts() {
  const own = file => load(indexFor(root + file), module);
  const all = { ...own('lib/server/index.js'), ...own('lib/server/utils/processLauncher.js') };
  const names = ['DispatcherConnection', 'RootDispatcher', 'PlaywrightDispatcher', 'createPlaywright', 'gracefullyProcessExitDoNotHang'];
  return names.every(name => typeof all[name] === 'function') ? all : undefined;
}

/** What runDriver in lib/cli/driver.js does. */
function serve({ DispatcherConnection, RootDispatcher, PlaywrightDispatcher, createPlaywright, gracefullyProcessExitDoNotHang }) {
  const connection = new DispatcherConnection();
  new RootDispatcher(connection, async (scope, { sdkLanguage }) => {
    return new PlaywrightDispatcher(scope, createPlaywright({ sdkLanguage }));
  });
  receive(process.stdin, message => {
    calls++;
    connection.dispatch(JSON.parse(message));
  });
  connection.onmessage = message => send(process.stdout, JSON.stringify(message));
  process.stdin.on('close', () => {
    connection.onmessage = () => {};
    gracefullyProcessExitDoNotHang(0);
  });
  process.on('SIGINT', () => {});
}

/** Calls back for every message: a length, 4 bytes with the lowest first, and
 *  as many bytes of text. */
function receive(stream, each) {
  let chunks = [];
  let have = 0;
  let want = -1; // -1: a length comes next
  stream.on('data', chunk => {
    chunks.push(chunk);
    have += chunk.length;
    while (have >= (want < 0 ? 4 : want)) {
      const data = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      let rest = 4;
      if (want < 0) {
        want = data.readUInt32LE(0);
      } else {
        rest = want;
        const message = data.toString('utf8', 0, want);
        want = -1;
        // One task a message, as in the driver's own transport: what a message
        // sets off is not mixed with the next.
        if (message)
          setImmediate(each, message);
      }
      chunks = [data.subarray(rest)];
      have -= rest;
    }
  });
}

/** Writes a message in one piece: the reader wakes once. */
function send(stream, text) {
  const length = Buffer.byteLength(text);
  const data = Buffer.allocUnsafe(4 + length);
  data.writeUInt32LE(length, 0);
  data.write(text, 4, length);
  stream.write(data);
}

/** Sees to it that the cache is written: when the driver has been idle for a
 *  second, or else when it ends. */
function keepCache() {
  let written = false;
  const write = () => {
    if (written || !worthWriting())
      return;
    written = true;
    writeCache();
  };
  let before = -1;
  const timer = setInterval(() => {
    if (calls < enough || calls !== before) {
      before = calls;
      return;
    }
    clearInterval(timer);
    write();
    forget();
  }, 1000);
  timer.unref();
  process.on('exit', write);
}

/** Lets go of what only a writer needs. */
function forget() {
  blob = undefined;
}

function main() {
  if (process.argv[2] !== 'run-driver')
    return require(cli);
  readCache();
  modules.forEach((m, i) => indexOf.set(m.file, i));
  let found;
  try {
    found = parts();
  } catch {
    // As far as it got is forgotten, so that cli.js starts from nothing, and so
    // is the cache that may have led here.
    for (const file of Object.keys(Module._cache).filter(file => file.startsWith(root)))
      delete Module._cache[file];
    try { fs.unlinkSync(cacheFile); } catch { /* there was none */ }
  }
  if (!found)
    return require(cli);
  serve(found);
  keepCache();
}

main();
