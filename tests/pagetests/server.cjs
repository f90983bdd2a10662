'use strict';
// The test server: serves tests/assets and what scripts command. Takes commands
// from files in one folder and reports requests in another (see given.js).
const fs = require('fs'), path = require('path'), http = require('http'), https = require('https'), zlib = require('zlib');
const [core, root, folder] = process.argv.slice(2);
const { mime } = require(path.join(core, 'lib/utilsBundle.js'));
const assets = path.join(root, 'tests/assets');
const fresh = () => ({ routes: new Set(), waited: new Set(), redirects: new Map(), auths: new Map(), csp: new Map(), headers: new Map(), gzip: new Set() });
const states = { http: fresh(), https: fresh() };
const servers = {};
const answers = new Map();
let count = 0;

const commands = {
  reset(c) { states[c.server] = fresh(); answers.clear(); servers[c.server].closeAllConnections(); },
  route(c, s) { s.routes.add(c.path); },
  redirect(c, s) { s.redirects.set(c.path, c.to); },
  auth(c, s) { s.auths.set(c.path, `${c.user}:${c.password}`); },
  csp(c, s) { s.csp.set(c.path, c.value); },
  headers(c, s) { s.headers.set(c.path, c.value); },
  gzip(c, s) { s.gzip.add(c.path); },
  wait(c, s) { s.waited.add(c.path); },
  answer(c) {
    const a = answers.get(c.id);
    if (!a) return;
    const data = () => c.args[0] === null ? undefined : Buffer.from(c.args[0], 'base64');
    if (c.op === 'destroy') a.req.socket.destroy();
    else if (c.op === 'write') a.res.write(data());
    else if (c.op === 'end') a.res.end(data());
    else if (c.op === 'serve') serve(a.state, a.req, a.res, c.args[0]);
    else if (c.op.startsWith('status')) a.res[c.op] = c.args[0];
    else a.res[c.op](...c.args);
  },
};

function obey() {
  for (const name of fs.readdirSync(folder + '/commands').sort()) {
    const file = `${folder}/commands/${name}`;
    let c;
    try { c = JSON.parse(fs.readFileSync(file, 'utf8')); } catch { return; } // still being written
    fs.unlinkSync(file);
    try { commands[c.do](c, states[c.server]); } catch (e) { console.error(c, e.message); }
  }
}

function tell(e) {
  const name = String(count++).padStart(10, '0');
  fs.writeFileSync(`${folder}/${name}`, JSON.stringify(e));
  fs.renameSync(`${folder}/${name}`, `${folder}/events/${name}`);
}

function serve(state, req, res, file) {
  const name = req.url.split('#')[0];
  file ||= path.join(assets, name === '/' ? 'index.html' : name.slice(1));
  res.setHeader('Cache-Control', file.startsWith(path.join(assets, 'cached')) ? 'public, max-age=31536000, no-cache' : 'no-cache, no-store');
  if (file.startsWith(path.join(assets, 'cached'))) {
    if (req.headers['if-modified-since']) return void res.writeHead(304).end();
    res.setHeader('Last-Modified', new Date(0).toISOString());
  }
  if (state.csp.has(name)) res.setHeader('Content-Security-Policy', state.csp.get(name));
  for (const [k, v] of Object.entries(state.headers.get(name) || {})) res.setHeader(k, v);
  let body;
  try {
    body = fs.readFileSync(file);
  } catch {
    res.writeHead(404, { 'Content-Type': 'text/plain' });
    return void res.end(req.method === 'HEAD' ? undefined : `File not found: ${file}`);
  }
  const type = mime.getType(file.slice(file.lastIndexOf('.') + 1)) || 'application/octet-stream';
  res.setHeader('Content-Type', /^text\/|^application\/(javascript|json)/.test(type) ? type + '; charset=utf-8' : type);
  if (state.gzip.has(name)) {
    res.setHeader('Content-Encoding', 'gzip');
    body = zlib.gzipSync(body);
  }
  res.end(req.method === 'HEAD' ? undefined : body);
}

function handle(server) {
  return (req, res) => {
    const chunks = [];
    req.on('error', () => {}).on('data', (c) => chunks.push(c)).on('end', () => {
      obey();
      const state = states[server], name = req.url;
      const password = Buffer.from((req.headers.authorization || '').split(' ')[1] || '', 'base64').toString();
      if (state.auths.has(name) && state.auths.get(name) !== password) {
        res.writeHead(401, { 'WWW-Authenticate': 'Basic realm="Secure Area"' });
        return void res.end('HTTP Error 401 Unauthorized: Access is denied');
      }
      const waited = state.waited.delete(name), routed = state.routes.has(name), id = count;
      if (waited || routed) {
        answers.set(id, { req, res, state });
        tell({ id, server, path: name, waited, routed, method: req.method, url: req.url, headers: req.headers, rawHeaders: req.rawHeaders,
          httpVersion: req.httpVersion, body: Buffer.concat(chunks).toString('base64') });
      }
      if (routed) return;
      if (state.redirects.has(name)) return void res.writeHead(302, { ...state.headers.get(name), location: state.redirects.get(name) }).end();
      serve(state, req, res);
    });
  };
}

const keys = path.join(root, 'tests/config/testserver');
servers.http = http.createServer(handle('http'));
servers.https = https.createServer({ key: fs.readFileSync(path.join(keys, 'key.pem')), cert: fs.readFileSync(path.join(keys, 'cert.pem')), passphrase: 'aaaa' }, handle('https'));
for (const s of Object.values(servers)) s.on('connection', (c) => c.on('error', () => {}));
servers.http.listen(0, () => servers.https.listen(0, () => console.log(JSON.stringify([servers.http.address().port, servers.https.address().port]))));
setInterval(obey, 3);
process.stdin.on('end', () => process.exit()).resume();
