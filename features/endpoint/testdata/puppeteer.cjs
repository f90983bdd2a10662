// A client with its own Puppeteer: see playwright.cjs.
const [, , endpoint, site, library] = process.argv;
const puppeteer = require(library);

async function main() {
  const seen = {};
  const headers = process.env.KEY ? { 'x-api-key': process.env.KEY } : undefined;
  const browser = await puppeteer.connect({ browserWSEndpoint: endpoint, headers, defaultViewport: null });
  const pages = await browser.pages();
  const page = pages[0];
  seen.contexts = browser.browserContexts().length;
  seen.pages = pages.map(p => p.url().replace(site, ''));
  seen.cookies = (await page.cookies()).map(c => c.name);
  await page.goto(site + '/click');
  await page.click('#go');
  seen.clicked = await page.$eval('#count', e => e.textContent);
  page.once('dialog', d => d.accept('yes'));
  seen.dialog = await page.evaluate(() => prompt('?'));
  await page.setCookie({ name: 'mine', value: '1', url: site });
  seen.now = (await page.cookies()).map(c => c.name);
  const [popup] = await Promise.all([new Promise(done => page.once('popup', done)), page.click('a')]);
  await popup.waitForSelector('h1');
  seen.popup = await popup.title();
  await popup.close();
  const other = await browser.createBrowserContext();
  const own = await other.newPage();
  await own.goto(site + '/two');
  seen.own = [await own.title(), (await own.cookies()).length, browser.browserContexts().length];
  seen.picture = (await own.screenshot()).length > 1000;
  await other.close();
  seen.left = await page.title();
  await browser.disconnect();
  console.log(JSON.stringify(seen));
}
main().catch(e => { console.error(e); process.exit(1); });
