(native, scope) => {
  'use strict';
  // The debugger and the editor, as objects over one helper of the host's, and
  // what looks at elements.
  const pages = new WeakMap(); // CDP session -> its page
  const open = native.protos.BrowserContext.newCDPSession;
  scope.define('BrowserContext', {
    async newCDPSession(target) {
      const session = await open.call(this, target);
      pages.set(session, native.classOf(target) === 'Frame' ? target.page() : target);
      return session;
    },
  });
  // A debugger that a script turns on through a session of its own is the
  // host's to know of: else a paused page would be taken for one that hangs.
  const send = native.protos.CDPSession.send;
  scope.define('CDPSession', {
    async send(method, params) {
      if (method === 'Debugger.enable' && pages.has(this)) await native.helper('devtools', pages.get(this), { verb: 'enable', options: {} });
      return send.call(this, method, params);
    },
  });
  const pageOf = (what, o = {}) => {
    if (!o.cdp) return o.page || native.page();
    if (!pages.has(o.cdp)) throw new TypeError(`${what}: cdp is a session that getCDPSession({page}) returned`);
    return pages.get(o.cdp);
  };
  const file = (u) => u instanceof RegExp ? `/${u.source}/` : u;
  // What takes part of a URL takes a pattern of it, too.
  const listing = (call, verb) => async ({ search, ...o } = {}) => search instanceof RegExp
    ? (await call(verb, o)).filter((f) => { search.lastIndex = 0; return search.test(f.url); }) : call(verb, { ...o, search });
  const caller = (page) => (verb, options = {}) => native.helper('devtools', page, { verb, options });

  scope.createDebugger = (o) => {
    const page = pageOf('createDebugger', o), call = caller(page);
    const idOf = (v) => v && typeof v === 'object' ? v.id : v;
    return {
      enable: () => call('enable'),
      setBreakpoint: async (o = {}) => { const b = await call('setBreakpoint', { ...o, file: file(o.file) }); return { ...b, breakpointId: b.id }; },
      deleteBreakpoint: (o) => call('deleteBreakpoint', { id: idOf(typeof o === 'object' ? o.breakpointId || o : o) }),
      listBreakpoints: () => call('listBreakpoints'),
      pause: () => call('pause'),
      waitForPaused: (o = {}) => call('waitForPaused', { ...o, timeout: Math.min(o.timeout || 30000, native.left()) }),
      isPaused: () => native.plain('isPaused', page),
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
    const call = caller(pageOf('createEditor', o));
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
      if (native.classOf(o.locator) !== 'Locator') throw new TypeError(`${name}: expected a locator, as in ${name}({locator: $('e5')})`);
      const { page, cdp, ...options } = o; // the locator knows both
      return native.helper(name, o.locator.page(), options);
    };
  }
  scope.formatStylesAsText = (styles) => native.plain('formatStylesAsText', styles);
}
