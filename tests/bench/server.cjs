// The tool server that people write themselves: one line in, one line out,
// Playwright in the same process. CHROME is the browser's path.
const readline = require('readline');
const { chromium } = require('playwright-core');

async function main() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROME,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const context = await browser.newContext();
  const page = await context.newPage();
  const tools = {
    nav: p => page.goto(p.url).then(() => null),
    fill: p => page.fill(p.sel, p.val),
    click: p => page.click(p.sel),
    txt: p => page.textContent(p.sel),
    vis: p => page.isVisible(p.sel),
    eval: p => page.evaluate(p.code),
    title: () => page.title(),
    execute: p => new (async () => {}).constructor('page', 'context', p.code)(page, context),
    shot: p => page.screenshot({ path: p.path }).then(() => p.path),
  };
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    let reply;
    try {
      reply = { id, result: (await tools[method](params)) ?? null };
    } catch (e) {
      reply = { id, error: String(e) };
    }
    process.stdout.write(JSON.stringify(reply) + '\n');
  }
  await browser.close();
}
main();
