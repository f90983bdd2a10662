// --- Runs: one at a time.

let current;
const rejected = new Map(); // promises that nobody has caught yet
process.on('unhandledRejection', (e, p) => rejected.set(p, e));
process.on('rejectionHandled', (p) => rejected.delete(p));
process.on('uncaughtException', failed);

const slack = 150; // what waits for the page ends so much before the script has to

answers.run = async ({ page: target, id, left, viewport }, raw) => {
  const until = Date.now() + left;
  const run = { id, left: () => Math.max(1, until - slack - Date.now()) };
  const stopping = new Promise((stop) => { run.stop = stop; });
  current = run;
  images = [];
  printed.bytes = 0;
  rejected.clear();
  const outcome = await Promise.race([runs.run(run, () => attempt(run, target, viewport, raw.toString())), stopping]);
  run.ended = true;
  endTimers();
  if (run.stopped) return { head: { stopped: true } };
  await new Promise((next) => real.setImmediate(next)); // for what was rejected and not caught
  for (const e of rejected.values()) if (e !== outcome.thrown) print('error', 'nobody awaited this: ' + inWords(e));
  rejected.clear();
  current = undefined;
  if ('thrown' in outcome) return { head: worded(outcome.thrown, outcome.line) };
  const value = outcome.value === undefined ? Buffer.alloc(0) : Buffer.from(outcome.value);
  return { head: { value: value.length, images: images.map((b) => b.length) }, raw: Buffer.concat([value, ...images]) };
};

answers.stop = ({ run: id }) => {
  if (!current || current.id !== id) return {};
  current.stopped = true;
  current.stop({});
  current = undefined;
  return {};
};

async function attempt(run, target, viewport, code) {
  let line = (n) => n;
  try {
    if (!browser || !browser.isConnected()) await connect();
    const page = at = await pageOf(target, run.left());
    if (viewport) {
      const size = { width: viewport.width, height: viewport.height };
      serverOf(page)._emulatedSize = { viewport: size, screen: size };
      page._viewportSize = size;
    }
    const mine = Object.create(scope, Object.getOwnPropertyDescriptors({ page, context: page.context(), browser, $: (ref) => page.locator(String(ref)) }));
    const compiled = await compile(names, code);
    line = compiled.line;
    const values = names.map((name) => name === 'expect' && !/\bexpect\b/.test(code) ? undefined : mine[name]), [start, stateNow] = compiled.start(...values);
    let value;
    try {
      value = called(await start(), Object.fromEntries(names.map((n, i) => [n, values[i]])));
      value = await value;
    } finally {
      const s = stateNow();
      if (s !== null && typeof s === 'object') scope.state = s;
    }
    const p = plain(value);
    return { value: p === undefined ? undefined : JSON.stringify(p) };
  } catch (e) {
    return { thrown: e, line };
  }
}

// A script that is one function, as other tools take them, is called: with the
// page, or with all there is where it takes members apart.
function called(v, own) {
  const text = typeof v === 'function' ? Function.prototype.toString.call(v) : '[native code]';
  return text.includes('[native code]') ? v : v(/^(async\s*)?(function[\s\w$]*)?\(\s*\{/.test(text) ? own : own.page);
}

// worded is what was thrown, for the parent.
function worded(e, line = (n) => n) {
  const head = { thrown: true, name: '', message: '' };
  try {
    if (e !== null && typeof e === 'object') {
      head.name = String(e.name ?? '');
      head.message = String(e.message ?? '') || show(e);
      if (reasons.has(e)) head.message = head.message.replace(/\.?(\nCall log:[^]*)?$/, '') + ': ' + reasons.get(e);
      const frame = new RegExp(`^\\s+at .*?${scriptFile}:(\\d+)`, 'm').exec(String(e.stack || ''));
      if (frame && !e.syntax) head.line = line(Number(frame[1]));
    } else head.message = e === undefined ? 'undefined was thrown' : String(e);
  } catch { head.message ||= 'a value was thrown that can\'t be put in words'; }
  return head;
}

const names = ['page', 'context', 'browser', 'state', '$', 'console', 'expect', 'require', 'fetch', 'crypto', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate',
  'clearImmediate', 'process', '$import', 'accessibilitySnapshot', 'screenshotWithAccessibilityLabels', 'showAriaRefLabels', 'hideAriaRefLabels', 'getCleanHTML', 'waitForPageLoad',
  'getLatestLogs', 'getCDPSession', 'createDebugger', 'createEditor', 'getStylesForLocator', 'formatStylesAsText', 'getReactSource'];

// A thread of its own stops what does not stop by itself: it waits for a byte.
function watch() {
  const { Worker } = require('worker_threads');
  const w = new Worker(`const fs = require('fs'), { Session } = require('inspector'), s = new Session(), b = Buffer.alloc(1);
s.connectToMainThread();
while (fs.readSync(9, b) > 0) s.post('Runtime.terminateExecution');`, { eval: true, stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 } });
  w.unref();
  w.on('error', () => {});
}

async function main() {
  await playwright.selectors.register('ref', { content: settings.engines.ref }, { contentScript: true });
  await playwright.selectors.register('names', { content: settings.engines.names }, { contentScript: true });
  for (const [file, known] of cached) ofTest(file) ? Object.assign(known, { source: Buffer.from(known.source), code: Buffer.from(known.code) }) : cached.delete(file); // the rest is loaded as ever
  tell('ready', {});
  watch();
  await connect();
}
if (settings.build) {
  expectation();
  writeCache();
  process.reallyExit(0);
}
main().catch((e) => { tell('failed', { why: String(e && e.stack || e) }); });
