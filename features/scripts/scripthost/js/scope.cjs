// --- The scope of scripts.

const failed = (e) => print('error', 'a callback failed: ' + inWords(e));
const timers = new Map();
const timer = (start, stop) => (fn, ms, ...args) => {
  const run = runs.getStore();
  if (run && run.stopped) return undefined;
  const t = start(() => {
    if (stop !== real.clearInterval) timers.delete(t);
    if (!run || !run.stopped) Promise.resolve().then(() => fn(...args)).catch(failed); // a promise, since code in the timer's own frame can't be stopped
  }, ms);
  timers.set(t, stop);
  return t;
};
const endTimer = (t) => { if (timers.has(t)) { timers.get(t)(t); timers.delete(t); } };
const endTimers = () => { for (const t of [...timers.keys()]) endTimer(t); };

const scope = {
  state: {},
  console: scriptConsole,
  setTimeout: timer(real.setTimeout, real.clearTimeout),
  setInterval: timer(real.setInterval, real.clearInterval),
  setImmediate: (fn, ...args) => timer((f) => real.setImmediate(f), real.clearImmediate)(fn, 0, ...args),
  clearTimeout: endTimer, clearInterval: endTimer, clearImmediate: endTimer,
  process: Object.freeze({ env: Object.freeze({}), platform: process.platform, arch: process.arch, argv: Object.freeze([]), cwd: () => settings.cwd, version: process.version,
    versions: Object.freeze({ ...process.versions }), hrtime: Object.freeze({ bigint: real.hrtime }), nextTick: (fn, ...args) => process.nextTick(fn, ...args), uptime: process.uptime, memoryUsage: process.memoryUsage }),
};

// --- Modules.

const modules = ['assert', 'assert/strict', 'async_hooks', 'buffer', 'crypto', 'events', 'fs', 'fs/promises', 'http', 'https', 'os', 'path', 'path/posix', 'perf_hooks', 'querystring', 'stream',
  'stream/promises', 'stream/web', 'string_decoder', 'timers/promises', 'url', 'util', 'util/types', 'zlib'];
const moduleNamed = (id) => {
  const name = String(id).replace(/^node:/, '');
  if (!modules.includes(name)) throw new Error(`Module "${id}" is not allowed in a script; there are ${modules.join(', ')}`);
  return name;
};
scope.require = (id) => {
  if (/^(@playwright\/test|playwright(-core|\/test)?)$/.test(id)) return Object.assign(Object.create(playwright), { expect: scope.expect, playwright });
  const name = moduleNamed(id);
  return name === 'os' ? { ...os, tmpdir: () => settings.tmp, homedir: () => settings.cwd } : require('node:' + name);
};
// An imported module is also its own default export.
const all = (id) => { const m = scope.require(id); return { ...m, default: m }; };
scope.$import = Object.assign(async (id) => all(id), { all });
Object.defineProperty(scope, 'crypto', { get: () => require('crypto'), enumerable: true });
Object.defineProperty(scope, 'expect', { get: () => expectation(), enumerable: true });

// --- The run's page, and fetch through its context: with its cookies and
// policy.

let at; // the page of the run
scope.fetch = async (url, options = {}) => {
  const page = at, given = String(url.url || url);
  // On an empty page, the context's base URL applies if it has one.
  const target = /^https?:/.test(page.url()) ? new URL(given, page.url()).href : given;
  const request = new Request(/^https?:/.test(target) ? target : 'http://base.invalid/', url instanceof Request && !options.method ? url : options);
  const o = { method: request.method, headers: Object.fromEntries(request.headers) };
  if (request.body) o.data = Buffer.from(await request.arrayBuffer());
  if (o.data && !request.headers.has('content-type')) o.headers['content-type'] = 'application/octet-stream'; // otherwise Playwright would add a type of its own
  if (options.redirect === 'manual') o.maxRedirects = 0;
  const signal = options.signal;
  const aborted = signal && new Promise((_, no) => {
    if (signal.aborted) no(signal.reason);
    signal.addEventListener('abort', () => no(signal.reason));
  });
  const answer = async () => {
    const r = await page.context().request.fetch(target, o);
    const empty = [101, 204, 205, 304].includes(r.status());
    const response = new Response(empty ? null : await r.body(), { status: r.status(), statusText: r.statusText(), headers: r.headersArray().map((h) => [h.name, h.value.replace(/\n/g, ', ')]) });
    return Object.defineProperties(response, { url: { value: r.url() }, redirected: { value: r.url() !== target && /^https?:/.test(target) } });
  };
  return aborted ? Promise.race([aborted, answer()]) : answer();
};
