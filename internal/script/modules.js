(native, scope) => {
  'use strict';
  // The modules that scripts may require, with what such scripts use of them.
  const make = {};
  const { format, show, equal } = scope;

  make.path = () => {
    const split = (p) => p.split('/');
    const normalize = (p) => {
      const absolute = p.startsWith('/'), out = [];
      for (const part of split(p)) {
        if (part === '' || part === '.') continue;
        if (part === '..' && out.length && out[out.length - 1] !== '..') out.pop();
        else if (part !== '..' || !absolute) out.push(part);
      }
      const s = (absolute ? '/' : '') + out.join('/') + (p.endsWith('/') && out.length ? '/' : '');
      return s || '.';
    };
    const basename = (p, ext) => {
      const b = split(p.replace(/\/+$/, '')).pop();
      return ext && b !== ext && b.endsWith(ext) ? b.slice(0, -ext.length) : b;
    };
    const dirname = (p) => {
      const i = p.replace(/\/+$/, '').lastIndexOf('/');
      return i < 0 ? '.' : i === 0 ? '/' : p.slice(0, i);
    };
    const extname = (p) => { const b = basename(p), i = b.lastIndexOf('.'); return i <= 0 ? '' : b.slice(i); };
    const join = (...parts) => normalize(parts.filter(Boolean).join('/') || '.');
    const resolve = (...parts) => {
      let out = '';
      for (const p of [native.cwd, ...parts]) out = p.startsWith('/') ? p : out + '/' + p;
      return normalize(out).replace(/(.)\/$/, '$1');
    };
    const relative = (from, to) => {
      const a = split(resolve(from)).filter(Boolean), b = split(resolve(to)).filter(Boolean);
      while (a.length && b.length && a[0] === b[0]) { a.shift(); b.shift(); }
      return [...a.map(() => '..'), ...b].join('/');
    };
    const parse = (p) => { const base = basename(p), ext = extname(p); return { root: p.startsWith('/') ? '/' : '', dir: dirname(p), base, ext, name: base.slice(0, base.length - ext.length) }; };
    const path = { sep: '/', delimiter: ':', normalize, basename, dirname, extname, join, resolve, relative, parse,
      isAbsolute: (p) => p.startsWith('/'), format: (o) => join(o.dir || o.root || '', o.base || (o.name || '') + (o.ext || '')) };
    path.posix = path;
    return path;
  };

  make.url = () => ({ URL, URLSearchParams,
    parse: (s, query) => { const u = new URL(s); return { href: u.href, protocol: u.protocol, host: u.host, hostname: u.hostname, port: u.port, pathname: u.pathname, search: u.search,
      query: query ? Object.fromEntries(u.searchParams) : u.search.slice(1), hash: u.hash, path: u.pathname + u.search }; },
    resolve: (from, to) => new URL(to, from).href, format: (u) => u.href || String(u),
    fileURLToPath: (u) => decodeURIComponent(new URL(u).pathname), pathToFileURL: (p) => new URL('file://' + p) });

  make.querystring = () => {
    const parse = (s) => {
      const out = {};
      for (const [k, v] of new URLSearchParams(s)) out[k] = k in out ? [].concat(out[k], v) : v;
      return out;
    };
    const stringify = (o) => Object.entries(o).flatMap(([k, v]) => [].concat(v).map((e) => encodeURIComponent(k) + '=' + encodeURIComponent(e))).join('&');
    return { parse, stringify, decode: parse, encode: stringify, escape: encodeURIComponent, unescape: decodeURIComponent };
  };

  make.buffer = () => ({ Buffer, atob: scope.atob, btoa: scope.btoa });

  make.util = () => ({ format, inspect: (v) => show(v), isDeepStrictEqual: equal, TextEncoder: scope.TextEncoder, TextDecoder: scope.TextDecoder,
    promisify: (fn) => (...args) => new Promise((ok, no) => fn(...args, (e, v) => e ? no(e) : ok(v))),
    callbackify: (fn) => (...args) => { const done = args.pop(); fn(...args).then((v) => done(null, v), done); },
    inherits: (c, p) => Object.setPrototypeOf(c.prototype, p.prototype), deprecate: (fn) => fn,
    types: { isPromise: (v) => v instanceof Promise, isDate: (v) => v instanceof Date, isRegExp: (v) => v instanceof RegExp } });

  make.assert = () => {
    class AssertionError extends Error { constructor(o) { super(o.message); this.name = 'AssertionError'; this.actual = o.actual; this.expected = o.expected; } }
    const check = (ok, message, text, actual, expected) => {
      if (ok) return;
      if (message instanceof Error) throw message;
      throw new AssertionError({ message: message || text, actual, expected });
    };
    const assert = (v, m) => check(v, m, `${show(v)} is not truthy`, v, true);
    const two = (name, fn) => { assert[name] = (a, b, m) => check(fn(a, b), m, `${name}(${show(a)}, ${show(b)}) failed`, a, b); };
    two('equal', (a, b) => a == b); two('notEqual', (a, b) => a != b);
    two('strictEqual', Object.is); two('notStrictEqual', (a, b) => !Object.is(a, b));
    two('deepEqual', equal); two('deepStrictEqual', equal); two('notDeepEqual', (a, b) => !equal(a, b)); two('notDeepStrictEqual', (a, b) => !equal(a, b));
    two('match', (s, r) => r.test(s)); two('doesNotMatch', (s, r) => !r.test(s));
    const threw = (e, expected) => expected === undefined || typeof expected !== 'function' && !(expected instanceof RegExp) ||
      (expected instanceof RegExp ? expected.test(String(e.message)) : e instanceof expected);
    assert.ok = assert;
    assert.fail = (m) => check(false, m, 'failed');
    assert.throws = (fn, expected, m) => { try { fn(); } catch (e) { return check(threw(e, expected), m, `threw ${show(e)}`); } check(false, m, 'nothing was thrown'); };
    assert.doesNotThrow = (fn) => fn();
    assert.rejects = async (p, expected, m) => { try { await (typeof p === 'function' ? p() : p); } catch (e) { return check(threw(e, expected), m, `rejected with ${show(e)}`); } check(false, m, 'the promise was not rejected'); };
    assert.AssertionError = AssertionError;
    assert.strict = assert;
    return assert;
  };

  make.events = () => {
    class EventEmitter {
      constructor() { this._events = new Map(); }
      on(e, fn) { this._events.set(e, [...this._events.get(e) || [], { fn }]); return this; }
      prependListener(e, fn) { this._events.set(e, [{ fn }, ...this._events.get(e) || []]); return this; }
      once(e, fn) { this._events.set(e, [...this._events.get(e) || [], { fn, once: true }]); return this; }
      off(e, fn) { this._events.set(e, (this._events.get(e) || []).filter((l) => l.fn !== fn)); return this; }
      emit(e, ...args) {
        const list = this._events.get(e) || [];
        if (!list.length && e === 'error') throw args[0] instanceof Error ? args[0] : new Error(String(args[0]));
        for (const l of list) { if (l.once) this.off(e, l.fn); l.fn.apply(this, args); }
        return list.length > 0;
      }
      removeAllListeners(e) { if (e === undefined) this._events.clear(); else this._events.delete(e); return this; }
      listeners(e) { return (this._events.get(e) || []).map((l) => l.fn); }
      listenerCount(e) { return this.listeners(e).length; }
      eventNames() { return [...this._events.keys()]; }
      setMaxListeners() { return this; }
    }
    EventEmitter.prototype.addListener = EventEmitter.prototype.on;
    EventEmitter.prototype.removeListener = EventEmitter.prototype.off;
    EventEmitter.EventEmitter = EventEmitter;
    EventEmitter.once = (o, e) => new Promise((ok) => o.once(e, (...args) => ok(args)));
    return EventEmitter;
  };

  make.stream = () => {
    const EventEmitter = require('events');
    // Streams over what is in memory: there is nothing else to stream from.
    class Readable extends EventEmitter {
      constructor(chunks = []) { super(); this.chunks = [...chunks]; }
      static from(it) { return new Readable(typeof it === 'string' || Buffer.isBuffer(it) ? [it] : it); }
      push(c) { if (c !== null) this.chunks.push(c); return true; }
      pipe(to) { for (const c of this.chunks) to.write(c); to.end(); return to; }
      on(e, fn) {
        super.on(e, fn);
        if (e === 'data') Promise.resolve().then(() => { for (const c of this.chunks.splice(0)) this.emit('data', c); this.emit('end'); this.emit('close'); });
        return this;
      }
      async toArray() { return [...this.chunks]; }
    }
    class Writable extends EventEmitter {
      constructor(o = {}) { super(); this.o = o; }
      write(c) { if (this.o.write) this.o.write(c, 'utf8', () => {}); return true; }
      end(c) { if (c !== undefined) this.write(c); if (this.o.final) this.o.final(() => {}); this.emit('finish'); this.emit('close'); return this; }
    }
    class Transform extends Readable {
      constructor(o = {}) { super(); this.o = o; }
      write(c) { if (this.o.transform) this.o.transform.call(this, c, 'utf8', (e, v) => { if (e) this.emit('error', e); else if (v !== undefined && v !== null) this.push(v); }); else this.push(c); return true; }
      end(c) { if (c !== undefined) this.write(c); if (this.o.flush) this.o.flush.call(this, (e, v) => { if (v !== undefined) this.push(v); }); this.emit('finish'); return this; }
    }
    class PassThrough extends Transform {}
    const pipeline = async (first, ...rest) => { rest.reduce((a, b) => a.pipe(b), first); };
    return { Readable, Writable, Transform, PassThrough, Duplex: Transform, Stream: EventEmitter, pipeline, promises: { pipeline } };
  };

  make.zlib = () => {
    const z = {};
    for (const how of ['gzip', 'gunzip', 'deflate', 'inflate']) {
      z[how + 'Sync'] = (b) => native.zip(how, b);
      z[how] = (b, ...rest) => { const done = rest.pop(); let v; try { v = native.zip(how, b); } catch (e) { return done(e); } done(null, v); };
    }
    return z;
  };

  const digest = (name, key) => {
    let data = Buffer.from('');
    const self = { update(d, enc) { data = Buffer.concat([data, typeof d === 'string' ? Buffer.from(d, enc) : d]); return self; },
      digest(enc) { const b = native.hash(name, data, key); return enc ? b.toString(enc) : b; } };
    return self;
  };
  make.crypto = () => ({ randomUUID: () => native.uuid(), randomBytes: (n) => native.random(n), randomInt: (a, b) => { if (b === undefined) { b = a; a = 0; } return a + native.random(6).readUIntBE(0, 6) % (b - a); },
    createHash: (name) => digest(name), createHmac: (name, key) => digest(name, typeof key === 'string' ? Buffer.from(key) : key),
    timingSafeEqual: (a, b) => Buffer.from(a).toString('hex') === Buffer.from(b).toString('hex'),
    getRandomValues: (a) => { a.set(native.random(a.length)); return a; }, getHashes: () => ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] });

  make.os = () => ({ EOL: '\n', platform: () => native.platform, arch: () => native.arch, tmpdir: () => native.tmp, homedir: () => native.cwd,
    type: () => native.platform, release: () => '', hostname: () => 'localhost', cpus: () => [], totalmem: () => 0, freemem: () => 0, userInfo: () => ({ username: '' }) });

  make.fs = () => {
    const encoding = (o) => typeof o === 'string' ? o : o && o.encoding;
    const stat = (p) => { const s = native.fs('stat', p); return { size: s.size, mtimeMs: s.mtimeMs, mtime: new Date(s.mtime), isDirectory: () => s.dir, isFile: () => !s.dir }; };
    const ops = {
      readFile: (p, o) => { const b = native.fs('read', p); return encoding(o) ? b.toString(encoding(o)) : b; },
      writeFile: (p, data) => native.fs('write', p, data), appendFile: (p, data) => native.fs('append', p, data),
      mkdir: (p, o) => native.fs('mkdir', p, !!(o && o.recursive)), readdir: (p) => native.fs('list', p), stat, lstat: stat,
      unlink: (p) => native.fs('remove', p), rmdir: (p) => native.fs('remove', p),
      rm: (p, o = {}) => { try { return native.fs(o.recursive ? 'removeAll' : 'remove', p); } catch (e) { if (!o.force) throw e; } },
      rename: (a, b) => native.fs('rename', a, b), access: (p) => { stat(p); },
      copyFile: (a, b) => native.fs('write', b, native.fs('read', a)),
    };
    const fs = { promises: {} };
    for (const [name, fn] of Object.entries(ops)) {
      fs[name + 'Sync'] = (...args) => { try { return fn(...args); } catch (e) { const m = /\b(E[A-Z]+):/.exec(e.message); if (m) e.code = m[1]; throw e; } };
      fs.promises[name] = async (...args) => fs[name + 'Sync'](...args);
      fs[name] = (...args) => { const done = args.pop(); let v; try { v = fs[name + 'Sync'](...args); } catch (e) { return done(e); } done(null, v); };
    }
    fs.existsSync = (p) => { try { stat(p); return true; } catch { return false; } };
    return fs;
  };
  make['fs/promises'] = () => require('fs').promises;
  make['path/posix'] = () => require('path');
  make['timers/promises'] = () => ({ setTimeout: (ms, v) => new Promise((ok) => native.timer(() => ok(v), ms || 0, false)) });

  const web = () => {
    const EventEmitter = require('events');
    const request = (target, o, done) => {
      if (typeof o === 'function') { done = o; o = {}; }
      if (typeof target === 'object' && !(target instanceof URL)) { o = target; target = `${o.protocol || 'http:'}//${o.hostname || o.host}${o.port ? ':' + o.port : ''}${o.path || '/'}`; }
      const req = new EventEmitter(), chunks = [];
      req.write = (c) => { chunks.push(Buffer.from(c)); };
      req.setTimeout = () => req;
      req.destroy = () => {};
      req.end = (c) => {
        if (c) req.write(c);
        scope.fetch(String(target), { method: (o && o.method) || 'GET', headers: (o && o.headers) || {}, ...(chunks.length ? { body: Buffer.concat(chunks) } : {}) }).then(async (r) => {
          const { Readable } = require('stream');
          const res = new Readable([await r.buffer()]);
          res.statusCode = r.status; res.statusMessage = r.statusText; res.headers = r.headers.toJSON(); res.setEncoding = (e) => { res.chunks = res.chunks.map((b) => b.toString(e)); return res; };
          if (done) done(res);
          req.emit('response', res);
        }).catch((e) => req.emit('error', e));
        return req;
      };
      return req;
    };
    const get = (...args) => request(...args).end();
    return { request, get, Agent: class Agent {}, STATUS_CODES: {}, METHODS: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
      createServer: () => { throw new Error('http.createServer is not available in a script: nothing may listen'); } };
  };
  make.http = web;
  make.https = web;

  const loaded = new Map();
  const require = (id) => {
    const name = String(id).replace(/^node:/, '');
    if (/^(@playwright\/test|playwright(-core|\/test)?)$/.test(name)) throw new Error(`Module "${id}" is not needed in a script: page, context, browser and expect are there`);
    if (!Object.prototype.hasOwnProperty.call(make, name)) throw new Error(`Module "${id}" is not allowed in a script; there are ${Object.keys(make).join(', ')}`);
    if (!loaded.has(name)) loaded.set(name, make[name]());
    return loaded.get(name);
  };
  scope.require = require;
  // An import, as withRequire writes it: a module is also its own default.
  const all = (id) => { const m = require(id); return { ...m, default: m }; };
  scope.$import = Object.assign(async (id) => all(id), { all });
  scope.crypto = require('crypto');
}
