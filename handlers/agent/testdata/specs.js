// One test of Playwright's aria specs runs in this. What it expects of a page is noted beside what our
// outline says of it, and nothing is asserted here.
const pairs = [];
const look = async (of, depth) => {
  const first = 'css=iframe, frame >> nth=0 >> internal:control=enter-frame >> ';
  const selector = typeof of._selector !== 'string' ? undefined : (of._frame === page.mainFrame() ? '' : first) + of._selector;
  const found = new String(await accessibilitySnapshot({ full: true, selector, depth }));
  found.outline = await accessibilitySnapshot({ selector });
  found.dead = [];
  for (const [, ref] of found.outline.matchAll(/ \[ref=(\w+)\]/g)) {
    await $(ref).click({ trial: true, timeout: 1000 }).catch(() => found.dead.push(ref));
  }
  return found;
};
const note = (found, expected) => pairs.push({ expected, full: String(found), outline: found.outline, dead: found.dead });
const matchers = (of) => new Proxy({}, { get: (_, name) => {
  if (name === 'then') return undefined;
  if (name === 'not' || name === 'soft') return new Proxy({}, { get: () => async () => {} });
  return async (expected) => {
    if (name === 'toMatchAriaSnapshot') note(await look(of), expected);
    else if (of?.dead && (typeof expected !== 'string' || /^\s*- /.test(expected))) note(of, expected);
  };
} });
const snapshot = (of, { depth } = {}) => look(of, depth === undefined ? undefined : depth + 1);
// An element by a ref of theirs, whose numbers are others than ours.
const theirs = () => new Proxy({}, { get: (_, name) => () => { throw new Error(name + ' of a ref of theirs'); } });
const expecting = Object.assign(matchers, { any: () => 0, soft: () => matchers() });
// One that is to fail: what it fails with is words of Playwright's.
const failing = () => new Proxy({}, { get: () => async () => ({ message: '' }) });
const server = { PREFIX: 'SERVER', setRoute: (path, answer) => page.route(server.PREFIX + path, async (route) => {
  let contentType = 'text/html';
  const body = await new Promise((end) => answer({}, { setHeader: (_, value) => { contentType = value; }, end }));
  await route.fulfill({ contentType, body });
}) };
let stopped = '';
page.setDefaultTimeout(2000);
try {
  await (async (page, server, expect, stripAnsi, unshift, snapshotForAI, findNode, it) => {
BODY
  })(page, server, expecting, (s) => s, (s) => s, snapshot, () => undefined, { info: () => ({ annotations: [] }) });
} catch (e) {
  stopped = String(e.message).split('\n')[0];
}
await page.unrouteAll();
await page.goto('about:blank').catch(() => page.goto('about:blank')); // a test may have left a navigation
return JSON.stringify({ pairs, stopped });
