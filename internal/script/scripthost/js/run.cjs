// --- Runs: one at a time.

let current;
const rejected = new Map(); // promises that nobody has caught yet
process.on('unhandledRejection', (e, p) => {
  rejected.set(p, e);
  const route = failedBy.get(e);
  if (route && route._handlingPromise) route.abort().catch(() => {});
});
process.on('rejectionHandled', (p) => rejected.delete(p));
process.on('uncaughtException', failed);

const slack = 150; // what waits for the page ends so much before the script has to

answers.run = async ({ page: target, id, left, viewport, contexts: more = [] }, raw) => {
  const until = Date.now() + left;
  const run = { id, until, seconds: Math.round(left / 1000), left: () => Math.max(1, until - slack - Date.now()) };
  const stopping = new Promise((stop) => { run.stop = stop; });
  current = run;
  images = [];
  outlines = [];
  printed.bytes = 0;
  rejected.clear();
  const outcome = await Promise.race([runs.run(run, () => attempt(run, { target, viewport, more }, raw.toString())), stopping]);
  run.ended = true;
  endTimers();
  if (run.stopped || run.late) return { head: { stopped: true, late: run.late } };
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

async function attempt(run, { target, viewport, more }, code) {
  let line = (n) => n;
  try {
    if (!browser || !browser.isConnected()) await connect();
    const page = at = await pageOf(target, run.left()).catch((e) => { run.late = run.left() <= 1; throw e; });
    await Promise.all(more.map((id) => contextOf(server, id).catch(() => {})));
    await meet(Math.min(run.left(), 3000));
    if (viewport) {
      const size = { width: viewport.width, height: viewport.height };
      serverOf(page)._emulatedSize = { viewport: size, screen: size };
      page._viewportSize = size;
    }
    const mine = Object.create(scope, Object.getOwnPropertyDescriptors({ page, context: page.context(), browser, $: (ref) => page.locator(String(ref)) }));
    const compiled = await compile(names, code);
    line = compiled.line;
    if (run.stopped) return {};
    const values = names.map((name) => name === 'expect' && !/\bexpect\b/.test(code) ? undefined : mine[name]), [start, stateNow] = compiled.start(...values);
    let value;
    try {
      const last = await start();
      restore();
      value = called(last, compiled.text, Object.fromEntries(names.map((n, i) => [n, values[i]])));
      value = await value;
    } finally {
      const s = stateNow();
      if (s !== null && typeof s === 'object') scope.state = s;
    }
    const p = plain(value);
    for (const outline of outlines) if (p !== outline) print('log', outline);
    return { value: p === undefined ? undefined : JSON.stringify(p) };
  } catch (e) {
    if (e?.name === 'TimeoutError' && run.left() <= 1) overrun(e, run);
    return { thrown: e, line };
  }
}

// overrun says that it is the script's own time that is over: what it waited for in the end had
// what was left of that.
function overrun(e, run) {
  const met = `the script met its limit of ${run.seconds} s (timeout, in seconds, gives more) while it waited here`;
  e.message = String(e.message).replace(/Timeout \d+(\.\d+)?ms exceeded/, met);
}

// A script that is one function, as other tools take them, is called: with the
// page, or with all there is where it takes members apart.
function called(v, code, own) {
  const text = typeof v === 'function' && Function.prototype.toString.call(v);
  return !text || !code.includes(text) ? v : v(/^(async\s*)?(function[\s\w$]*)?\(\s*\{/.test(text) ? own : own.page);
}

// worded is what was thrown, for the parent.
function worded(e, line = (n) => n) {
  const head = { thrown: true, name: '', message: '' };
  try {
    if (e !== null && typeof e === 'object') {
      head.name = String(e.name ?? '');
      head.message = String(e.message ?? '').replace(/\n=+ logs =+\n[^]*$/, '').replace(/\n    at (eval|UtilityScript)\b[^]*$/, '') || show(e);
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

// A thread of its own stops what does not stop by itself: it waits for the number
// of a run, 0 for none but those that were stopped. What it has this thread evaluate, in the middle of whatever that is at,
// ends what runs here if it is that run's still, or is left of one that is over, and
// no code of ours that must come to its end; nothing is left for what runs next.
// V8 ends what it comes to next, not only what is there: so only where a script's own
// function is at work, or, after a while, one that it called. Where nothing is at work
// but Node, a message may be about to be read: then the run is over as it is when the
// parent says so.
let stopper;
const { captureStackTrace } = Error, patient = 20;
const files = () => { // of the functions at work, the innermost first, undefined for those of no file
  const o = {}, { stackTraceLimit, prepareStackTrace } = Error;
  Object.assign(Error, { stackTraceLimit: 100, prepareStackTrace: (_, frames) => {
    const list = [];
    for (let i = 1; i < frames.length; i++) list[i - 1] = frames[i].getFileName() || undefined; // the first is this call's
    return list;
  } });
  captureStackTrace(o, $stop);
  const list = o.stack;
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return list;
};
const named = (list) => { for (let i = 0; i < list.length; i++) if (list[i] !== undefined) return list[i]; };
Object.defineProperty(globalThis, '$stop', { value: (id) => {
  const run = runs.getStore(), asked = !!current && current.id === id, over = !!run && (run.stopped || !!id && run.ended), at = files();
  if (atWork || !asked && !over) return;
  if (!at.some((file) => !file?.startsWith('node:'))) return asked ? void answers.stop({ run: id }) : undefined;
  const of = asked ? current : run;
  of.tries = (of.tries || 0) + 1;
  const innermost = named(at);
  if (innermost !== undefined && innermost !== scriptFile && (of.tries <= patient || !at.includes(scriptFile))) return;
  if (!stopper) (stopper = new (require('inspector').Session)()).connect();
  stopper.post('Runtime.terminateExecution');
} });
function watch() {
  const { Worker } = require('worker_threads');
  const w = new Worker(`const fs = require('fs'), { Session } = require('inspector'), s = new Session(), b = Buffer.alloc(17);
s.connectToMainThread();
while (fs.readSync(9, b) > 0) s.post('Runtime.evaluate', { expression: '$stop(' + Number(b) + ')' });`, { eval: true, stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 } });
  w.unref();
  w.on('error', () => {});
}

async function main() {
  for (const name of ['ref', 'names']) await playwright.selectors.register(name, { content: settings.engines[name] }, { contentScript: true });
  tell('ready', {});
  watch();
  await connect();
}
main().catch((e) => tell('failed', { why: String(e && e.stack || e) }));
