// Runs Lighthouse in a session: node lighthouse.mjs ADDRESS SITE MODULES
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [address, site, modules] = process.argv.slice(2);
const puppeteer = createRequire(path.join(modules, 'x.js'))('puppeteer-core');
const { default: lighthouse } = await import(pathToFileURL(path.join(modules, 'lighthouse/core/index.js')));

const browser = await puppeteer.connect({ browserWSEndpoint: address, defaultViewport: null });
const page = await browser.newPage();
const { lhr } = await lighthouse(site, { onlyCategories: ['performance'], logLevel: 'silent' }, undefined, page);
console.log(JSON.stringify({ score: lhr.categories.performance.score, why: lhr.audits['first-contentful-paint'].errorMessage }));
await browser.disconnect();
