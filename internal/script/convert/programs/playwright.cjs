// node FILE [URL that relative addresses go from]
const { chromium } = require('playwright-core');
const assert = require('node:assert/strict');

// holds waits until a condition holds, as pwpipe's expect- tools do.
async function holds(what, condition) {
  for (const end = Date.now() + 5000; ; ) {
    if (await condition()) return;
    if (Date.now() > end) assert.fail(what);
    await new Promise((done) => setTimeout(done, 100));
  }
}
// choose selects by value, label or index.
async function choose(list, wanted, options) {
  const index = await list.evaluate((l, w) => [...l.options].some((o) => o.value === w || o.label === w) ? NaN : Number(w), wanted);
  await list.selectOption(Number.isInteger(index) ? { index } : wanted, options);
}
const flat = (s) => (s ?? '').replace(/\s+/g, ' ').trim();
// holdsLines tells whether a snapshot has the lines of another one, in their order.
const holdsLines = (snapshot, wanted) => {
  const lines = snapshot.split('\n').map(flat);
  return wanted.split('\n').map(flat).every((line) => { while (lines.length) if (lines.shift() === line) return true; });
};
const opened = [], answers = [];
// on does something on the page that opened as the nth.
async function on(n, act) {
  await holds('page p' + n + ' opens', () => opened.length >= n);
  await act(opened[n - 1]);
}

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.BROWSER || undefined });
  const context = await browser.newContext({ baseURL: process.argv[2] });
  context.on('page', (page) => opened.push(page));
  context.on('dialog', (dialog) => answers.length ? answers.shift()(dialog) : dialog.dismiss());
  const page = await context.newPage();
  try {
    STEP
  } finally {
    await browser.close();
  }
})().catch((error) => { console.error(error.message); process.exitCode = 1; });
