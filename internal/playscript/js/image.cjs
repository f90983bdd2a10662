// --- Loading Playwright takes a process 0.2 s of a processor. So one that is trusted,
// before any script, does it for all: what it has made is kept in a file (Node's
// startup snapshot), and the others begin with that. They can't write it: what one
// left there would run in all others. Where there is none they load it themselves.

const playwright = core('inprocess.js');
if (building) {
  for (const file of ['server/browser.js', 'server/fetch.js', 'server/utils/debugLogger.js', 'server/dispatchers/browserDispatcher.js', 'server/dispatchers/browserContextDispatcher.js']) core(file);
  expectation();
  require('v8').startupSnapshot.setDeserializeMainFunction(() => {
    making = false;
    readSettings();
    followPromises();
    begin();
  });
} else {
  followPromises();
  begin();
}
