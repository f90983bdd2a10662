// Replaces ./pageTest in Playwright's page tests: collects the tests of a file,
// and runs one of them with the engine's page.
const given = __given;
export const expect = given.expect;

const root = { tests: [], use: {}, modifiers: [], before: [], after: [], parent: null, title: '' };
const tests = [];
let suite = root, running = null;

class Skip extends Error {}

// modify is test.skip, fixme and fail: for a declared test, the running test, or
// the suite.
function modify(kind) {
  return (...args) => {
    if (typeof args[0] === 'string' && typeof args[args.length - 1] === 'function')
      return declare(args[0], args[args.length - 1], kind);
    const [condition = true] = args;
    if (running) {
      if (!(typeof condition === 'function' ? condition(running.fixtures) : condition)) return;
      if (kind !== 'fail') throw new Skip();
      running.mayFail = true;
    } else {
      suite.modifiers.push({ kind, condition });
    }
  };
}

function declare(title, fn, kind) {
  const path = [];
  for (let s = suite; s; s = s.parent) if (s.title) path.unshift(s.title);
  tests.push({ title: [...path, title].join(' > '), fn, kind, suite });
}

export function test(title, details, fn) { declare(title, fn || details); }
function describe(title, fn) {
  if (typeof title === 'function') [title, fn] = ['', title];
  const outer = suite;
  suite = { use: {}, modifiers: [], before: [], after: [], parent: outer, title };
  fn();
  suite = outer;
}
const skipped = (title, fn) => {
  describe(title, () => { suite.modifiers.push({ kind: 'skip', condition: true }); fn(); });
};
Object.assign(describe, { configure() {}, serial: describe, parallel: describe, skip: skipped, fixme: skipped });
Object.assign(test, {
  describe, skip: modify('skip'), fixme: modify('fixme'), fail: modify('fail'), only: test, slow: (condition = true) => { if (running && condition) running.slow = true; }, setTimeout() {},
  step: Object.assign((title, fn) => fn(), { skip() {} }), use: (o) => Object.assign(suite.use, o), extend: () => test,
  beforeEach: (fn) => suite.before.push(fn), afterEach: (fn) => suite.after.push(fn), beforeAll: (fn) => suite.before.push(fn), afterAll() {},
  info: () => running.info,
});

export async function rafraf(target, count = 1) {
  for (let i = 0; i < count; i++)
    await target.evaluate(() => new Promise((f) => requestAnimationFrame(() => requestAnimationFrame(f))));
}
export function roundBox(box) {
  return Object.fromEntries(['x', 'y', 'width', 'height'].map((k) => [k, Math.round(box[k])]));
}

// names returns the fixtures that a function destructures.
function names(fn) {
  const m = /^\s*(?:async\s*)?(?:function\s*\w*\s*)?\(?\s*\{([^}]*)\}/.exec(String(fn));
  return m ? m[1].split(',').map((s) => s.split(/[:=]/)[0].trim()).filter((s) => s && !s.startsWith('...')) : [];
}

const path = (...parts) => parts.join('/');

async function fixtures(used) {
  const f = {
    browser: given.browser, browserName: 'chromium', browserVersion: given.version, browserMajorVersion: Number(given.version.split('.')[0]),
    isAndroid: false, isElectron: false, isWebView2: false, isHeadlessShell: true, electronMajorVersion: 0, headless: true, channel: undefined,
    mode: 'default', platform: 'linux', isLinux: true, isWindows: false, isMac: false, macVersion: 0, trace: 'off', video: 'off', screenshot: 'off',
    loopback: undefined, rewriteAndroidLoopbackURL: (u) => u, playwright: given.playwright, asset: (p) => path(given.root, 'tests/assets', p),
    page: null, context: null, server: given.servers.http, httpsServer: given.servers.https,
  };
  for (const name of used) if (!(name in f)) throw new Skip();
  return f;
}

const timeUp = 12000, slowUp = 25000; // of a test of ten seconds, and of one marked slow

async function runTest(t) {
  const suites = [];
  for (let s = t.suite; s; s = s.parent) suites.unshift(s);
  const all = [...suites.flatMap((s) => s.before), t.fn, ...suites.flatMap((s) => s.after)];
  const f = await fixtures(all.flatMap(names));
  const info = {
    title: t.title, annotations: [], errors: [], retry: 0, repeatEachIndex: 0, workerIndex: 0, parallelIndex: 0, project: { name: 'page', use: {} },
    config: {}, attach: async () => {}, setTimeout() {}, slow() {}, timeout: timeUp, skip: test.skip, fixme: test.fixme, fail: test.fail,
    outputPath: (...p) => path(given.folder, 'out', ...p),
  };
  running = { fixtures: f, info, mayFail: t.kind === 'fail' };
  if (t.kind === 'skip' || t.kind === 'fixme') throw new Skip();
  for (const m of suites.flatMap((s) => s.modifiers)) test[m.kind](m.condition);
  for (const s of Object.values(given.servers)) s.reset();
  f.context = await given.browser.newContext(Object.assign({}, ...suites.map((s) => s.use)));
  let late;
  try {
    f.page = await f.context.newPage();
    const run = async () => { for (const fn of all) await fn(f, info); };
    const doing = run();
    const end = new Promise((_, no) => { late = setTimeout(() => no(new Error('the test took too long')), running.slow ? slowUp : timeUp); });
    await Promise.race([doing, end]);
  } finally {
    clearTimeout(late);
    given.servers.http.stop();
    await Promise.race([f.context.close().catch(() => {}), new Promise((ok) => setTimeout(ok, 3000))]);
  }
}

given.titles = () => tests.map((t) => t.title);
given.run = async (index) => {
  try {
    await runTest(tests[index]);
    return running.mayFail ? { status: 'failed', error: 'it was expected to fail' } : { status: 'passed' };
  } catch (e) {
    if (e instanceof Skip) return { status: 'skipped' };
    if (running && running.mayFail) return { status: 'passed' };
    return { status: 'failed', error: String(given.stacks && e.stack || e.message || e).slice(0, 1000) };
  }
};
