// The start of every script: the engine's modules, and the test server in another
// process. Commands and reports are files, because a file is written before the
// next line runs: so a route exists before the page requests it.
const __fs = require('fs');
const __given = (() => {
  const settings = SETTINGS;
  const handlers = new Map(), waiting = new Map();
  let count = 0, polling = null;
  const command = (o) => __fs.writeFileSync(`${settings.folder}/commands/${String(Date.now()).padStart(15, '0')}-${String(count++).padStart(8, '0')}`, JSON.stringify(o));
  const b64 = (v) => v === undefined || v === null ? null : Buffer.from(v).toString('base64');

  class Response {
    constructor(id) { this._id = id; this.headersSent = this.finished = this.writableEnded = false; this.socket = this.connection = { destroy: () => this._do('destroy'), end: () => this._do('destroy') }; }
    _do(op, ...args) { command({ do: 'answer', id: this._id, op, args }); return this; }
    set statusCode(n) { this._do('statusCode', n); }
    set statusMessage(s) { this._do('statusMessage', s); }
    setHeader(name, value) { return this._do('setHeader', name, value); }
    writeHead(...args) { this.headersSent = true; return this._do('writeHead', ...args); }
    flushHeaders() { return this._do('flushHeaders'); }
    write(data) { this._do('write', b64(data)); return true; }
    end(data) { this.finished = this.writableEnded = true; return this._do('end', typeof data === 'function' ? null : b64(data)); }
    destroy() { return this._do('destroy'); }
    on() { return this; }
    once() { return this; }
  }
  const request = (e) => ({
    method: e.method, url: e.url, headers: e.headers, rawHeaders: e.rawHeaders, httpVersion: e.httpVersion,
    postBody: Promise.resolve(Buffer.from(e.body, 'base64')), socket: new Response(e.id).socket, connection: new Response(e.id).socket, on() { return this; }, once() { return this; },
  });
  function poll() {
    for (const name of __fs.readdirSync(settings.folder + '/events').sort()) {
      const file = `${settings.folder}/events/${name}`;
      let e;
      try { e = JSON.parse(__fs.readFileSync(file, 'utf8')); } catch { return; }
      __fs.unlinkSync(file);
      const key = e.server + ' ' + e.path, req = request(e);
      if (e.waited && waiting.has(key)) {
        waiting.get(key).ok(req);
        waiting.delete(key);
      }
      if (e.routed && handlers.has(key)) handlers.get(key)(req, new Response(e.id));
    }
  }
  const listen = () => { polling ||= setInterval(poll, 5); };

  class Server {
    constructor(name, scheme, port) {
      this._name = name;
      this.PORT = port;
      this.PREFIX = `${scheme}://localhost:${port}`;
      this.CROSS_PROCESS_PREFIX = `${scheme}://127.0.0.1:${port}`;
      this.EMPTY_PAGE = this.PREFIX + '/empty.html';
    }
    _do(what, o) { command({ do: what, server: this._name, ...o }); }
    reset() { handlers.clear(); waiting.clear(); for (const f of __fs.readdirSync(settings.folder + '/events')) __fs.unlinkSync(settings.folder + '/events/' + f); this._do('reset'); }
    stop() { clearInterval(polling); polling = null; }
    setRoute(path, handler) { handlers.set(this._name + ' ' + path, handler); this._do('route', { path }); listen(); }
    setRedirect(path, to) { this._do('redirect', { path, to }); }
    setAuth(path, user, password) { this._do('auth', { path, user, password }); }
    setCSP(path, value) { this._do('csp', { path, value }); }
    setExtraHeaders(path, value) { this._do('headers', { path, value }); }
    enableGzip(path) { this._do('gzip', { path }); }
    serveFile(req, res, file) { res._do('serve', file || null); }
    waitForRequest(path) {
      const key = this._name + ' ' + path;
      if (!waiting.has(key)) {
        const w = {};
        w.promise = new Promise((ok) => { w.ok = ok; });
        waiting.set(key, w);
        this._do('wait', { path });
        listen();
      }
      return waiting.get(key).promise;
    }
  }
  return {
    ...settings, expect, browser, servers: { http: new Server('http', 'http', settings.ports[0]), https: new Server('https', 'https', settings.ports[1]) },
    get playwright() { try { return require('playwright'); } catch { return {}; } },
    // A module that the engine lacks fails the tests that use it, not their file.
    require: (id) => { try { return require(id); } catch (e) { return new Proxy(function() {}, { get: (_, k) => { if (k === '__esModule') return false; throw e; }, apply: () => { throw e; } }); } },
  };
})();
