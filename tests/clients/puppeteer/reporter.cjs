// Writes a line of JSON for each of Puppeteer's tests, and for each failed hook.
'use strict';

const fs = require('node:fs');

module.exports = class {
  constructor(runner) {
    const write = (test, status, error) => {
      const line = { name: test.fullTitle(), status, runs: (test._currentRetry ?? 0) + 1, said: error && (error.stack ?? String(error)) };
      fs.appendFileSync(process.env.PWPIPE_TEST_RESULTS, JSON.stringify(line) + '\n');
    };
    runner.on('pass', test => write(test, 'passed'));
    runner.on('end', () => fs.appendFileSync(process.env.PWPIPE_TEST_RESULTS, 'end\n'));
    runner.on('pending', test => write(test, 'skipped'));
    runner.on('fail', (test, error) => write(test, 'failed', error));
  }
};
