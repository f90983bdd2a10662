'use strict';
// Starts Playwright's driver faster than its own cli.js, with otherwise the same
// behaviour:
//
//   node start.cjs CACHE-FOLDER PACKAGE/cli.js run-driver
//
// Most of the driver's start is Node compiling its six megabytes of source. Here
// the sources come from one file, together with the code that V8 compiled in an
// earlier run. Only what run-driver needs is run: no command line, no client.
//
// This code must not print and must not fail. Without a usable cache the sources
// are compiled as usual. If Playwright's code has another shape, cli.js takes over.
const fs = require('fs');
const path = require('path');
const vm = require('vm');
const zlib = require('zlib');
const Module = require('module');

const folder = process.argv[2];
const cli = process.argv[3];
process.argv.splice(1, 2); // so that the driver sees the argv that cli.js would
let root; // the package's folder with a trailing separator; links resolved, as Node does

// --- The cache: 8 characters of magic, 8 of checksum over the next two parts, 8 of
// header length, the header as JSON; then, for each file, its source and its code,
// whose checksum is in the header. All parts begin at a multiple of 8, since V8
// needs aligned code.

const magic = 'pwpipe4\n';
const cacheFile = path.join(folder, `start-${process.version}-${process.arch}.cache`);

/** Identifies the driver of the cache. A newly installed package has another
 *  package.json. The cached sources depend on this program. Another Node version
 *  has its own file. V8 itself detects other flags or another CPU
 *  (cachedDataRejected). */
function keyOf() {
  const s = fs.statSync(root + 'package.json');
  return [root, s.size, s.mtimeMs, s.ino, checksum(fs.readFileSync(__filename))].join(' ');
}

function checksum(bytes) {
  // Missing in Node 18, but three times as fast.
  if (zlib.crc32)
    return zlib.crc32(bytes).toString(16).padStart(8, '0');
  return require('crypto').createHash('sha256').update(bytes).digest('hex').slice(0, 8);
}

let fd = -1;        // the open cache file
let bodies = 0;     // offset of the sources in it
let modules = [];   // {file, at, source: length, code: length, sum}
let calls = 0;      // requests served so far
let callsThen = 0;  // requests served by the run that wrote the cache
let stale = true;   // the cache is unusable, in whole or in part
let released = false; // nothing is kept for writing any more

function readCache() {
  try {
    fd = fs.openSync(cacheFile, 'r');
    const head = readAt(Buffer.alloc(24), 0);
    if (head.toString('latin1', 0, 8) !== magic)
      return;
    const length = parseInt(head.toString('latin1', 16, 24), 16);
    if (!(length < 1 << 20))
      return;
    const text = readAt(Buffer.alloc(8 + length), 16);
    if (head.toString('latin1', 8, 16) !== checksum(text))
      return;
    const header = JSON.parse(text.toString('utf8', 8));
    if (header.key !== keyOf())
      return;
    bodies = align(24 + length);
    modules = header.modules;
    callsThen = header.calls;
    stale = false;
  } catch {
    // There is no cache, or an unusable one.
  }
}

function readAt(buffer, position) {
  fs.readSync(fd, buffer, 0, buffer.length, position);
  return buffer;
}

let scratch = Buffer.alloc(0);

/** A file's cached source and code, valid until the next call; undefined if they
 *  are damaged. */
function fetch(m) {
  if (fd < 0 || !m.source)
    return undefined;
  const codeAt = align(m.source);
  const length = codeAt + m.code;
  if (scratch.length < length)
    scratch = Buffer.allocUnsafeSlow(Math.max(length, 1 << 20));
  const bytes = readAt(scratch.subarray(0, length), bodies + m.at);
  if (checksum(bytes) !== m.sum) {
    stale = true;
    return undefined;
  }
  return {
    text: bytes.toString('latin1', 0, m.source),
    code: m.code ? bytes.subarray(codeAt) : undefined,
  };
}

const align = n => Math.ceil(n / 8) * 8;

/** Few requests compile few functions. So the cache of a short run, such as an
 *  installation check, is replaced by that of the first real run. */
const enough = 10;

/** Writes the cache. The file gets its name only when it is complete. Of two
 *  writers, only one writes. */
function writeCache() {
  const temp = cacheFile + '.tmp';
  let fd;
  try {
    fd = fs.openSync(temp, 'wx', 0o644);
  } catch {
    dropOld(temp); // or the folder is not writable: go without a cache
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

/** Removes the file of a killed writer; the next run writes. */
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
  let end = 0;
  const list = modules.map(m => {
    const cached = m.text === undefined ? fetch(m) : undefined;
    const source = Buffer.from(m.text ?? cached?.text ?? read(m.file), 'latin1');
    // Code taken from a script after it has run includes the functions that V8
    // compiles at their first call.
    const code = m.script ? m.script.createCachedData() : cached?.code ?? Buffer.alloc(0);
    const bytes = Buffer.alloc(align(align(source.length) + code.length));
    source.copy(bytes);
    code.copy(bytes, align(source.length));
    const at = end;
    end += bytes.length;
    parts.push(bytes);
    const sum = checksum(bytes.subarray(0, align(source.length) + code.length));
    return { file: m.file, at, source: source.length, code: code.length, sum };
  });
  const header = Buffer.from(JSON.stringify({ key: keyOf(), calls, modules: list }));
  const sized = Buffer.concat([Buffer.from(header.length.toString(16).padStart(8, '0')), header]);
  const gap = Buffer.alloc(align(24 + header.length) - 24 - header.length);
  return Buffer.concat([Buffer.from(magic + checksum(sized)), sized, gap, ...parts]);
}
