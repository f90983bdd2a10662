#!/usr/bin/env node
'use strict';
// The command pwpipe: it runs the binary of this platform in its place.
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
// A terminal sends Ctrl-C to both processes. The other signals reach this one alone.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
