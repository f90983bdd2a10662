(native, scope) => {
  'use strict';
  // Bounds on single steps that could take all memory, or all time, at once:
  // the engine can't be interrupted in them.
  const bound = (proto, name, size) => {
    const original = proto[name];
    Object.defineProperty(proto, name, { configurable: true, writable: true, value: function (...args) {
      if (size.apply(this, args) > 1 << 27) throw new RangeError(`${name}: the result would be too large`);
      return original.apply(this, args);
    } });
  };
  bound(String.prototype, 'repeat', function (n) { return String(this).length * n; });
  bound(String.prototype, 'padStart', (n) => n);
  bound(String.prototype, 'padEnd', (n) => n);
  bound(Array.prototype, 'join', function (s) { return this.length * String(s ?? ',').length; });
  bound(Array.prototype, 'fill', function () { return this.length * 4; });
  for (const name of ['replace', 'replaceAll']) bound(String.prototype, name, function (what, by) {
    const text = String(this);
    return typeof by !== 'string' || text.length * by.length < 1 << 27 ? 0 : (text.split(what).length - 1) * by.length;
  });
  // A method that walks an array can't be interrupted where it calls nothing.
  const walk = 1 << 24;
  for (const name of Object.getOwnPropertyNames(Array.prototype)) {
    const original = Array.prototype[name];
    if (typeof original !== 'function' || /^(constructor|push|pop|at|with)$/.test(name)) continue;
    Object.defineProperty(Array.prototype, name, { configurable: true, writable: true, value: { [name](...args) {
      if (this !== null && this !== undefined && this.length > walk) throw new RangeError(`${name}: the array is too large`);
      return original.apply(this, args);
    } }[name] });
  }
  const from = Array.from;
  Array.from = (list, ...rest) => {
    if (list !== null && list !== undefined && list.length > walk) throw new RangeError('Array.from: too large');
    return from.call(Array, list, ...rest);
  };
  for (const name of ['ArrayBuffer', 'Uint8Array', 'Int8Array', 'Uint8ClampedArray', 'Uint16Array', 'Int16Array', 'Uint32Array', 'Int32Array', 'Float32Array', 'Float64Array']) {
    const Original = globalThis[name];
    const Bounded = class extends Original { constructor(...args) {
      if (typeof args[0] === 'number' && args[0] > 1 << 27) throw new RangeError(`${name}: too large`);
      super(...args);
    } };
    Object.defineProperty(Bounded, 'name', { value: name });
    Object.defineProperty(Bounded, Symbol.hasInstance, { value: (v) => v instanceof Original });
    Object.defineProperty(globalThis, name, { value: Bounded, configurable: true, writable: true });
  }
  if (!Buffer.isBuffer) Buffer.isBuffer = (v) => v !== null && typeof v === 'object' && Object.getPrototypeOf(v) === Buffer.prototype;
  if (!Buffer.byteLength) Buffer.byteLength = (s, enc) => typeof s === 'string' ? Buffer.from(s, enc).length : s.byteLength;
  const alloc = Buffer.alloc;
  Buffer.alloc = (n, ...rest) => { if (n > 1 << 27) throw new RangeError('Buffer.alloc: too large'); return alloc.call(Buffer, n, ...rest); };
}
