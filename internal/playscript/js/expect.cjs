// --- expect, of Playwright's own test package, without its runner.

let expecting;
function expectation() {
  if (expecting) return expecting;
  // Of the runner only what the matchers ask for outside of it.
  for (const [name, exports] of Object.entries({
    'worker/testInfo.js': { TestInfoImpl: { _defaultDeadlineForMatcher: (timeout) => ({ deadline: timeout ? core('utils.js').monotonicTime() + timeout : 0, timeoutMessage: `Timeout ${timeout}ms exceeded while waiting on the predicate` }) } },
    'common/config.js': { takeFirst: (...all) => all.find((v) => v !== undefined) },
  })) instead.set(libOf('test', name), exports);
  return expecting = load(libOf('test', 'matchers/expect.js')).expect;
}
