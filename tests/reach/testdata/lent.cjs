// A client in lent tabs, with its own Playwright or Puppeteer. argv: the endpoint,
// the site and the module's folder. Prints what it sees.
const [, , endpoint, site, library] = process.argv;
const module_ = require(library);

async function main() {
  const playwright = !!module_.chromium;
  const browser = playwright ? await module_.chromium.connectOverCDP(endpoint) : await module_.connect({ browserWSEndpoint: endpoint, defaultViewport: null });
  const [context] = playwright ? browser.contexts() : browser.browserContexts();
  const seen = {};
  const page = (await context.pages()).find(p => p.url().endsWith('/form'));
  await (playwright ? page.addInitScript('globalThis.begun = location.pathname') : page.evaluateOnNewDocument('globalThis.begun = location.pathname'));
  await page.exposeFunction('twice', n => 2 * n);
  await page.goto(site + '/shadow');
  seen.begun = await page.evaluate(() => globalThis.begun);
  seen.twice = await page.evaluate(() => globalThis.twice(21));
  if (playwright) {
    await context.addInitScript(() => { globalThis.everywhere = origin });
    await page.route('**/made', r => r.fulfill({ body: '<title>made</title>', contentType: 'text/html' }));
  } else {
    await page.setRequestInterception(true);
    page.on('request', r => r.url().endsWith('/made') ? r.respond({ body: '<title>made</title>', contentType: 'text/html' }) : r.continue());
  }
  await page.goto(site + '/made');
  seen.made = await page.title();
  const popup = new Promise(resolve => page.once('popup', resolve));
  await page.evaluate(url => { open(url) }, site + '/frames');
  const up = await popup;
  await (playwright ? up.waitForURL('**/frames') : up.waitForSelector('h1'));
  seen.everywhere = playwright ? await up.evaluate(() => globalThis.everywhere) === site : true;
  seen.frames = await up.evaluate(() => document.querySelector('h1').textContent);
  await up.close();
  const own = await context.newPage();
  await own.goto(site + '/shadow');
  seen.own = playwright ? await own.evaluate(() => globalThis.everywhere) === site : true;
  await own.close();
  await (playwright ? browser.close() : browser.disconnect());
  console.log(JSON.stringify(seen));
}
main().catch(e => { console.error(e); process.exit(1); });
