#!/usr/bin/env node
// Arguments are pwpipe's: --base-url https://example.com
const { spawn } = require('node:child_process');
const readline = require('node:readline');

const browser = spawn('pwpipe', process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] });
const replies = readline.createInterface({ input: browser.stdout })[Symbol.asyncIterator]();

async function call(request) {
  browser.stdin.write(JSON.stringify(request) + '\n');
  const { value, done } = await replies.next();
  if (done) throw new Error('pwpipe ended');
  const { result, error } = JSON.parse(value);
  if (error) throw new Error(error);
  return result;
}

async function main() {
  await call(STEP);
}

main().catch((error) => { console.error(error.message); process.exitCode = 1; }).finally(() => browser.stdin.end());
