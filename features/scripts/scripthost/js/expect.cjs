// --- expect from Playwright's own test package, without its runner.

let expecting;
function expectation() {
  if (expecting) return expecting;
  const parts = { 'playwright-core/lib/utilsBundle': utils, 'playwright-core/lib/coreBundle': { iso: core('isomorphic/index.ts').isomorphic_exports, utils: core('utils/index.ts').utils_exports } };
  const { expect, setExpectConfig, expectConfig } = run(expectFile, wrapped(textOf(expectFile)), (id) => parts[id]).exports;
  // The matchers use a test only to find snapshot files and to record steps.
  const test = { _addStep() {}, _deadline: () => ({ deadline: Infinity, timeout: 0 }), _resolveSnapshotPaths: (kind, name) => {
    if (typeof name !== 'string') throw new TypeError('toMatchAriaSnapshot: give the snapshot as a text, or {name: a file of the script\'s folder}');
    const file = path.resolve(settings.cwd, name);
    if (!fs.existsSync(file)) throw new Error(`toMatchAriaSnapshot: there is no file ${file}`);
    return { absoluteSnapshotPath: file };
  } };
  setExpectConfig({ ...expectConfig(), testInfo: test, updateSnapshots: 'none' });
  const outside = (name) => async () => { throw new Error(`${name}() must be called during the test`); };
  return expecting = expect.extend({ toHaveScreenshot: outside('toHaveScreenshot'), toMatchSnapshot: outside('toMatchSnapshot') });
}
