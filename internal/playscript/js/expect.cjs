// --- expect, of Playwright's own test package, without its runner.

let expecting;
function expectation() {
  if (expecting) return expecting;
  const dir = path.join(settings.test, 'lib') + path.sep;
  // Of the runner only what the matchers ask for outside of it.
  const instead = {
    'worker/testInfo': { TestInfoImpl: { _defaultDeadlineForMatcher: (timeout) => ({ deadline: timeout ? core('utils.js').monotonicTime() + timeout : 0, timeoutMessage: `Timeout ${timeout}ms exceeded while waiting on the predicate` }) } },
    'common/config': { takeFirst: (...all) => all.find((v) => v !== undefined) },
  };
  const load = Module._load;
  Module._load = function(id, parent, ...rest) {
    if (id[0] === '.' && parent && parent.filename.startsWith(dir)) {
      const name = path.resolve(path.dirname(parent.filename), id).slice(dir.length).replace(/\.js$/, '').replaceAll(path.sep, '/');
      if (instead[name]) return instead[name];
    }
    return load.call(this, id, parent, ...rest);
  };
  try {
    expecting = require(dir + 'matchers/expect.js').expect;
  } finally {
    Module._load = load;
  }
  return expecting;
}
