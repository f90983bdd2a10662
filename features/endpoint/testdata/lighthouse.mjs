// Runs the example of docs/cdp.md in a session: node lighthouse.mjs ADDRESS SITE MODULES EXAMPLE
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [address, site, modules, example] = process.argv.slice(2);
const puppeteer = createRequire(path.join(modules, 'x.js'))('puppeteer-core');
const { default: lighthouse } = await import(pathToFileURL(path.join(modules, 'lighthouse/core/index.js')));

const code = example.replace('https://shop.example/', site) + '; return [browser, lhr];';
const [browser, lhr] = await new (async () => {}).constructor('puppeteer', 'lighthouse', 'url', code)(puppeteer, lighthouse, address);
console.log(JSON.stringify({ score: lhr.categories.performance.score, why: lhr.audits['first-contentful-paint'].errorMessage }));
await browser.disconnect();
