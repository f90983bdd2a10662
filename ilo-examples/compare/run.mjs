// Runs one of the Playwright flows beside it, and prints the result:
//
//   node run.mjs login http://127.0.0.1:8080 ada@mail.example secret
//
// Needs playwright-core: installed, or in the folder that PLAYWRIGHT_CORE
// names. CHROMIUM names a browser.
import { createRequire } from 'node:module';

const { chromium } = createRequire(import.meta.url)(process.env.PLAYWRIGHT_CORE ?? 'playwright-core');
const [flow, baseURL, ...args] = process.argv.slice(2);
const { default: run } = await import(`./${flow}.mjs`);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM });
try {
  const page = await (await browser.newContext({ baseURL })).newPage();
  console.log(await run({ page, browser, baseURL }, ...args));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await browser.close();
}
