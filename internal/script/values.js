(native, scope) => {
  'use strict';
  // Values on their way to the page and back, as text: playwright-go's own way
  // loses large numbers, and can't hold a RegExp, a Map, bytes, or a value that
  // holds itself. pack and unpack run on both sides.
  const { protos, call, classOf } = native, { define } = scope;

  // pack writes a value as JSON after a letter: t where it has tags, which are
  // what JSON can't say, as objects of one member. An object's number is its
  // place in the order in which pack, and unpack after it, come to them.
  const pack = (value, leaf) => {
    let tagged = false;
    const numbers = new Map();
    const tag = (t) => { tagged = true; return t; };
    const walk = (v) => {
      if (leaf) { const n = leaf(v); if (n !== undefined) return tag({ $h: n }); }
      switch (typeof v) {
        case 'string': case 'boolean': return v;
        case 'number': return Number.isFinite(v) && !Object.is(v, -0) ? v : tag({ $n: Object.is(v, -0) ? '-0' : String(v) });
        case 'bigint': return tag({ $b: String(v) });
        case 'undefined': case 'function': case 'symbol': return tag({ $u: 1 });
      }
      if (v === null) return null;
      if (typeof Node !== 'undefined' && v instanceof Node) return 'ref: <Node>';
      if (typeof Window !== 'undefined' && v === v.window) return 'ref: <Window>';
      if (numbers.has(v)) return tag({ $r: numbers.get(v) });
      if (typeof URL !== 'undefined' && v instanceof URL) return tag({ $l: v.href });
      const kind = Object.prototype.toString.call(v).slice(8, -1);
      switch (kind) {
        case 'Date': return tag({ $d: isNaN(v) ? 'NaN' : v.getTime() });
        case 'RegExp': return tag({ $x: [v.source, v.flags] });
        case 'Error': return tag({ $e: [v.name, v.message] });
      }
      const keys = Object.keys(v);
      if (!keys.length && typeof v.toJSON === 'function') return walk(v.toJSON());
      numbers.set(v, numbers.size);
      if (Array.isArray(v)) return Array.from(v, (e) => walk(e));
      if (kind === 'Map') return tag({ $m: Array.from(v, ([k, e]) => [walk(k), walk(e)]) });
      if (kind === 'Set') return tag({ $s: Array.from(v, (e) => walk(e)) });
      if (kind === 'ArrayBuffer') return tag({ $t: [kind, Array.from(new Uint8Array(v))] });
      if (ArrayBuffer.isView(v) && kind !== 'DataView') return tag({ $t: [kind, Array.from(v, (e) => walk(e))] });
      const out = {};
      for (const k of keys) {
        const e = v[k];
        if (e !== undefined && typeof e !== 'function' && typeof e !== 'symbol') out[k] = walk(e);
      }
      return keys.some((k) => k[0] === '$') ? tag({ $o: out }) : out;
    };
    const packed = walk(value);
    return (tagged ? 't' : 'j') + JSON.stringify(packed);
  };
  const unpack = (text, handles) => {
    const packed = JSON.parse(text.slice(1));
    if (text[0] === 'j') return packed;
    const known = [];
    const note = (v) => { known.push(v); return v; };
    const fill = (out, o) => { for (const k of Object.keys(o)) out[k] = walk(o[k]); return out; };
    const tags = {
      $h: (n) => handles[n], $u: () => undefined, $n: (s) => Number(s), $b: (s) => BigInt(s), $r: (n) => known[n],
      $d: (t) => new Date(t), $x: ([source, flags]) => new RegExp(source, flags), $l: (href) => new URL(href),
      $e: ([name, message]) => Object.assign(new Error(message), { name }),
      $m: (list) => { const m = note(new Map()); for (const [k, e] of list) m.set(walk(k), walk(e)); return m; },
      $s: (list) => { const s = note(new Set()); for (const e of list) s.add(walk(e)); return s; },
      $t: ([kind, list]) => note(kind === 'ArrayBuffer' ? new Uint8Array(list).buffer : /^(Big)?(Int|Uint|Float)\d+(Clamped)?Array$/.test(kind) ? new globalThis[kind](list.map((e) => walk(e))) : list),
      $o: (o) => fill(note({}), o),
    };
    const walk = (j) => {
      if (j === null || typeof j !== 'object') return j;
      if (Array.isArray(j)) { const out = note([]); for (const e of j) out.push(walk(e)); return out; }
      const [first] = Object.keys(j);
      return first && first[0] === '$' ? tags[first](j[first]) : fill(note({}), j);
    };
    return walk(packed);
  };
  const packText = native.source(pack), unpackText = native.source(unpack);

  // source is the text of a function, or of code, as an expression.
  const source = (fn) => {
    const text = typeof fn === 'function' ? native.source(fn) : String(fn);
    const page = native.importing(text);
    if (native.compiles(`(${text})`)) return `(${page}\n)`;
    if (native.compiles(`({${text}})`)) return `Object.values({${page}})[0]`; // a method's shorthand
    return `(0, eval)(${JSON.stringify(page)})`;
  };
  // sent is an argument as playwright-go gets it, and the expression that is
  // its value where the page knows it as a.
  const sent = (value) => {
    if (value === undefined) return { is: 'undefined' };
    if (classOf(value) || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return { is: 'a', arg: value };
    const h = [];
    const j = pack(value, (v) => {
      if (typeof v === 'function') throw new TypeError('a function can not be given to the page as an argument; page.exposeFunction can');
      return classOf(v) ? h.push(v) - 1 : undefined;
    });
    return { is: `(${j[0] === 'j' ? '(text) => JSON.parse(text.slice(1))' : unpackText})(a.j, a.h)`, arg: { j, h } };
  };
  // applied is a function for the page that calls fn, with an argument of the
  // script's and, where params say so, with an element.
  const applied = (fn, params, is) => `(${params}) => { const f = ${source(fn)}; return typeof f === 'function' ? f(${params.replace(/\ba$/, () => is)}) : f; }`;
  const evaluated = (fn, params, is) => `async (${params}) => (${packText})(await (${applied(fn, params, is)})(${params}))`;

  const evaluates = (class_, name, params, selector) => define(class_, {
    async [name](...args) {
      const front = selector ? [String(args.shift())] : [];
      const [fn, value, options] = args, { is, arg } = sent(value);
      const text = await call(this, name, ...front, evaluated(fn, params, is), arg, ...(options ? [options] : []));
      return typeof text === 'string' ? unpack(text) : undefined;
    },
  });
  for (const c of ['Page', 'Frame', 'Worker']) evaluates(c, 'evaluate', 'a');
  for (const c of ['JSHandle', 'ElementHandle', 'Locator']) evaluates(c, 'evaluate', 'e, a');
  evaluates('Locator', 'evaluateAll', 'e, a');
  for (const c of ['Page', 'Frame', 'ElementHandle']) {
    evaluates(c, '$eval', 'e, a', true);
    evaluates(c, '$$eval', 'e, a', true);
  }
  define('JSHandle', { jsonValue() { return this.evaluate((v) => v); } });

  const addInitScript = function (script, arg) {
    if (typeof script !== 'function') return call(this, 'addInitScript', typeof script === 'string' ? { content: script } : script);
    const value = arg === undefined ? '' : `(${unpackText})(${JSON.stringify(pack(arg))})`;
    return call(this, 'addInitScript', { content: `(${native.importing(native.source(script))})(${value})` });
  };
  for (const c of ['Page', 'BrowserContext']) define(c, { addInitScript });

  scope.structuredClone = (v) => unpack(pack(v, (e) => {
    if (typeof e === 'function' || typeof e === 'symbol') throw Object.assign(new Error('structuredClone: a function or symbol can not be cloned'), { name: 'DataCloneError' });
  }));
  Object.assign(scope, { sent, applied, source });
}
