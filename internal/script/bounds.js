(b) => {
  'use strict';
  // Bounds on what the engine makes in one step, where JavaScript can stand in
  // front of it: constructors, and what the engine's own functions would do
  // with a long text all at once. What a script hands over is turned into a
  // number or a text once; that is checked, and used.
  const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect;
  const { isArray } = Array, { push, join, values } = Array.prototype, { exec } = RegExp.prototype;
  const { slice } = String.prototype, charCode = String.prototype.charCodeAt, { includes } = String.prototype;
  const refuse = (text) => { throw new RangeError(text); };
  const isObject = (v) => v !== null && (typeof v === 'object' || typeof v === 'function');

  // instead puts a constructor in the place of another, with all that it has.
  // The engine makes of undefined for a species what it makes by itself.
  const instead = (holder, name, Was, Now, parent) => {
    for (const key of ownKeys(Was)) {
      if (key === Symbol.species) defineProperty(Now, key, { configurable: true, get() { return this === Now ? undefined : this; } });
      else defineProperty(Now, key, getOwnPropertyDescriptor(Was, key));
    }
    setPrototypeOf(Now, parent || getPrototypeOf(Was));
    if (Was.prototype && getOwnPropertyDescriptor(Was.prototype, 'constructor')) defineProperty(Was.prototype, 'constructor', { value: Now, configurable: true, writable: true, enumerable: false });
    if (holder) defineProperty(holder, name, { value: Now, configurable: true, writable: true, enumerable: false });
    return Now;
  };

  // ---- Bytes.
  const bytes = (v, size, what) => {
    const n = +v;
    if (n * size > b.maxBuffer) refuse(`${what}: ${n} members of ${size} bytes, ${b.maxBuffer} bytes are the most`);
    return n;
  };
  const WasBuffer = ArrayBuffer;
  instead(globalThis, 'ArrayBuffer', WasBuffer, function ArrayBuffer(length) {
    if (new.target === undefined) return WasBuffer();
    return construct(WasBuffer, [bytes(length, 1, 'ArrayBuffer')], new.target);
  });
  const WasTyped = getPrototypeOf(Uint8Array);
  const TypedArray = instead(null, '', WasTyped, function TypedArray() { return WasTyped(); });
  for (const name of ['Int8', 'Uint8', 'Uint8Clamped', 'Int16', 'Uint16', 'Int32', 'Uint32', 'Float32', 'Float64', 'BigInt64', 'BigUint64']) {
    const Was = globalThis[name + 'Array'], size = Was.BYTES_PER_ELEMENT;
    const Now = function (first, ...rest) {
      if (new.target === undefined) return Was();
      const given = isObject(first) ? (b.isBuffer(first) ? first : b.items(first, b.maxBuffer / size, name + 'Array')) : first === undefined ? 0 : bytes(first, size, name + 'Array');
      return construct(Was, [given, ...rest], new.target);
    };
    instead(globalThis, name + 'Array', Was, Now, TypedArray);
  }
  const WasNode = Buffer, { from, alloc, concat } = Buffer;
  const fromAny = (v, ...rest) => {
    if (!isObject(v) || b.isBuffer(v) || v instanceof WasTyped) return apply(from, WasNode, [v, ...rest]);
    if (isArray(v)) return apply(from, WasNode, [b.items(v, b.maxMade, 'Buffer.from'), ...rest]);
    const value = typeof v.valueOf === 'function' ? v.valueOf() : v;
    if (value !== v) return fromAny(value, ...rest);
    const primitive = v[Symbol.toPrimitive];
    if (typeof primitive === 'function') return fromAny(apply(primitive, v, ['string']), ...rest);
    return apply(from, WasNode, [b.copied(v, b.maxMade, 'Buffer.from')]);
  };
  const NowNode = instead(globalThis, 'Buffer', WasNode, function Buffer(...args) {
    if (typeof args[0] === 'number') return WasNode(args[0]);
    return fromAny(...args);
  }, Uint8Array);
  const give = (object, methods) => {
    for (const name of ownKeys(methods)) defineProperty(object, name, { value: methods[name], configurable: true, writable: true, enumerable: false });
  };
  give(NowNode, {
    from(...args) { return fromAny(...args); },
    alloc(n, ...rest) { return apply(alloc, WasNode, [typeof n === 'number' ? bytes(n, 1, 'Buffer.alloc') : n, ...rest]); },
    concat(list, total) {
      const all = isArray(list) ? b.copied(list, b.maxMade, 'Buffer.concat') : list;
      let sum = 0;
      if (isArray(all)) for (const part of all) sum += isObject(part) && part.length || 0;
      if (total !== undefined) sum = Math.max(sum, total = +total);
      bytes(sum, 1, 'Buffer.concat');
      return apply(concat, WasNode, total === undefined ? [all] : [all, total]);
    },
    isBuffer(v) { return isObject(v) && typeof v !== 'function' && getPrototypeOf(v) === WasNode.prototype; },
    byteLength(v, encoding) { return typeof v === 'string' ? fromAny(v, encoding).length : v.byteLength; },
  });

  // ---- Sets and maps: the engine takes an array at once, its iterator member
  // by member.
  for (const name of ['Set', 'Map', 'WeakSet', 'WeakMap']) {
    const Was = globalThis[name];
    const Now = function (list) {
      if (new.target === undefined) return Was();
      return construct(Was, isArray(list) && list.length > 1 << 16 ? [apply(values, list, [])] : list === undefined ? [] : [list], new.target);
    };
    instead(globalThis, name, Was, Now);
    defineProperty(Now, 'length', { value: 0, configurable: true });
  }

  // ---- Numbers of any size.
  const WasBig = BigInt;
  instead(globalThis, 'BigInt', WasBig, function BigInt(v) {
    if (new.target !== undefined) throw new TypeError('BigInt is not a constructor');
    const p = primitive(v);
    if (typeof p === 'string' && p.length > b.maxDigits) refuse(`BigInt: ${p.length} digits, ${b.maxDigits} are the most`);
    return WasBig(p);
  });
  const primitive = (v) => {
    if (!isObject(v)) return v;
    const own = v[Symbol.toPrimitive];
    if (own !== undefined && own !== null) return apply(own, v, ['number']);
    const value = v.valueOf();
    return isObject(value) ? v.toString() : value;
  };
  const shift = (by) => {
    if (typeof by === 'number') return by;
    by = primitive(by);
    if (typeof by === 'bigint' && (by > b.maxBits || by < -b.maxBits)) refuse(`BigInt: a shift by ${by}, ${b.maxBits} is the most`);
    return by;
  };
  const power = function (base, by) {
    if (arguments.length === 1) { // the right side of o[k] **= by
      const e = primitive(base);
      if (typeof e === 'bigint' && e > 1024n) refuse('BigInt: to the power of more than 1024, with **=');
      return e;
    }
    if (typeof base !== 'number') base = primitive(base);
    if (typeof by !== 'number') by = primitive(by);
    if (typeof base === 'bigint' && typeof by === 'bigint' && base * base > 1n) {
      const bits = base.toString(16).length * 4;
      if (by > b.maxBits / bits) refuse(`BigInt: ${bits} bits to the power of ${by}, ${b.maxBits} bits are the most`);
    }
    return base ** by;
  };

  // ---- Functions and proxies.
  const define = Object.defineProperties;
  give(Function.prototype, {
    bind(self, ...first) {
      const target = this;
      if (typeof target !== 'function') throw new TypeError('Bind must be called on a function');
      const bound = function (...rest) {
        const args = [...first, ...rest];
        return new.target === undefined ? apply(target, self, args) : construct(target, args, new.target === bound ? target : new.target);
      };
      const { length, name } = target;
      return define(bound, {
        name: { value: `bound ${typeof name === 'string' ? slice.call(name, 0, 1000) : ''}`, configurable: true },
        length: { value: typeof length === 'number' ? Math.max(0, length - first.length) : 0, configurable: true },
        prototype: { value: undefined, writable: false },
        [Symbol.hasInstance]: { value: (v) => v instanceof target },
      });
    },
  });
  const WasProxy = Proxy, { revocable } = Proxy;
  instead(globalThis, 'Proxy', WasProxy, function Proxy(target, handler) {
    if (new.target === undefined) throw new TypeError("Constructor Proxy requires 'new'");
    b.proxied(target, handler);
    return new WasProxy(target, handler);
  });
  give(globalThis.Proxy, { revocable(target, handler) { b.proxied(target, handler); return revocable(target, handler); } });

  // ---- Patterns.
  const WasRegExp = RegExp;
  const pattern = function RegExp(source, flags) {
    const isRegExp = isObject(source) && (source[Symbol.match] === undefined ? b.isRegExp(source) : !!source[Symbol.match]);
    if (isRegExp && new.target === undefined && flags === undefined && source.constructor === pattern) return source;
    if (isObject(source) && b.isRegExp(source)) return construct(WasRegExp, flags === undefined ? [source] : [source, `${flags}`], new.target || pattern);
    const f = flags !== undefined ? `${flags}` : isRegExp ? `${source.flags}` : '', s = isRegExp ? `${source.source}` : source === undefined ? '' : `${source}`;
    b.checkPattern(s, f);
    return construct(WasRegExp, [s, f], new.target || pattern);
  };
  instead(globalThis, 'RegExp', WasRegExp, pattern);
  defineProperty(pattern, 'length', { value: 2, configurable: true });

  // each calls a function with every match of a pattern in a text.
  const each = (rx, text, global, call) => {
    if (global) rx.lastIndex = 0;
    for (let m; (m = apply(exec, rx, [text])) !== null;) {
      call(m);
      if (!global) return;
      if (m[0] === '') rx.lastIndex++;
    }
  };
  const expand = (by, m, text) => {
    let out = '';
    for (let i = 0; i < by.length; i++) {
      const c = by[i], d = by[i + 1];
      if (c !== '$' || d === undefined) { out += c; continue; }
      const two = charCode.call(by, i + 2) - 48, one = charCode.call(by, i + 1) - 48;
      if (d === '$') { out += '$'; i++; }
      else if (d === '&') { out += m[0]; i++; }
      else if (d === '`') { out += slice.call(text, 0, m.index); i++; }
      else if (d === "'") { out += slice.call(text, m.index + m[0].length); i++; }
      else if (one >= 0 && one <= 9 && two >= 0 && two <= 9 && one * 10 + two > 0 && one * 10 + two < m.length) { out += m[one * 10 + two] ?? ''; i += 2; }
      else if (one >= 1 && one < m.length) { out += m[one] ?? ''; i++; }
      else if (d === '<' && m.groups && by.indexOf('>', i) > 0) { const end = by.indexOf('>', i); out += m.groups[slice.call(by, i + 2, end)] ?? ''; i = end; }
      else out += c;
      if (out.length > b.maxText) refuse(`replace: the text would have more than ${b.maxText} characters`);
    }
    return out;
  };
  const slow = {
    match(rx, text) {
      if (!rx.global) return apply(exec, rx, [text]);
      const out = [];
      each(rx, text, true, (m) => { if (apply(push, out, [m[0]]) > b.maxMade) refuse(`match: more than ${b.maxMade} matches`); });
      return out.length ? out : null;
    },
    replace(rx, text, by) {
      const out = [], { global } = rx;
      let size = 0, last = 0;
      const put = (part) => {
        if ((size += part.length) > b.maxText) refuse(`replace: the text would have more than ${b.maxText} characters`);
        apply(push, out, [part]);
      };
      each(rx, text, global, (m) => {
        const { index } = m, all = m.groups === undefined ? [...m, index, text] : [...m, index, text, m.groups];
        put(slice.call(text, last, index));
        put(typeof by === 'function' ? `${apply(by, undefined, all)}` : expand(by, m, text));
        last = index + m[0].length;
      });
      put(slice.call(text, last));
      return apply(join, out, ['']);
    },
    split(rx, text, limit) {
      const most = limit === undefined ? 2 ** 32 - 1 : limit >>> 0, out = [];
      const put = (part) => { if (apply(push, out, [part]) > b.maxMade) refuse(`split: the text has more than ${b.maxMade} parts`); return out.length >= most; };
      if (most === 0) return out;
      const all = construct(WasRegExp, [rx, rx.flags.replace(/[gy]/g, '') + 'g']);
      let last = 0, m;
      for (all.lastIndex = 0; (m = apply(exec, all, [text])) !== null;) {
        const { index } = m, end = index + m[0].length;
        if (end === last && m[0] === '' || index >= text.length) {
          if (++all.lastIndex > text.length || index >= text.length) break;
          continue;
        }
        if (put(slice.call(text, last, index))) return out;
        for (let i = 1; i < m.length; i++) if (put(m[i])) return out;
        last = end;
        if (m[0] === '') all.lastIndex = end + 1;
      }
      put(slice.call(text, last));
      return out;
    },
    revive(value, reviver) {
      const walk = (holder, key) => {
        const v = holder[key];
        if (isObject(v)) {
          const keys = isArray(v) ? null : Object.keys(v), n = keys ? keys.length : v.length;
          for (let i = 0; i < n; i++) {
            const k = keys ? keys[i] : `${i}`, now = walk(v, k);
            if (now === undefined) delete v[k];
            else defineProperty(v, k, { value: now, configurable: true, enumerable: true, writable: true });
          }
        }
        return apply(reviver, holder, [key, v]);
      };
      return walk({ '': value }, '');
    },
  };
  const { raw } = String;
  give(String, {
    raw(template, ...values) {
      const parts = b.copied(template.raw, b.maxMade, 'String.raw');
      let size = 0;
      const text = (v) => { const s = `${v}`; if ((size += s.length) > b.maxText) refuse(`String.raw: the text would have more than ${b.maxText} characters`); return s; };
      for (let i = 0; i < parts.length; i++) parts[i] = text(parts[i]);
      for (let i = 0; i < values.length; i++) values[i] = text(values[i]);
      return raw({ raw: parts }, ...values);
    },
  });
  return { slow, guards: [shift, power] };
}
