// --- Files. This process has only a folder of its own. The parent checks and
// serves access to any other file. Playwright and scripts share the module fs.

const os = require('os');
const own = [settings.scratch, ...settings.packages].map((dir) => path.resolve(dir));
process.cwd = () => settings.cwd; // relative paths start in the first of the script's folders

const asPath = (p) => p instanceof URL ? require('url').fileURLToPath(p) : Buffer.isBuffer(p) ? p.toString() : p;
// elsewhere reports whether the parent serves a path. Descriptors are local.
const elsewhere = (p) => {
  p = asPath(p);
  if (typeof p !== 'string') return false;
  const full = path.resolve(p);
  return !own.some((dir) => full === dir || full.startsWith(dir + path.sep));
};
const encodingOf = (o) => typeof o === 'string' ? o : o && o.encoding;
const bytesOf = (data, o) => typeof data === 'string' ? Buffer.from(data, encodingOf(o) || 'utf8')
  : ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : data instanceof ArrayBuffer ? Buffer.from(data) : Buffer.from(String(data));
const seen = (bytes, o) => encodingOf(o) && encodingOf(o) !== 'buffer' ? bytes.toString(encodingOf(o)) : Buffer.from(bytes);
// Only the user may read what a script says so of, and what privately runs writes.
let privateRuns = 0;
const privately = async (fn) => { privateRuns++; try { return await fn(); } finally { privateRuns--; } };
const isPrivate = (o) => privateRuns > 0 || !!(o && Number.isInteger(o.mode)) && (o.mode & 0o077) === 0;
const flagOf = (o) => o && typeof o === 'object' && o.flag || '';

class Stats {
  constructor(s, big) {
    const n = (v) => big ? BigInt(Math.trunc(v)) : v;
    Object.assign(this, { dev: n(0), ino: n(0), mode: n((s.dir ? 0o40000 : 0o100000) | 0o644), nlink: n(1), uid: n(0), gid: n(0), size: n(s.size), blksize: n(4096), blocks: n(Math.ceil(s.size / 512)) });
    for (const k of ['atime', 'mtime', 'ctime', 'birthtime']) { this[k + 'Ms'] = n(s.mtimeMs); this[k] = new Date(s.mtimeMs); }
    Object.defineProperty(this, 'dir', { value: s.dir });
  }
  isDirectory() { return this.dir; }
  isFile() { return !this.dir; }
  isSymbolicLink() { return false; }
  isFIFO() { return false; }
  isSocket() { return false; }
  isBlockDevice() { return false; }
  isCharacterDevice() { return false; }
}

const entry = (dir, { name, dir: is }) => ({ name, parentPath: dir, path: dir, isDirectory: () => is, isFile: () => !is, isSymbolicLink: () => false });

// operations implements fs calls on calls to the parent. op makes one, sync or
// async, and returns {head, raw} or a promise of it; then handles both.
const then = (v, fn) => v && typeof v.then === 'function' ? v.then(fn) : fn(v);
const operations = (op) => ({
  readFile: (p, o) => then(op('read', p), ({ raw }) => seen(raw, o)),
  writeFile: (p, data, o) => then(op(flagOf(o)[0] === 'a' ? 'append' : flagOf(o).includes('x') ? 'create' : 'write', p, { private: isPrivate(o) }, bytesOf(data, o)), () => undefined),
  appendFile: (p, data, o) => then(op('append', p, { private: isPrivate(o) }, bytesOf(data, o)), () => undefined),
  mkdir: (p, o) => then(op('mkdir', p, { all: !!(o && o.recursive) }), () => undefined),
  readdir: (p, o) => then(op('list', p), ({ head }) => (head.names || []).map((e) => o && o.withFileTypes ? entry(asPath(p), e) : e.name)),
  stat: (p, o) => then(op('stat', p), ({ head }) => new Stats(head, o && o.bigint)),
  lstat: (p, o) => then(op('stat', p), ({ head }) => new Stats(head, o && o.bigint)),
  access: (p) => then(op('stat', p), () => undefined),
  unlink: (p) => then(op('remove', p), () => undefined),
  rmdir: (p) => then(op('remove', p), () => undefined),
  rm: (p, o) => then(op(o && o.recursive ? 'removeAll' : 'remove', p, { force: !!(o && o.force) }), () => undefined),
  realpath: (p) => then(op('stat', p), () => path.resolve(asPath(p))),
});
const headOf = (name, p, more) => ({ op: name, path: String(asPath(p)), ...more });
const now = operations((name, p, more, raw) => askNow('file', headOf(name, p, more), raw));
const later = operations((name, p, more, raw) => ask('file', headOf(name, p, more), raw));

// moves take two paths; one may be local and the other not.
const from = (p) => elsewhere(p) ? now.readFile(p) : real.files.readFileSync(p);
const moves = {
  copyFile(a, b) { const data = from(a); elsewhere(b) ? now.writeFile(b, data) : real.files.writeFileSync(b, data); },
  rename(a, b) {
    if (elsewhere(a) && elsewhere(b)) { askNow('file', headOf('rename', a, { to: String(asPath(b)) })); return; }
    moves.copyFile(a, b);
    fs.unlinkSync(a);
  },
};

real.files = { ...fs };
const callbackOf = (args) => { const done = args.pop(); if (typeof done !== 'function') throw new TypeError('The "cb" argument must be of type function'); return done; };
for (const name of [...Object.keys(now), ...Object.keys(moves)]) {
  const ours = fs[name], oursNow = fs[name + 'Sync'], oursLater = fs.promises[name], moving = moves[name];
  const theirs = name === 'copyFile' ? () => true // the system call changes modes, which the sandbox refuses
    : moving ? (a, b) => elsewhere(a) || elsewhere(b) : (p) => elsewhere(p);
  fs[name + 'Sync'] = (...args) => theirs(...args) ? (moving || now[name])(...args) : oursNow.apply(fs, args);
  fs.promises[name] = async (...args) => theirs(...args) ? (moving || later[name])(...args) : oursLater.apply(fs.promises, args);
  fs[name] = (...args) => {
    if (!theirs(...args)) { ours.apply(fs, args); return; }
    const done = callbackOf(args);
    fs.promises[name](...args).then((v) => process.nextTick(done, null, v), (e) => process.nextTick(done, e));
  };
}
fs.realpathSync.native = fs.realpathSync;
fs.realpath.native = fs.realpath;
{
  const { existsSync, createReadStream, createWriteStream, exists } = real.files, { Readable, Writable } = require('stream');
  fs.existsSync = (p) => { if (!elsewhere(p)) return existsSync(p); try { now.stat(p); return true; } catch { return false; } };
  fs.exists = (p, done) => elsewhere(p) ? later.stat(p).then(() => done(true), () => done(false)) : exists(p, done);
  fs.createReadStream = (p, o) => elsewhere(p) ? Readable.from((async function*() { yield await later.readFile(p, o); })()) : createReadStream(p, o);
  fs.createWriteStream = (p, o) => {
    if (!elsewhere(p)) return createWriteStream(p, o);
    let begun = flagOf({ flag: o && (o.flags || o.flag) })[0] === 'a';
    const put = (data) => { const fn = begun ? later.appendFile : later.writeFile; begun = true; return fn(p, data, o && { mode: o.mode }); };
    const w = new Writable({
      write(chunk, _, done) { put(chunk).then(() => done(), done); },
      final(done) { (begun ? Promise.resolve() : put('')).then(() => done(), done); },
    });
    w.path = p;
    w.bytesWritten = 0;
    return w;
  };
}
require('module').syncBuiltinESMExports();
