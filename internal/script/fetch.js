(native, scope) => {
  'use strict';
  // fetch, through the context: with its cookies, under its policy.
  class Headers {
    constructor(init = {}) { this.map = new Map(); for (const [k, v] of init instanceof Headers ? init.map : Array.isArray(init) ? init : Object.entries(init)) this.map.set(k.toLowerCase(), String(v)); }
    get(k) { return this.map.get(k.toLowerCase()) ?? null; }
    has(k) { return this.map.has(k.toLowerCase()); }
    set(k, v) { this.map.set(k.toLowerCase(), String(v)); }
    forEach(fn) { for (const [k, v] of this.map) fn(v, k, this); }
    entries() { return this.map.entries(); }
    keys() { return this.map.keys(); }
    values() { return this.map.values(); }
    [Symbol.iterator]() { return this.map.entries(); }
    toJSON() { return Object.fromEntries(this.map); }
  }
  class Blob {
    constructor(parts = [], { type = '' } = {}) { this.bytes_ = Buffer.concat([...parts].map(bytesOf)); this.type = type; this.size = this.bytes_.length; }
    async text() { return this.bytes_.toString('utf8'); }
    async bytes() { return new Uint8Array(this.bytes_); }
    async arrayBuffer() { return new Uint8Array(this.bytes_).buffer; }
    slice(from, to, type) { return new Blob([this.bytes_.subarray(from, to)], { type }); }
  }
  class File extends Blob {
    constructor(parts, name, options = {}) { super(parts, options); this.name = name; this.lastModified = options.lastModified ?? Date.now(); }
  }
  const bytesOf = (v) => v instanceof Blob ? v.bytes_ : Buffer.isBuffer(v) ? v : v instanceof ArrayBuffer ? Buffer.from(new Uint8Array(v))
    : ArrayBuffer.isView(v) ? Buffer.from(v.buffer).subarray(v.byteOffset, v.byteOffset + v.byteLength) : Buffer.from(String(v), 'utf8');
  class FormData {
    constructor() { this.list = []; }
    append(name, value, filename) {
      if (value instanceof Blob && (filename !== undefined || !(value instanceof File))) value = new File([value], filename ?? 'blob', value);
      this.list.push([String(name), value instanceof Blob ? value : String(value)]);
    }
    set(name, ...value) { this.delete(name); this.append(name, ...value); }
    delete(name) { this.list = this.list.filter(([k]) => k !== name); }
    get(name) { const found = this.list.find(([k]) => k === name); return found ? found[1] : null; }
    getAll(name) { return this.list.filter(([k]) => k === name).map(([, v]) => v); }
    has(name) { return this.list.some(([k]) => k === name); }
    forEach(fn) { for (const [k, v] of this.list) fn(v, k, this); }
    entries() { return this.list[Symbol.iterator](); }
    [Symbol.iterator]() { return this.list[Symbol.iterator](); }
    // encoded is the body as multipart/form-data.
    encoded(boundary) {
      const word = (s) => s.replace(/\r?\n|"/g, encodeURIComponent);
      const part = ([name, v]) => [`--${boundary}\r\nContent-Disposition: form-data; name="${word(name)}"`,
        ...(v instanceof File ? [`; filename="${word(v.name)}"\r\nContent-Type: ${v.type || 'application/octet-stream'}`] : []), '\r\n\r\n', v, '\r\n'];
      return Buffer.concat([...this.list.flatMap(part), `--${boundary}--\r\n`].map(bytesOf));
    }
  }
  // bodyOf is a body's bytes and the type that it has where nobody says one.
  const bodyOf = (body) => {
    if (body instanceof FormData) {
      const boundary = 'form' + native.uuid();
      return [body.encoded(boundary), `multipart/form-data; boundary=${boundary}`];
    }
    return [bytesOf(body), body instanceof URLSearchParams ? 'application/x-www-form-urlencoded;charset=UTF-8' : body instanceof Blob ? body.type
      : Buffer.isBuffer(body) || body instanceof ArrayBuffer || ArrayBuffer.isView(body) ? '' : 'text/plain;charset=UTF-8'];
  };

  class Response {
    constructor(body, { status = 200, statusText = '', headers, url = '', redirected = false } = {}) {
      const [bytes, type] = body === undefined || body === null ? [Buffer.from(''), ''] : bodyOf(body);
      Object.assign(this, { status, statusText, url, redirected, ok: status >= 200 && status < 300, headers: new Headers(headers), type: 'basic' });
      if (type && !this.headers.has('content-type')) this.headers.set('content-type', type);
      Object.defineProperty(this, 'bytes_', { value: bytes });
    }
    async text() { return this.bytes_.toString('utf8'); }
    async json() { return JSON.parse(this.bytes_.toString('utf8')); }
    async bytes() { return new Uint8Array(this.bytes_); }
    async arrayBuffer() { return new Uint8Array(this.bytes_).buffer; }
    async blob() { return new Blob([this.bytes_], { type: this.headers.get('content-type') ?? '' }); }
    async buffer() { return this.bytes_; }
    clone() { return new Response(this.bytes_, this); }
  }

  class AbortSignal {
    constructor() { this.aborted = false; this.reason = undefined; this.onabort = null; Object.defineProperty(this, 'list', { value: [] }); }
    addEventListener(event, fn) { if (event === 'abort') this.list.push(fn); }
    removeEventListener(event, fn) { const i = this.list.indexOf(fn); if (i >= 0) this.list.splice(i, 1); }
    throwIfAborted() { if (this.aborted) throw this.reason; }
    static abort(reason) { const c = new AbortController(); c.abort(reason); return c.signal; }
    static timeout(ms) { const c = new AbortController(); native.timer(() => c.abort(named('TimeoutError', `the signal timed out after ${ms} ms`)), ms, false); return c.signal; }
    static any(signals) {
      const c = new AbortController();
      for (const s of signals) if (s.aborted) c.abort(s.reason); else s.addEventListener('abort', () => c.abort(s.reason));
      return c.signal;
    }
  }
  const named = (name, message) => Object.assign(new Error(message), { name });
  class AbortController {
    constructor() { this.signal = new AbortSignal(); }
    abort(reason = named('AbortError', 'This operation was aborted')) {
      const s = this.signal;
      if (s.aborted) return;
      Object.assign(s, { aborted: true, reason });
      for (const fn of [s.onabort, ...s.list]) if (fn) fn.call(s, { type: 'abort', target: s });
    }
  }

  scope.fetch = async (url, options = {}) => {
    const page = native.page();
    const given = String(url.url || url);
    // On an empty page the context's base URL counts, if it has one.
    const target = /^https?:/.test(page.url()) ? new URL(given, page.url()).href : given;
    const headers = new Headers(options.headers), o = { method: options.method || 'GET' };
    if (options.body !== undefined && options.body !== null) {
      const [data, type] = bodyOf(options.body);
      o.data = data;
      // Playwright would else name a type of its own.
      if (!headers.has('content-type')) headers.set('content-type', type || 'application/octet-stream');
    }
    o.headers = headers.toJSON();
    if (options.redirect === 'manual') o.maxRedirects = 0;
    const aborted = options.signal && new Promise((_, reject) => {
      if (options.signal.aborted) reject(options.signal.reason);
      options.signal.addEventListener('abort', () => reject(options.signal.reason));
    });
    const answer = async () => {
      const r = await page.context().request.fetch(target, o);
      return new Response(await r.body(), { status: r.status(), statusText: r.statusText(), headers: r.headers(), url: r.url(), redirected: r.url() !== target && /^https?:/.test(target) });
    };
    return aborted ? Promise.race([aborted, answer()]) : answer();
  };
  Object.assign(scope, { Headers, Response, FormData, Blob, File, AbortController, AbortSignal });
}
