// A client with its own Playwright. argv: the endpoint, the site and the
// module's folder. Prints what it sees.
const [, , endpoint, site, library] = process.argv;
const { chromium } = require(library);

async function main() {
  const seen = {};
  const headers = process.env.KEY ? { 'x-api-key': process.env.KEY } : undefined;
  const browser = await chromium.connectOverCDP(endpoint, { headers });
  const context = browser.contexts()[0];
  const page = context.pages()[0];
  seen.contexts = browser.contexts().length;
  seen.pages = context.pages().map(p => p.url().replace(site, ''));
  seen.cookies = (await context.cookies()).map(c => c.name);
  await page.goto(site + '/click');
  await page.click('#go');
  seen.clicked = await page.textContent('#count');
  await page.route('**/api', r => r.fulfill({ json: { a: 7 } }));
  seen.routed = await page.evaluate(() => fetch('/api').then(r => r.json()));
  page.once('dialog', d => d.accept('yes'));
  seen.dialog = await page.evaluate(() => prompt('?'));
  await context.addCookies([{ name: 'mine', value: '1', url: site }]);
  seen.now = (await context.cookies()).map(c => c.name);
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('a')]);
  await popup.waitForLoadState();
  seen.popup = await popup.title();
  await popup.close();
  const other = await browser.newContext();
  const own = await other.newPage();
  await own.goto(site + '/two');
  seen.own = [await own.title(), (await other.cookies()).length, browser.contexts().length];
  seen.picture = (await own.screenshot()).length > 1000;
  await other.close();
  seen.left = await page.title();
  await browser.close();
  console.log(JSON.stringify(seen));
}
main().catch(e => { console.error(e); process.exit(1); });
