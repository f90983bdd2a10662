(call) => {
  // Input and output are one string where possible, because Playwright walks
  // anything else member by member. In: code that begins with a comment of fixed
  // length, which holds the patience in ms, and "a" where the code awaits; or an
  // array of this and an argument. Out: "=" and JSON, "!" and an error, or "?" for
  // a promise that did not settle.
  // Pages may have replaced built-ins, so this uses syntax where it can, and no method of strings.
  const code = typeof call === 'string' ? call : call[0], arg = typeof call === 'string' ? undefined : call[1];
  let ms = 0;
  for (let i = 2; i < 12; i++) ms = ms * 10 + +code[i];
  const awaits = code[12] === 'a';
  const fail = (message) => { throw { pwpipe: message }; };
  const native = (f) => typeof f === 'function' && /\[native code\]/.test(Function.prototype.toString.call(f));
  // The result is copied into several processes, so its size is bounded.
  const most = 1 << 25; // characters
  let left = most;
  const spend = (n) => {
    if ((left -= n) < 0) fail(`the result is longer than ${most} characters, and no more are handed over; return a part of it at a time`);
  };
  const small = { __proto__: null, A: 'a', B: 'b', C: 'c', D: 'd', E: 'e', F: 'f' };
  const hex = (digit) => small[digit] || digit;
  const quote = (s) => (spend(s.length + 2), quoted(s));
  const quoted = native(JSON.stringify) ? JSON.stringify : (s) => {
    let out = '"';
    for (let i = 0; i < s.length; i++) {
      const c = s[i];
      if (c === '"' || c === '\\') out += '\\' + c;
      else if (c < ' ' || c >= '\ud800' && c <= '\udfff') {
        const e = escape(c); // %0A or %uD83D
        out += '\\u' + (e.length === 3 ? '00' + hex(e[1]) + hex(e[2]) : hex(e[2]) + hex(e[3]) + hex(e[4]) + hex(e[5]));
      } else out += c;
    }
    return out + '"';
  };
  const tag = (v) => Object.prototype.toString.call(v);
  // The value as JSON, as Playwright's own client would return it; undefined
  // for a function, a symbol or undefined.
  const json = (v, path, above) => {
    spend(2);
    switch (typeof v) {
      case 'undefined': case 'function': case 'symbol': return undefined;
      case 'boolean': return v ? 'true' : 'false';
      case 'string': return quote(v);
      case 'bigint': return v + '';
      case 'number':
        if (v !== v || v === Infinity || v === -Infinity) fail(`${path} is ${v}, which JSON can't hold; return it as a string`);
        return Object.is(v, -0) ? '-0' : v + '';
    }
    if (v === null) return 'null';
    for (let p = above; p; p = p.above) {
      if (p.value === v) fail(`${path} is circular: it holds ${p.path}`);
    }
    const here = { value: v, path, above };
    if (typeof Window !== 'undefined' && v === v.window) fail(`${path} is a window, which JSON can't hold; return what you need of it`);
    if (typeof Node !== 'undefined' && v instanceof Node) fail(`${path} is a node, ${v.nodeName}, which JSON can't hold; return its text or an attribute`);
    switch (tag(v)) {
      case '[object Date]': {
        if (v.getTime() !== v.getTime()) fail(`${path} is an invalid date`);
        return quote(v.toISOString());
      }
      case '[object RegExp]': case '[object URL]': return quote(String(v));
      case '[object Map]': fail(`${path} is a Map, which JSON can't hold; return Object.fromEntries(…) or [...map]`);
      case '[object Set]': fail(`${path} is a Set, which JSON can't hold; return [...set]`);
      case '[object Boolean]': case '[object Number]': case '[object String]': case '[object BigInt]':
        return json(v.valueOf(), path, here);
    }
    if (v instanceof Error || tag(v) === '[object Error]') {
      return `{"name":${quote(v.name + '')},"message":${quote(v.message + '')},"stack":${quote(v.stack + '')}}`;
    }
    if (Array.isArray(v) || ArrayBuffer.isView(v) && !(v instanceof DataView)) {
      let out = '[';
      for (let i = 0; i < v.length; i++) {
        const e = json(v[i], `${path}[${i}]`, here);
        out += (i ? ',' : '') + (e === undefined ? 'null' : e);
      }
      return out + ']';
    }
    if (v instanceof ArrayBuffer) return json(new Uint8Array(v), path, here);
    let out = '', n = 0;
    const keys = Object.keys(v);
    for (let i = 0; i < keys.length; i++) {
      let value;
      try { value = v[keys[i]]; } catch { continue; }
      const e = json(value, `${path}.${keys[i]}`, here);
      if (e !== undefined) { out += (n++ ? ',' : '') + quote(keys[i]) + ':' + e; }
    }
    // Objects such as DOMRect expose their values only through toJSON.
    if (keys.length === 0 && typeof v.toJSON === 'function') return json(v.toJSON(), path, here);
    return '{' + out + '}';
  };
  const answer = (v) => {
    try {
      const text = '=' + (json(v, 'the result', null) ?? 'null');
      spend(text.length - most + left); // escaping may have lengthened strings
      return text;
    } catch (e) {
      if (e && e.pwpipe) return '!' + e.pwpipe;
      if (e instanceof RangeError) return '!the result is nested too deeply';
      throw e;
    }
  };
  const run = () => {
    let v;
    try {
      v = (0, eval)(code);
    } catch (e) {
      if (!(e instanceof SyntaxError) || !awaits) throw e;
      // Top-level await, as in a console.
      try { v = (0, eval)('(async () => (' + code + '\n))()'); } catch { v = (0, eval)('(async () => {' + code + '\n})()'); }
    }
    return typeof v === 'function' ? v(arg) : v;
  };
  const v = run();
  if (v === null || typeof v !== 'object' && typeof v !== 'function' || typeof v.then !== 'function') return answer(v);
  // Awaits a thenable of our own: the page may have replaced Promise.
  return (async () => {
    const [settled, value] = await {
      then: (resolve, reject) => {
        const timer = setTimeout(() => resolve([false]), ms);
        v.then((x) => { clearTimeout(timer); resolve([true, x]); }, (e) => { clearTimeout(timer); reject(e); });
      },
    };
    return settled ? answer(value) : '?';
  })();
}
