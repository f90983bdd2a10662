(native) => {
  'use strict';
  // What reflection can't map onto playwright-go, and what scripts can name
  // besides the language's own.
  const { protos } = native;
  const define = (class_, methods) => {
    for (const [name, fn] of Object.entries(methods)) {
      Object.defineProperty(protos[class_], name, { value: fn, configurable: true, writable: true, enumerable: false });
    }
  };
  const classOf = native.classOf;
  // ---- Events. playwright-go is listened to once for each object and event.
  const heard = new Map(); // object -> event -> { native, list }
  const key = (o) => o;
  const listeners = (o, event, make) => {
    let events = heard.get(key(o));
    if (!events && make) heard.set(key(o), events = new Map());
    let entry = events && events.get(event);
    if (!entry && make) {
      entry = { list: [] };
      events.set(event, entry);
      entry.native = native.on(o, event, (...args) => { for (const l of [...entry.list]) l.call(...args); });
    }
    return entry;
  };
  let listening = 0;
  const add = (o, event, fn, once, front) => {
    if (typeof fn !== 'function') throw new TypeError('a listener is a function');
    if (listening >= native.maxListeners) throw new RangeError(`more than ${native.maxListeners} listeners`);
    const entry = listeners(o, event, true);
    const l = { fn, call(...args) { if (once) remove(o, event, fn); return fn.apply(o, args); } };
    if (front) entry.list.unshift(l); else entry.list.push(l);
    listening++;
    return o;
  };
  const remove = (o, event, fn) => {
    const entry = listeners(o, event);
    if (!entry) return o;
    const i = entry.list.findIndex((l) => l.fn === fn);
    if (i >= 0) { entry.list.splice(i, 1); listening--; }
    if (!entry.list.length) {
      native.off(o, event, entry.native);
      heard.get(key(o)).delete(event);
    }
    return o;
  };
  // waitFor settles with the next event that the predicate accepts.
  const waitFor = (o, event, accept, timeout, what) => new Promise((resolve, reject) => {
    let timer;
    const end = (settle, v) => { remove(o, event, listen); native.clearTimer(timer); settle(v); };
    const listen = async (v) => {
      try {
        if (!accept || await accept(v)) end(resolve, v);
      } catch (e) { end(reject, e); }
    };
    const ms = Math.min(timeout === 0 ? Infinity : timeout || native.waitTime(o), native.left());
    add(o, event, listen);
    timer = native.timer(() => {
      const e = new Error(`Timeout ${Math.round(ms)}ms exceeded while waiting for ${what || `event "${event}"`}`);
      e.name = 'TimeoutError';
      end(reject, e);
    }, ms, false);
  });
  const optionsOf = (o) => typeof o === 'function' ? { predicate: o } : o || {};
  const emitterMethods = {
    on(event, fn) { return add(this, event, fn); },
    addListener(event, fn) { return add(this, event, fn); },
    prependListener(event, fn) { return add(this, event, fn, false, true); },
    once(event, fn) { return add(this, event, fn, true); },
    off(event, fn) { return remove(this, event, fn); },
    removeListener(event, fn) { return remove(this, event, fn); },
    async removeAllListeners(event) {
      const events = heard.get(key(this));
      for (const [name, entry] of [...events || []]) {
        if (event === undefined || name === event) for (const l of [...entry.list]) remove(this, name, l.fn);
      }
    },
    waitForEvent(event, o) { o = optionsOf(o); return waitFor(this, event, o.predicate, o.timeout); },
  };
  for (const c of ['Page', 'BrowserContext', 'Browser', 'Worker', 'WebSocket', 'CDPSession']) define(c, emitterMethods);

  // ---- URLs.
  const globs = (glob) => {
    let out = '^', group = false;
    for (let i = 0; i < glob.length; i++) {
      const c = glob[i];
      if (c === '\\' && i + 1 < glob.length) { out += '\\' + glob[++i]; continue; }
      if (c === '*') {
        let stars = 1;
        while (glob[i + 1] === '*') { stars++; i++; }
        if (stars > 1) { if (glob[i + 1] === '/') i++; out += '(.*)'; } else out += '([^/]*)';
        continue;
      }
      if (c === '{') { group = true; out += '('; } else if (c === '}') { group = false; out += ')'; }
      else if (c === ',' && group) out += '|';
      else out += /[\w\s%&#=~-]/.test(c) ? c : '\\' + c;
    }
    return new RegExp(out + '$');
  };
  const urlMatches = (url, pattern, base) => {
    if (pattern === undefined || pattern === '') return true;
    if (pattern instanceof RegExp) { pattern.lastIndex = 0; return pattern.test(url); }
    if (typeof pattern === 'function') return pattern(new URL(url));
    if (pattern[0] === '/' && base) { try { pattern = new URL(pattern, base).href; } catch {} }
    return url === pattern || globs(pattern).test(url);
  };
  const waitForMessage = (event) => function (pattern, options) {
    const accept = typeof pattern === 'function' ? pattern : (m) => urlMatches(m.url(), pattern, this.url());
    return waitFor(this, event, accept, options && options.timeout, `${event} ${typeof pattern === 'function' ? 'that the predicate accepts' : pattern}`);
  };
  define('Page', { waitForRequest: waitForMessage('request'), waitForResponse: waitForMessage('response') });
  const waitForNavigation = function (options = {}) {
    const page = classOf(this) === 'Frame' ? this.page() : this;
    const frame = classOf(this) === 'Frame' ? this : this.mainFrame();
    return waitFor(page, 'framenavigated', (f) => f === frame && urlMatches(f.url(), options.url, page.url()), options.timeout, 'navigation')
      .then(() => this.waitForLoadState(options.waitUntil === 'commit' ? 'domcontentloaded' : options.waitUntil)).then(() => null);
  };
  const waitForLoadState = function (state, options) {
    if (state && typeof state === 'object') [state, options] = [state.state, state];
    return native.loaded(this, state || 'load', options && options.timeout);
  };
  const waitForURL = async function (url, options = {}) {
    const [page, frame] = classOf(this) === 'Frame' ? [this.page(), this] : [this, this.mainFrame()];
    const there = () => urlMatches(frame.url(), url, page.url());
    if (!there()) {
      const come = waitFor(page, 'framenavigated', (f) => f === frame && there(), options.timeout ?? native.loadTime(this));
      come.catch(() => {}); // it may have come before the listener
      if (!there()) await come.catch((e) => { throw Object.assign(e, { message: `${this === page ? 'page' : 'frame'}.waitForURL: ${e.message.replace(/ while .*/, '')}: it is at ${frame.url()}` }); });
    }
    await this.waitForLoadState(options.waitUntil, options);
  };
  for (const c of ['Page', 'Frame']) define(c, { waitForNavigation, waitForLoadState, waitForURL });

  // ---- Describing values.
  const show = (v) => inspect(v, new Set());
  const plain = (v, above) => { // a value as JSON holds it
    if (v === null || typeof v === 'string' || typeof v === 'boolean') return v;
    if (typeof v === 'number') return Number.isFinite(v) ? v : String(v);
    if (typeof v === 'bigint') return String(v);
    if (typeof v === 'function') return `[Function ${v.name || 'anonymous'}]`;
    if (typeof v === 'symbol') return String(v);
    if (v === undefined) return undefined;
    if (classOf(v)) return native.describe(v);
    if (above.has(v)) return '[circular]';
    if (v instanceof Error) return `${v.name}: ${v.message}`;
    if (v instanceof Date) return isNaN(v) ? 'Invalid Date' : v.toISOString();
    if (v instanceof RegExp || v instanceof URL) return String(v);
    if (v instanceof Promise) return '[Promise; await it]';
    const bytes = picture(v);
    if (bytes) return bytes;
    above.add(v);
    let out;
    if (v instanceof Map) out = { ...Object.fromEntries([...v].map(([k, e]) => [String(k), plain(e, above)])) };
    else if (v instanceof Set) out = [...v].map((e) => plain(e, above) ?? null);
    else if (Array.isArray(v)) out = v.map((e) => plain(e, above) ?? null);
    else if (typeof v.toJSON === 'function') out = plain(v.toJSON(), above);
    else { out = {}; for (const k of Object.keys(v)) { const e = plain(v[k], above); if (e !== undefined) out[k] = e; } }
    above.delete(v);
    return out;
  };
  // picture shows an image as an image; other bytes by their number.
  const picture = (v) => {
    if (!(Buffer.isBuffer(v) || v instanceof Uint8Array || v instanceof ArrayBuffer)) return null;
    const b = v instanceof ArrayBuffer ? new Uint8Array(v) : v;
    if (b[0] === 0x89 && b[1] === 0x50 || b[0] === 0xff && b[1] === 0xd8) return `[image ${native.image(v)}]`;
    return `[${b.length} bytes]`;
  };
  const inspect = (v, above) => {
    if (typeof v === 'string') return v;
    const p = plain(v, above);
    return p === undefined ? 'undefined' : typeof p === 'string' ? p : JSON.stringify(p);
  };
  const format = (...args) => {
    if (typeof args[0] === 'string' && /%[sdifjoO%]/.test(args[0])) {
      const [f, ...rest] = args;
      const text = f.replace(/%([sdifjoO%])/g, (m, c) => {
        if (c === '%') return '%';
        if (!rest.length) return m;
        const v = rest.shift();
        return c === 'd' || c === 'i' ? String(c === 'i' ? parseInt(v, 10) : Number(v)) : c === 'f' ? String(parseFloat(v)) : show(v);
      });
      return [text, ...rest.map(show)].join(' ');
    }
    return args.map(show).join(' ');
  };
  const console = {};
  for (const level of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir']) console[level] = (...args) => native.print(level === 'dir' ? 'log' : level, format(...args));
  console.table = (v) => native.print('log', show(v));
  console.assert = (ok, ...args) => { if (!ok) native.print('error', 'Assertion failed: ' + format(...args)); };
  const timers = new Map();
  console.time = (l = 'default') => { timers.set(l, Date.now()); };
  console.timeEnd = (l = 'default') => { native.print('log', `${l}: ${Date.now() - timers.get(l)}ms`); timers.delete(l); };
  console.group = (...args) => { if (args.length) console.log(...args); };
  console.groupEnd = () => {};
  const counts = new Map();
  console.count = (l = 'default') => { counts.set(l, (counts.get(l) || 0) + 1); native.print('log', `${l}: ${counts.get(l)}`); };

  // ---- Timers and the like.
  const scope = {
    __proto__: null,
    state: {},
    console,
    setTimeout: (fn, ms = 0, ...args) => native.timer(() => fn(...args), Number(ms) || 0, false),
    setInterval: (fn, ms = 0, ...args) => native.timer(() => fn(...args), Number(ms) || 0, true),
    clearTimeout: (id) => { if (id) native.clearTimer(id); },
    clearInterval: (id) => { if (id) native.clearTimer(id); },
    setImmediate: (fn, ...args) => native.timer(() => fn(...args), 0, false),
    clearImmediate: (id) => { if (id) native.clearTimer(id); },
    queueMicrotask: (fn) => { Promise.resolve().then(fn); },
    performance: Object.freeze({ now: () => Date.now() - native.started, timeOrigin: native.started }),
    atob: (s) => Buffer.from(String(s), 'base64').toString('latin1'),
    btoa: (s) => Buffer.from(String(s), 'latin1').toString('base64'),
    TextEncoder: class TextEncoder { encode(s = '') { return new Uint8Array(Buffer.from(String(s), 'utf8')); } },
    TextDecoder: class TextDecoder { decode(b) { return b === undefined ? '' : Buffer.from(b).toString('utf8'); } },
    process: Object.freeze({ env: Object.freeze({}), platform: native.platform, arch: native.arch, argv: Object.freeze([]), cwd: () => native.cwd,
      version: '', versions: Object.freeze({}), hrtime: Object.freeze({ bigint: () => BigInt(Date.now()) * 1000000n }), nextTick: (fn, ...args) => { Promise.resolve().then(() => fn(...args)); } }),
  };

  // ---- The seed's helpers.
  const pageOf = (o) => (o && o.page) || (classOf(o) === 'Page' ? o : native.page());
  const helper = (name) => (o = {}) => native.helper(name, pageOf(o), Object.fromEntries(Object.entries(o).filter(([k]) => k !== 'page')));
  for (const name of ['accessibilitySnapshot', 'showAriaRefLabels', 'hideAriaRefLabels', 'waitForPageLoad', 'getLatestLogs', 'getCleanHTML']) scope[name] = helper(name);
  scope.screenshotWithAccessibilityLabels = async (o = {}) => {
    const r = await helper('screenshotWithAccessibilityLabels')(o);
    native.image(r.image);
    return r.snapshot;
  };
  scope.getCDPSession = async (o = {}) => { const p = pageOf(o); return p.context().newCDPSession(p); };

  // ---- One run.
  scope.settle = (v, done) => { Promise.resolve(v).then(done, (e) => { native.print('error', 'a callback failed: ' + show(e)); done(undefined); }); };
  scope.begin = (fn, page, end) => {
    const context = page.context(), mine = { page, context, browser: context.browser(), $: (ref) => page.locator(String(ref)) };
    const own = Object.fromEntries(native.names.map((n) => [n, n in mine ? mine[n] : scope[n]]));
    const [run, stateNow] = fn(...Object.values(own));
    const keep = () => { const s = stateNow(); if (s !== null && typeof s === 'object') scope.state = s; };
    // A script that is one function, as other tools take them, is called: with
    // the page, or with all there is where it takes members apart.
    const called = (v) => {
      const text = typeof v === 'function' ? native.source(v) : '[native code]';
      return text.includes('[native code]') ? v : v(/^(async\s*)?(function[\s\w$]*)?\(\s*\{/.test(text) ? own : page);
    };
    Promise.resolve().then(run).then(called).finally(keep).then((v) => {
      const p = plain(v, new Set());
      end(undefined, p === undefined ? undefined : JSON.stringify(p));
    }).catch((e) => end(e === undefined ? new Error('undefined was thrown') : e));
  };
  scope.format = format;
  scope.show = show;
  scope.define = define;
  scope.urlMatches = urlMatches;
  return scope;
}
