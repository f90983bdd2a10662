'use strict';
// Attacks of hostile JavaScript in a sandbox. Each attempt returns if it succeeds,
// and throws if it is refused. Run by plain Node, the control, all of them return;
// `p` is what the test prepared for them.
const fs = require('fs'), path = require('path'), net = require('net'), dgram = require('dgram');
const cp = require('child_process'), os = require('os'), http = require('http'), dns = require('dns');
const { Worker } = require('worker_threads');
const p = JSON.parse(process.argv[2]);

const scratch = name => path.join(p.scratch, name);
const outside = name => path.join(p.outside, name);
const connected = options => new Promise((ok, no) => {
  const s = net.connect(options, () => ok(s.destroy()));
  s.on('error', no);
});
const listening = (server, ...at) => new Promise((ok, no) => {
  server.on('error', no);
  server.listen(...at, () => ok(server.close()));
});
const exited = child => new Promise((ok, no) => {
  child.on('error', no);
  child.on('exit', ok);
});

const attempts = {
  // Reading
  'read /etc/passwd': () => fs.readFileSync('/etc/passwd'),
  'read a secret': () => fs.readFileSync(p.secret),
  'read a secret by a relative path': () => fs.readFileSync(path.relative(process.cwd(), p.secret)),
  'read through a link that was there': () => fs.readFileSync(scratch('link')),
  'read through /proc/self/root': () => fs.readFileSync('/proc/self/root' + p.secret),
  'read through /proc/self/cwd': () => fs.readFileSync('/proc/self/cwd/' + path.relative(process.cwd(), p.secret)),
  'read later, asynchronously': () => fs.promises.readFile(p.secret),
  'stream a secret': () => new Promise((ok, no) => fs.createReadStream(p.secret).on('data', ok).on('error', no)),
  'own environment in /proc': () => fs.readFileSync('/proc/self/environ'),
  'the first process': () => fs.readFileSync('/proc/1/status'),
  'our environment': () => fs.readFileSync(`/proc/${p.parent}/environ`),
  'our memory': () => fs.openSync(`/proc/${p.parent}/mem`, 'r+'),
  'our maps': () => fs.readFileSync(`/proc/${p.parent}/maps`),
  'our descriptors': () => fs.readFileSync(`/proc/${p.parent}/fd/${p.fd}`),
  'our command line': () => fs.readFileSync(`/proc/${p.parent}/cmdline`),
  'require what is outside': () => { delete require.cache[p.module]; return require(p.module); },
  'import what is outside': () => import('file://' + p.module),
  'list /': () => fs.readdirSync('/'),
  'list /proc': () => fs.readdirSync('/proc'),
  'list home': () => fs.readdirSync(p.home),
  'list where the scratch folder is': () => fs.readdirSync(path.dirname(p.scratch)),
  'open a folder': () => fs.opendirSync('/tmp').closeSync(),
  // Writing
  'write outside': () => fs.writeFileSync(outside('new'), 'x'),
  'write what may be read': () => fs.appendFileSync(p.readable, 'x'),
  'cut what may be read': () => fs.closeSync(fs.openSync(p.readable, fs.constants.O_RDONLY | fs.constants.O_TRUNC)),
  'truncate what may be read': () => fs.truncateSync(p.readable, 0),
  'change rights': () => fs.chmodSync(p.readable, 0o777),
  'change rights of what is open': () => fs.fchmodSync(fs.openSync(p.readable, 'r'), 0o777),
  'change the owner': () => fs.chownSync(p.readable, process.getuid(), process.getgid()),
  'change times': () => fs.utimesSync(p.readable, 1, 1),
  'remove what may be read': () => fs.unlinkSync(p.removable),
  'move what may be read': () => fs.renameSync(p.movable, scratch('moved')),
  'move out of scratch': () => { fs.writeFileSync(scratch('mine'), 'x'); fs.renameSync(scratch('mine'), outside('mine')); },
  'copy out of scratch': () => { fs.writeFileSync(scratch('mine'), 'x'); fs.copyFileSync(scratch('mine'), outside('copy')); },
  'link out of scratch': () => { fs.writeFileSync(scratch('mine'), 'x'); fs.linkSync(scratch('mine'), outside('hard')); },
  'link into scratch': () => fs.linkSync(p.secret, scratch('hard')),
  'symbolic link': () => fs.symlinkSync(p.secret, scratch('soft')),
  'make a folder outside': () => fs.mkdirSync(outside('folder')),
  'remove a folder outside': () => fs.rmdirSync(p.folder),
  'a file that is too large': () => fs.ftruncateSync(fs.openSync(scratch('large'), 'w'), 65 * 2 ** 20),
  'watch a folder': () => fs.watch(p.outside).close(),
  // The network
  'connect by TCP': () => connected({ host: '127.0.0.1', port: p.tcp }),
  'connect by IPv6': () => connected({ host: '::1', port: p.tcp6 }),
  'connect to a Unix socket': () => connected({ path: p.unix }),
  'connect to an abstract socket': () => connected({ path: '\0' + p.abstract }),
  'listen by TCP': () => listening(net.createServer(), 0, '127.0.0.1'),
  'listen by TCP anywhere': () => listening(net.createServer(), 0),
  'listen on a Unix socket': () => listening(net.createServer(), scratch('socket')),
  'send by UDP': () => new Promise((ok, no) => {
    const s = dgram.createSocket('udp4', () => {});
    s.on('error', no);
    s.send('x', p.udp, '127.0.0.1', e => { s.close(); e ? no(e) : ok(); });
  }),
  'http': () => new Promise((ok, no) => http.get(p.url, r => ok(r.resume())).on('error', no)),
  'fetch': () => fetch(p.url),
  'look a name up': () => dns.promises.lookup('localhost', { hints: dns.ADDRCONFIG }),
  'ask a name server': () => {
    const r = new dns.promises.Resolver({ timeout: 500, tries: 1 });
    r.setServers(['127.0.0.1:' + p.udp]);
    return r.resolve4('example.com');
  },
  'the inspector\'s port': () => { const i = require('inspector'); i.open(0); if (!i.url()) throw Object.assign(new Error('no port'), { code: 'EPERM' }); i.close(); },
  'network interfaces': () => os.networkInterfaces(),
  // Processes
  'spawn': () => exited(cp.spawn('/bin/true')),
  'spawn Node': () => exited(cp.spawn(process.execPath, ['-e', '0'])),
  'spawn and wait': () => { const r = cp.spawnSync('/bin/true'); if (r.error) throw r.error; },
  'a shell': () => new Promise((ok, no) => cp.exec('true', e => e ? no(e) : ok())),
  'a shell, and wait': () => cp.execSync('true', { stdio: 'pipe' }),
  'fork': () => exited(cp.fork(p.module, { stdio: 'ignore' })),
  'cluster': () => new Promise((ok, no) => {
    const c = require('cluster');
    c.setupPrimary({ exec: p.module });
    const w = c.fork();
    w.on('error', no);
    w.on('online', () => ok(w.process.kill()));
  }),
  'signal us': () => process.kill(p.parent, 0),
  'signal all': () => process.kill(-1, 0),
  'signal a group': () => process.kill(-p.parentGroup, 0),
  'end a stranger': () => process.kill(p.victim, 'SIGTERM'),
  'slow a stranger down': () => os.setPriority(p.stranger, 10),
  'load native code': () => process.dlopen({ exports: {} }, p.library),
  'another user': () => process.setuid(p.uid),
  'another group': () => process.setgid(p.gid),
  'groups': () => process.setgroups([]),
  // From another thread
  'a worker reads': () => new Promise((ok, no) => new Worker('require("fs").readFileSync(require("worker_threads").workerData)',
    { eval: true, workerData: p.secret }).on('error', no).on('exit', ok)),
  'a worker spawns': () => new Promise((ok, no) => new Worker('const r = require("child_process").spawnSync("/bin/true"); if (r.error) throw r.error',
    { eval: true }).on('error', no).on('exit', ok)),
  'a worker connects': () => new Promise((ok, no) => new Worker(`require("net").connect(${p.tcp}, "127.0.0.1", function () { this.destroy() })`,
    { eval: true }).on('error', no).on('exit', ok)),
};

(async () => {
  const results = {};
  for (const [name, f] of Object.entries(attempts)) {
    let late;
    const tooLate = new Promise((_, no) => { late = setTimeout(() => no(Object.assign(new Error('late'), { code: 'LATE' })), 5000); });
    results[name] = await Promise.race([(async () => f())(), tooLate]).then(() => 'done', e => String(e.code || e.cause?.code || e.message));
    clearTimeout(late);
  }
  fs.writeSync(1, JSON.stringify(results) + '\n');
  process.exit(0);
})();
