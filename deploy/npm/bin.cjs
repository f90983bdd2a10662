#!/usr/bin/env node
'use strict';
// The command pwpipe: runs the binary for this platform.
const { spawn } = require('node:child_process');
const { program, environment } = require('./program.cjs');

let child;
try {
  child = spawn(program(), process.argv.slice(2), { stdio: 'inherit', env: environment() });
} catch (err) {
  console.error(err.message);
  process.exit(1);
}
child.on('error', (err) => {
  console.error(`pwpipe: ${err.message}`);
  process.exit(1);
});
// A terminal sends Ctrl-C to both processes. Other signals reach only this one.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
