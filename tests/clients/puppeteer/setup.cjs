// Runs Puppeteer's unchanged tests on browsers that are already running. mocha loads
// this file first.
'use strict';

const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transformSync } = require('esbuild');

// TypeScript is compiled when it is loaded. keepNames stays off: esbuild would put a
// helper into the functions that tests send to the page.
require.extensions['.ts'] = (module, file) => {
  const { code } = transformSync(fs.readFileSync(file, 'utf8'), {
    loader: 'ts', format: 'cjs', target: 'node20', sourcefile: file, sourcemap: 'inline',
  });
  module._compile(code, file);
};
require('source-map-support').install({ hookRequire: true, environment: 'node' });

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  if (request === '@pptr/testserver') {
    return path.resolve('packages/testserver/src/index.ts');
  }
  if (request.startsWith('.') && request.endsWith('.js') && parent?.filename?.endsWith('.ts')) {
    request = request.slice(0, -3) + '.ts';
  }
  return resolve.call(this, request, parent, ...rest);
};

// A launch connects to a browser that the runner starts for it. It has a page, like one
// that Puppeteer starts itself.
const puppeteer = require('puppeteer/lib/cjs/puppeteer/puppeteer.js').default;
puppeteer.launch = async (options = {}) => {
  const answer = await fetch(process.env.PWPIPE_TEST_BROWSERS, { method: 'POST' });
  const browser = await puppeteer.connect({ ...options, browserWSEndpoint: await answer.text() });
  if ((await browser.pages()).length === 0) {
    await browser.newPage();
  }
  return browser;
};
