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
  scope.fetch = async (url, options = {}) => {
    const page = native.page();
    const target = new URL(String(url.url || url), /^https?:/.test(page.url()) ? page.url() : undefined).href;
    const o = { method: options.method || 'GET', headers: new Headers(options.headers).toJSON() };
    if (options.body !== undefined) o.data = Buffer.isBuffer(options.body) ? options.body : options.body instanceof Uint8Array ? Buffer.from(options.body) : String(options.body);
    if (options.body instanceof URLSearchParams && !o.headers['content-type']) o.headers['content-type'] = 'application/x-www-form-urlencoded';
    else if (typeof options.body === 'string' && !o.headers['content-type']) o.headers['content-type'] = 'text/plain;charset=UTF-8';
    if (options.redirect === 'manual') o.maxRedirects = 0;
    const r = await page.context().request.fetch(target, o);
    const bytes = await r.body();
    return { status: r.status(), statusText: r.statusText(), ok: r.ok(), url: r.url(), redirected: r.url() !== target, headers: new Headers(r.headers()),
      async text() { return bytes.toString('utf8'); }, async json() { return JSON.parse(bytes.toString('utf8')); },
      async arrayBuffer() { return new Uint8Array(bytes).buffer; }, async buffer() { return bytes; } };
  };
}
