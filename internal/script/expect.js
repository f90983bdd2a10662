(native, scope) => {
  'use strict';
  // expect: playwright-go's assertions for pages, locators and responses, and
  // what people use of the others.
  const { protos } = native, { define, show } = scope;
  const equal = (a, b) => {
    if (Object.is(a, b)) return true;
    if (b && b.$asymmetric) return b.$asymmetric(a);
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (a instanceof Date && b instanceof Date) return +a === +b;
    if (a instanceof RegExp && b instanceof RegExp) return String(a) === String(b);
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    if (a instanceof Map && b instanceof Map || a instanceof Set && b instanceof Set) return equal([...a], [...b]);
    const keys = (o) => Object.keys(o).filter((k) => o[k] !== undefined);
    return keys(a).length === keys(b).length && keys(a).every((k) => equal(a[k], b[k]));
  };
  const contains = (a, b) => b !== null && typeof b === 'object' && !Array.isArray(b) && !b.$asymmetric
    ? a !== null && typeof a === 'object' && Object.keys(b).every((k) => contains(a[k], b[k]))
    : Array.isArray(b) && Array.isArray(a) ? a.length === b.length && b.every((e, i) => contains(a[i], e)) : equal(a, b);
  const at = (o, path) => (Array.isArray(path) ? path : String(path).split('.')).reduce((v, k) => v === null || v === undefined ? undefined : v[k], o);
  const matchers = {
    toBe: (a, b) => Object.is(a, b), toEqual: equal, toStrictEqual: equal,
    toBeTruthy: (a) => !!a, toBeFalsy: (a) => !a, toBeNull: (a) => a === null, toBeUndefined: (a) => a === undefined,
    toBeDefined: (a) => a !== undefined, toBeNaN: (a) => a !== a,
    toContain: (a, b) => typeof a === 'string' ? a.includes(b) : [...a].includes(b),
    toContainEqual: (a, b) => [...a].some((e) => equal(e, b)),
    toHaveLength: (a, n) => a.length === n,
    toMatch: (a, b) => b instanceof RegExp ? b.test(a) : String(a).includes(b),
    toMatchObject: contains,
    toBeGreaterThan: (a, b) => a > b, toBeGreaterThanOrEqual: (a, b) => a >= b, toBeLessThan: (a, b) => a < b, toBeLessThanOrEqual: (a, b) => a <= b,
    toBeCloseTo: (a, b, digits = 2) => Math.abs(a - b) < Math.pow(10, -digits) / 2,
    toHaveProperty: (a, path, ...v) => { const e = at(a, path); return v.length ? equal(e, v[0]) : e !== undefined; },
    toBeInstanceOf: (a, c) => a instanceof c,
    toThrow: (fn, m) => { try { fn(); } catch (e) { return m === undefined || (m instanceof RegExp ? m.test(e.message) : e.message.includes(m.message || m)); } return false; },
  };
  matchers.toThrowError = matchers.toThrow;
  const judge = (name, actual, args, not, message) => {
    if (!matchers[name](actual, ...args) === !not) {
      throw Object.assign(new Error(`${message ? message + ': ' : ''}expect(${show(actual)})${not ? '.not' : ''}.${name}(${args.map(show).join(', ')}) failed`), { name: 'AssertionError' });
    }
  };
  const matcherSet = (run, not) => {
    const set = {};
    for (const name of Object.keys(matchers)) set[name] = (...args) => run(name, args, not);
    return set;
  };
  const poll = (fn, options = {}) => {
    const run = async (name, args, not) => {
      const end = Date.now() + Math.min(options.timeout || 5000, native.left());
      const waits = options.intervals || [100, 250, 500, 1000];
      for (let i = 0; ; i++) {
        try { return judge(name, await fn(), args, not, options.message); } catch (e) {
          const wait = waits[Math.min(i, waits.length - 1)];
          if (Date.now() + wait > end) throw e;
          await new Promise((r) => native.timer(r, wait, false));
        }
      }
    };
    return { ...matcherSet(run, false), not: matcherSet(run, true) };
  };
  const passing = (fn) => async (options = {}) => {
    const end = Date.now() + Math.min(options.timeout || 5000, native.left());
    for (;;) {
      try { return await fn(); } catch (e) {
        if (Date.now() + 100 > end) throw e;
        await new Promise((r) => native.timer(r, 100, false));
      }
    }
  };
  // A pattern that RE2 can't hold is tried here, until the time is up.
  const readers = { toHaveText: (l) => l.textContent(), toContainText: (l) => l.textContent(), toHaveValue: (l) => l.inputValue(),
    toHaveURL: (p) => p.url(), toHaveTitle: (p) => p.title() };
  const side = (set, not) => not ? set.not : set;
  const reading = (own, actual, not) => {
    for (const [name, read] of Object.entries(readers)) {
      const first = own[name];
      if (first) Object.defineProperty(own, name, { value: (want, ...rest) => want instanceof RegExp && !native.re2(want) ? side(poll(() => read(actual), ...rest), not).toMatch(want) : first.call(own, want, ...rest) });
    }
    if (!not) Object.defineProperty(own, 'not', { get: () => reading(Reflect.get(Object.getPrototypeOf(own), 'not', own), actual, true) });
    return own;
  };
  const expect = (actual, message) => {
    const own = native.assertions(actual);
    if (own) return reading(own, actual, false);
    const run = (name, args, not) => judge(name, actual, args, not, message);
    const later = (settled) => {
      const set = (not) => matcherSet((name, args) => settled().then((v) => judge(name, v, args, not, message)), not);
      return { ...set(false), not: set(true) };
    };
    return { ...matcherSet(run, false), not: matcherSet(run, true),
      get resolves() { return later(() => Promise.resolve(actual)); },
      get rejects() { return later(() => Promise.resolve(actual).then(() => { throw new Error('expected the promise to be rejected'); }, (e) => () => { throw e; })); },
      toPass: passing(actual) };
  };
  expect.poll = poll;
  expect.soft = expect;
  expect.configure = () => expect;
  const asymmetric = (fn) => ({ $asymmetric: fn });
  expect.any = (c) => asymmetric((a) => a !== null && a !== undefined && (a instanceof c || Object(a) instanceof c));
  expect.anything = () => asymmetric((a) => a !== null && a !== undefined);
  expect.stringContaining = (s) => asymmetric((a) => typeof a === 'string' && a.includes(s));
  expect.stringMatching = (s) => asymmetric((a) => matchers.toMatch(a, s));
  expect.arrayContaining = (l) => asymmetric((a) => Array.isArray(a) && l.every((e) => a.some((x) => equal(x, e))));
  expect.objectContaining = (o) => asymmetric((a) => contains(a, o));
  scope.expect = expect;
  const hasAttribute = protos.LocatorAssertions.toHaveAttribute;
  define('LocatorAssertions', { toHaveAttribute(name, v, o) { return hasAttribute.call(this, name, v === undefined ? /(?:.|\n)*/ : v, ...(o ? [o] : [])); } });
  scope.equal = equal;
}
