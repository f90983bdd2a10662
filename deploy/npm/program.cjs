'use strict';
// The path of the platform's pwpipe binary, which npm installs as an optional
// dependency, and its environment.
const path = require('node:path');

const platform = `${process.platform}-${process.arch}`;
const file = process.platform === 'win32' ? 'pwpipe.exe' : 'pwpipe';

function program() {
  try {
    return path.join(path.dirname(require.resolve(`@pwpipe/${platform}/package.json`)), 'bin', file);
  } catch {
    throw new Error(`pwpipe: the package @pwpipe/${platform} is not installed; ` +
      'install pwpipe without --omit=optional, or take an archive of the release (docs/install.md lists the platforms)');
  }
}

// pwpipe needs Node for Playwright's driver: it gets the one that runs this.
const environment = () => ({ ...process.env, PWPIPE_NODE: process.env.PWPIPE_NODE || process.execPath, PWPIPE_INSTALLED_BY: 'npm' });

module.exports = { program, environment };
