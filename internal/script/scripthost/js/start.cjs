'use strict';
// The process in which a session's scripts run: Playwright's own code, client
// and server, connected to the session's virtual browser. The files of this
// folder are put together into one, in the order in which entry.go names them,
// and share their names.
//
// Descriptors: 3 and 4 are DevTools messages in and out, each ended by a NUL; 5
// and 6 are calls both ways, 7 and 8 those that this side waits for without
// going on (fs.readFileSync), 9 is read by a thread that stops what does not
// stop by itself. See wire.go for what goes over them.
//
// What is refused here is refused in better words; the walls are around the
// process, and at the other ends of the descriptors.
const fs = require('fs');
const path = require('path');
const vm = require('vm');

// What differs from process to process is in a file that the last argument names.
const settings = JSON.parse(fs.readFileSync(process.argv[process.argv.length - 1], 'utf8'));

const real = { // what others have put something else in the place of
  readSync: fs.readSync, writeSync: fs.writeSync, setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate,
  hrtime: process.hrtime.bigint,
};
