// --- Runs: one at a time.

let current;
const rejected = new Map(); // rejected promises without a handler
process.on('unhandledRejection', (e, p) => {
  rejected.set(p, e);
  const route = failedBy.get(e);
  if (route && route._handlingPromise) route.abort().catch(() => {});
});
process.on('rejectionHandled', (p) => rejected.delete(p));
process.on('uncaughtException', failed);

const slack = 150; // waits on the page end this much before the script

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
  await new Promise((next) => real.setImmediate(next)); // lets unhandled rejections arrive
  for (const e of rejected.values()) if (e !== outcome.thrown) print('error', 'nobody awaited this: ' + inWords(e));
  rejected.clear();
  current = undefined;
  if ('thrown' in outcome) return { head: worded(outcome.thrown, outcome.line) };
  const value = outcome.value === undefined ? Buffer.alloc(0) : Buffer.from(outcome.value);
  return { head: { value: value.length, images: images.map((b) => b.length), went: run.went, clicked: !!run.clicked }, raw: Buffer.concat([value, ...images]) };
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

// overrun names the script's own limit in an error: the last wait had only what was left of
// it.
function overrun(e, run) {
  const met = `the script met its limit of ${run.seconds} s (timeout, in seconds, gives more) while it waited here`;
  e.message = String(e.message).replace(/Timeout \d+(\.\d+)?ms exceeded/, met);
}

// A script that is one function, as other tools take it, is called: with the page, or with the
// whole scope if it destructures its argument.
function called(v, code, own) {
  const text = typeof v === 'function' && Function.prototype.toString.call(v);
  return !text || !code.includes(text) ? v : v(/^(async\s*)?(function[\s\w$]*)?\(\s*\{/.test(text) ? own : own.page);
}

// worded converts a thrown value for the parent.
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

// A second thread stops code that does not stop by itself. It reads ids of runs, 0 for only
// those that were already stopped, and evaluates $stop in this thread in the middle of
// whatever runs. $stop terminates code of that run, or left over from an ended one, but never
// code of ours that must complete (atWork), and nothing of the next run. V8 terminates at the
// next check, not at once. So $stop acts only while the script's own function is on top, or,
// after some tries, a function that it called. If only Node's code is on the stack, a message
// may be about to be read. Then the run ends as if the parent had called stop.
let stopper;
const { captureStackTrace } = Error, patient = 20;
const files = () => { // files of the functions on the stack, innermost first; undefined for functions without a file
  const o = {}, { stackTraceLimit, prepareStackTrace } = Error;
  Object.assign(Error, { stackTraceLimit: 100, prepareStackTrace: (_, frames) => {
    const list = [];
    for (let i = 1; i < frames.length; i++) list[i - 1] = frames[i].getFileName() || undefined; // the first frame is this call
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
