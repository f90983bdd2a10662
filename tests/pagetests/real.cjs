'use strict';
// The baseline: the same scripts with the real Playwright, in Node. Each script is
// a line of JSON, and so is each answer.
const path = require('path'), Module = require('module');
const [core, test, executable, args] = process.argv.slice(2);
const resolve = Module._resolveFilename;
Module._resolveFilename = function(id, ...rest) {
  const m = /^(playwright-core|playwright)((?:\/.*)?)$/.exec(id);
  return resolve.call(this, m ? (m[1] === 'playwright' && m[2] ? test : core) + m[2] : id, ...rest);
};
const { chromium } = require(core);
const { expect } = require(path.join(test, 'test.js'));
process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});
(async () => {
  let browser = await chromium.launch({ executablePath: executable, args: JSON.parse(args) || [] });
  const Script = (async () => {}).constructor;
  for await (const line of require('readline').createInterface({ input: process.stdin })) {
    if (!browser.isConnected()) browser = await chromium.launch({ executablePath: executable, args: JSON.parse(args) || [] });
    let answer;
    try {
      answer = { result: await new Script('browser', 'expect', 'require', 'console', JSON.parse(line))(browser, expect, require, { log() {}, error() {}, warn() {} }) };
    } catch (e) {
      answer = { error: String(e && e.message || e) };
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
  }
  await browser.close();
  process.exit();
})().catch((e) => { console.error(e); process.exit(1); });
