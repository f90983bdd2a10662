// --- expect, of Playwright's own test package, without its runner.

let expecting;
function expectation() {
  if (expecting) return expecting;
  // Of the runner only what the matchers ask for outside of it.
  for (const [name, exports] of Object.entries({
    'worker/testInfo.js': { TestInfoImpl: { _defaultDeadlineForMatcher: (timeout) => ({ deadline: timeout ? core('utils.js').monotonicTime() + timeout : 0, timeoutMessage: `Timeout ${timeout}ms exceeded while waiting on the predicate` }) } },
    'common/config.js': { takeFirst: (...all) => all.find((v) => v !== undefined) },
  })) instead.set(libOf('test', name), exports);
  const { expect } = load(libOf('test', 'matchers/expect.js'));
  return expecting = expect.extend({ toMatchAriaSnapshot: matchAriaSnapshot });
}

// toMatchAriaSnapshot asks the runner's test what becomes of files of snapshots. Here there
// are none, and it asks before it waits for anything.
function matchAriaSnapshot(receiver, expected, options) {
  if (typeof expected !== 'string') throw new TypeError('toMatchAriaSnapshot: give the snapshot as a text; scripts have no files of snapshots');
  const { setCurrentTestInfo } = load(libOf('test', 'common/globals.js'));
  setCurrentTestInfo({ _projectInternal: {}, config: { updateSnapshots: 'none' } });
  try {
    return load(libOf('test', 'matchers/toMatchAriaSnapshot.js')).toMatchAriaSnapshot.call(this, receiver, expected, options);
  } finally {
    setCurrentTestInfo(null);
  }
}
