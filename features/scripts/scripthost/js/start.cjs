'use strict';
// The process that runs a session's scripts: Playwright's own client and server,
// connected to the session's virtual browser. The files of this folder are joined
// into one program, in the order of entry.go, with one scope.
//
// Descriptors: 3 and 4 are DevTools messages in and out, each ended by a NUL; 5
// and 6 are async calls both ways; 7 and 8 are sync calls to the parent
// (fs.readFileSync); a thread reads 9 to stop code that does not stop by itself.
// See wire.go for the format.
//
// Refusals here only give better errors. The walls are around the process, and at
// the other ends of the descriptors.
const fs = require('fs');
const path = require('path');
const vm = require('vm');

// The last argument names a file with this process's settings.
const settings = JSON.parse(fs.readFileSync(process.argv[process.argv.length - 1], 'utf8'));

const real = { // originals of functions that are replaced
  readSync: fs.readSync, writeSync: fs.writeSync, setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate,
  hrtime: process.hrtime.bigint,
};
