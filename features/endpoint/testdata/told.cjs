// A client that runs lines of JavaScript from stdin. argv: the endpoint and its
// module's folder, Playwright's or Puppeteer's.
const [, , endpoint, library] = process.argv;
const module_ = require(library);

async function main() {
  const state = {}, fs = require('fs');
  const browser = module_.chromium ? await module_.chromium.connectOverCDP(endpoint) : await module_.connect({ browserWSEndpoint: endpoint, defaultViewport: null });
  const [context] = module_.chromium ? browser.contexts() : browser.browserContexts();
  const [page] = await context.pages();
  for await (const line of require('readline').createInterface({ input: process.stdin })) {
    const does = eval(`async () => { ${JSON.parse(line)} }`);
    console.log(JSON.stringify(await does().then((value) => ({ value }), (e) => ({ error: String(e.message) }))));
  }
  process.exit(0);
}
main().catch((e) => { console.error(e); process.exit(1); });
