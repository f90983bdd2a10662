// --- Helpers: functions on a page that the parent implements.

const { Page: ClientPage } = core('client/page.ts');
const { CDPSession } = core('client/cdpSession.ts');
const pages = new WeakMap(); // CDP session -> its page

// handed converts options to the parent's form.
const handed = (v) => {
  if (v instanceof Locator) return { $locator: v._selector, page: targetOf(v._frame._page), main: v._frame === v._frame._page.mainFrame() };
  if (v instanceof ChannelOwner) throw new TypeError(`expected a locator, got a ${v._type}`);
  if (Array.isArray(v)) return v.map(handed);
  if (v && typeof v === 'object') return Object.fromEntries(Object.entries(v).filter(([, e]) => e !== undefined).map(([k, e]) => [k, handed(e)]));
  return typeof v === 'function' || typeof v === 'symbol' ? String(v) : typeof v === 'bigint' ? Number(v) : v;
};
async function helper(name, page, options) {
  if (!(page instanceof ClientPage)) throw new TypeError(`${name}: page is no page`);
  const run = runs.getStore() || current;
  if (run && name === 'accessibilitySnapshot' && page === at && !options.selector) run.acted = false; // it has seen
  const { head, raw } = await ask('helper', { name, page: targetOf(page), run: run && run.id }, Buffer.from(JSON.stringify(handed(options))));
  const value = JSON.parse(raw.toString('utf8', 0, head.length));
  if (raw.length > head.length) value.image = Buffer.from(raw.subarray(head.length));
  return value;
}
// A page in place of a locator means the whole page.
const pageFrom = (o) => o instanceof ClientPage ? o : o && (o.locator instanceof ClientPage && o.locator || o.page) || at;
const withoutPage = (o) => o instanceof ClientPage ? {} : Object.fromEntries(Object.entries(o).filter(([k, v]) => k !== 'page' && !(k === 'locator' && v instanceof ClientPage)));
for (const name of ['accessibilitySnapshot', 'showAriaRefLabels', 'hideAriaRefLabels', 'waitForPageLoad', 'getLatestLogs', 'getCleanHTML']) {
  scope[name] = (o = {}) => helper(name, pageFrom(o), withoutPage(o));
}
// These options take a regular expression, which is matched here.
const matches = (pattern) => (line) => { pattern.lastIndex = 0; return pattern.test(line); };
for (const [name, pick] of Object.entries({
  getLatestLogs: (lines, pattern, { count = 100 }) => lines.filter(matches(pattern)).slice(-Math.max(0, count) || lines.length + 1),
  getCleanHTML: (html, pattern) => html.split('\n').filter(matches(pattern)).map((line) => line.trim()).join('\n'),
})) {
  const whole = scope[name];
  scope[name] = async (o = {}) => o.search instanceof RegExp
    ? pick(await whole({ ...o, search: undefined, ...name === 'getLatestLogs' && { count: 1e6 } }), o.search, o) : whole(o);
}
// The labels refer to the snapshot, so the result always has it, even if the script does
// not print it.
scope.screenshotWithAccessibilityLabels = async (o = {}) => {
  const r = await helper('screenshotWithAccessibilityLabels', pageFrom(o), withoutPage(o));
  images.push(r.image);
  outlines.push(r.snapshot);
  return r.snapshot;
};

// The parent must know about a debugger that a script enables through its own CDP
// session. Otherwise it would take a paused page for one that hangs.
{
  const { BrowserContext } = core('client/browserContext.ts'), open = BrowserContext.prototype.newCDPSession, { send } = CDPSession.prototype;
  BrowserContext.prototype.newCDPSession = async function(target) {
    const session = await open.call(this, target);
    pages.set(session, target instanceof ClientPage ? target : target.page());
    return session;
  };
  CDPSession.prototype.send = async function(method, params) {
    if (method === 'Debugger.enable' && pages.has(this)) await helper('devtools', pages.get(this), { verb: 'enable', options: {} });
    return send.call(this, method, params);
  };
  CDPSession.prototype.waitForEvent = function(event, options = {}) {
    const { predicate = typeof options === 'function' ? options : () => true, timeout = 30000 } = options, run = runs.getStore();
    const ms = run ? Math.min(timeout || Infinity, run.left()) : timeout;
    return new Promise((resolve, reject) => {
      const heard = (e) => { if (predicate(e)) end(resolve, e); };
      const late = real.setTimeout(() => end(reject, new playwright.errors.TimeoutError(`cdpSession.waitForEvent: Timeout ${ms}ms exceeded while waiting for event "${event}"`)), ms);
      const end = (how, value) => { real.clearTimeout(late); this.off(event, heard); how(value); };
      this.on(event, heard);
    });
  };
}
scope.getCDPSession = async (o = {}) => { const p = pageFrom(o); return p.context().newCDPSession(p); };

const debugged = (what, o = {}) => {
  if (!o.cdp) return o.page || at;
  if (!pages.has(o.cdp)) throw new TypeError(`${what}: cdp is a session that getCDPSession({page}) returned`);
  return pages.get(o.cdp);
};
const file = (u) => u instanceof RegExp ? `/${u.source}/` : u;
const caller = (page) => (verb, options = {}) => helper('devtools', page, { verb, options });
// An option that takes part of a URL also takes a regular expression.
const listing = (call, verb) => async ({ search, ...o } = {}) => search instanceof RegExp
  ? (await call(verb, o)).filter((f) => { search.lastIndex = 0; return search.test(f.url); }) : call(verb, { ...o, search });

scope.createDebugger = (o) => {
  const page = debugged('createDebugger', o), call = caller(page);
  const idOf = (v) => v && typeof v === 'object' ? v.id : v;
  return {
    enable: () => call('enable'),
    setBreakpoint: async (o = {}) => { const b = await call('setBreakpoint', { ...o, file: file(o.file) }); return { ...b, breakpointId: b.id }; },
    deleteBreakpoint: (o) => call('deleteBreakpoint', { id: idOf(typeof o === 'object' ? o.breakpointId || o : o) }),
    listBreakpoints: () => call('listBreakpoints'),
    pause: () => call('pause'),
    waitForPaused: (o = {}) => call('waitForPaused', { ...o, timeout: Math.min(o.timeout || 30000, current ? current.left() : 30000) }),
    isPaused: () => askNow('plain', { name: 'isPaused', page: targetOf(page) }).head.value,
    getLocation: () => call('getLocation'),
    inspectScopes: (o) => call('scopes', o),
    async inspectLocalVariables(o) {
      const { scopes } = await call('scopes', o);
      return Object.assign({}, ...scopes.reverse().map((s) => s.vars)); // the innermost scope wins
    },
    evaluate: ({ expression, ...o }) => call('evaluate', { ...o, code: expression }),
    stepOver: () => call('step', { kind: 'over' }),
    stepInto: () => call('step', { kind: 'into' }),
    stepOut: () => call('step', { kind: 'out' }),
    resume: () => call('resume'),
    listScripts: listing(call, 'listScripts'),
    setBlackboxPatterns: (o) => call('setBlackboxPatterns', { ...o, patterns: o.patterns.map((p) => p instanceof RegExp ? p.source : p) }),
    setPauseOnExceptions: (o) => call('setPauseOnExceptions', o),
  };
};

scope.createEditor = (o) => {
  const call = caller(debugged('createEditor', o));
  const text = (q) => q instanceof RegExp ? (/[ims]/.test(q.flags) ? `(?${q.flags.replace(/[^ims]/g, '')})` : '') + q.source : q;
  return {
    list: listing(call, 'list'),
    search: ({ url, query, ...o }) => call('search', { ...o, url: file(url), query: text(query) }),
    read: ({ url, startLine, endLine, ...o }) => call('read', { ...o, url: file(url), start: startLine, end: endLine }),
    edit: ({ url, oldString, newString, ...o }) => call('edit', { ...o, url: file(url), old: oldString, new: newString }),
  };
};

for (const name of ['getStylesForLocator', 'getReactSource']) {
  scope[name] = async (o = {}) => {
    if (!(o.locator instanceof Locator)) throw new TypeError(`${name}: expected a locator, as in ${name}({locator: $('e5')})`);
    const { page, cdp, ...options } = o; // implied by the locator
    return helper(name, o.locator.page(), options);
  };
}
scope.formatStylesAsText = (styles) => askNow('plain', { name: 'formatStylesAsText' }, Buffer.from(JSON.stringify(styles ?? null))).head.value;
