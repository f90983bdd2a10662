// --- Connections. This process has no network: each connection is a tunnel that the
// parent dials if the policy allows it. TLS ends on this side. The parent resolves
// names.

const tunnels = new Map(); // by stream number
const { Duplex } = require('stream');

class Tunnel extends Duplex {
  constructor({ host, port, tls, insecure }) {
    super({ allowHalfOpen: false });
    this.connecting = true;
    this.remoteAddress = host;
    this.remotePort = port;
    this.remoteFamily = 'IPv4';
    this.dialled = ask('dial', { host: String(host), port: Number(port), tls: !!tls, insecure: !!insecure }).then(({ head }) => {
      this.number = head.stream;
      this.connecting = false;
      if (this.destroyed) { tell('hangUp', { stream: this.number }); return; }
      tunnels.set(this.number, this);
      this.emit('connect');
      this.emit('ready');
      if (tls) this.emit('secureConnect');
    }, (e) => { this.destroy(Object.assign(e, { code: e.code || 'ECONNREFUSED' })); throw e; });
    this.dialled.catch(() => {});
  }
  _read() { if (this.taken) { this.taken({}); this.taken = undefined; } }
  // came accepts bytes; the parent sends more when it gets the answer.
  came(raw) {
    if (!raw.length) { // the end must be noticed even if nobody reads, so that a kept-alive connection is not reused
      this.push(null);
      this.read(0);
      return {};
    }
    return this.push(Buffer.from(raw)) ? {} : new Promise((taken) => { this.taken = taken; });
  }
  _write(chunk, _, done) { this.dialled.then(() => ask('data', { stream: this.number }, chunk)).then(() => done(), done); }
  _final(done) { this.dialled.then(() => ask('data', { stream: this.number, end: true })).then(() => done(), done); }
  _destroy(e, done) {
    if (this.number) { tunnels.delete(this.number); tell('hangUp', { stream: this.number }); }
    if (this.taken) this.taken({});
    done(e);
  }
  setTimeout(ms, fn) {
    real.clearTimeout(this.idle);
    if (ms > 0) { this.idle = real.setTimeout(() => this.emit('timeout'), ms); this.idle.unref(); }
    if (fn) this.once('timeout', fn);
    return this;
  }
  setNoDelay() { return this; }
  setKeepAlive() { return this; }
  ref() { return this; }
  unref() { return this; }
  address() { return {}; }
  destroySoon() { if (this.writable) this.end(); if (this.writableFinished) this.destroy(); else this.once('finish', () => this.destroy()); }
}

answers.data = ({ stream, why }, raw) => {
  const t = tunnels.get(stream);
  if (t && why) t.destroy(Object.assign(new Error(why), { code: 'ECONNRESET' }));
  return t && !why ? t.came(raw) : {};
};

// Heard is a connection on which the parent does TLS. The parent must read the requests
// where the policy tells paths apart.
class Heard extends Tunnel {
  constructor(o) {
    for (const name of ['ca', 'cert', 'key', 'pfx']) if (o[name]) throw new Error(`${name} can't be used where the policy tells paths of https apart`);
    super({ host: o.host, port: o.port, tls: true, insecure: o.rejectUnauthorized === false });
    this.encrypted = this.authorized = true;
  }
  getPeerCertificate() { return {}; }
  getProtocol() { return null; }
  getCipher() { return {}; }
  getSession() { return undefined; }
  isSessionReused() { return false; }
  setServername() {}
}

{
  const isolated = () => { throw Object.assign(new Error('nothing may listen in a script'), { code: 'EPERM' }); };
  const optionsOf = (args) => typeof args[0] === 'object' ? args[0] : { port: args[0], host: typeof args[1] === 'string' ? args[1] : 'localhost' };
  const connect = (...args) => {
    const o = optionsOf(args), done = args.find((a) => typeof a === 'function');
    if (o.path) throw Object.assign(new Error('a script connects to no sockets of files'), { code: 'EPERM' });
    const t = new Tunnel({ host: o.host || 'localhost', port: o.port });
    if (done) t.once('connect', done);
    return t;
  };
  net.connect = net.createConnection = connect;
  net.Server.prototype.listen = isolated;
  const http = require('http');
  http.Agent.prototype.createConnection = connect;
  // Asks the parent about each request, for its error text. Requests that bypass this
  // are refused at the other end of the tunnel.
  const add = http.Agent.prototype.addRequest;
  http.Agent.prototype.addRequest = function(request, options, ...rest) {
    try {
      askNow('request', { url: new URL(request.path, `${request.protocol}//${request.getHeader('host') || options.host}`).href });
    } catch (e) {
      request.onSocket(null, e);
      return;
    }
    return add.call(this, request, options, ...rest);
  };
  // Loading TLS takes a while, and few scripts need it.
  const tls = () => {
    const tls = require('tls'), start = tls.connect;
    if (start.tunnelled) return;
    tls.connect = (...args) => {
      const o = { ...optionsOf(args) }, done = args.find((a) => typeof a === 'function');
      if (!o.socket && askNow('hears', { host: String(o.host), port: Number(o.port) }).head.hears) {
        const heard = new Heard(o);
        if (done) heard.once('secureConnect', done);
        return heard;
      }
      if (!o.socket) o.socket = connect({ host: o.host, port: o.port });
      if (!o.servername && o.host && !net.isIP(o.host)) o.servername = o.host;
      const s = start(o, done);
      o.socket.on('error', (e) => s.destroy(e));
      o.socket.once('connect', () => s.emit('connect')); // Playwright waits for it where the host is a name
      return s;
    };
    tls.connect.tunnelled = true;
  };
  tls();
  const dns = require('dns');
  const found = (name, all) => all ? [{ address: name, family: 4 }] : { address: name, family: 4 };
  dns.promises.lookup = async (name, o) => found(name, o && o.all);
  dns.lookup = (name, o, done = o) => process.nextTick(() => o && o.all ? done(null, found(name, true)) : done(null, name, 4));
}
require('module').syncBuiltinESMExports();
