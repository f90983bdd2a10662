(native, scope) => {
  'use strict';
  // What people use of the language that the engine does not have yet.
  const add = (object, methods) => {
    for (const [name, value] of Object.entries(methods)) {
      if (!(name in object)) Object.defineProperty(object, name, { value, configurable: true, writable: true });
    }
  };
  const grouped = (items, key) => {
    const groups = new Map();
    let i = 0;
    for (const item of items) {
      const k = key(item, i++);
      if (groups.has(k)) groups.get(k).push(item); else groups.set(k, [item]);
    }
    return groups;
  };
  if (!Symbol.asyncIterator) Object.defineProperty(Symbol, 'asyncIterator', { value: Symbol.for('Symbol.asyncIterator') });
  add(Object, { groupBy: (items, key) => Object.assign(Object.create(null), Object.fromEntries(grouped(items, key))) });
  add(Map, { groupBy: grouped });
  add(Promise, {
    withResolvers: () => { const p = {}; p.promise = new Promise((resolve, reject) => Object.assign(p, { resolve, reject })); return p; },
    try: (fn, ...args) => new Promise((resolve) => resolve(fn(...args))),
  });
  add(Array, { async fromAsync(items, map = (v) => v) {
    const out = [], iterate = items[Symbol.asyncIterator];
    const it = iterate ? iterate.call(items) : Array.from(items).values();
    for (let step; !(step = await it.next()).done;) out.push(await map(await step.value, out.length));
    return out;
  } });
  add(RegExp, { escape: (s) => String(s).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&') });
  // The methods of iterators, over their prototype that all of them share.
  const Iterator = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  add(Iterator, {
    *map(fn) { let i = 0; for (const v of this) yield fn(v, i++); },
    *filter(fn) { let i = 0; for (const v of this) if (fn(v, i++)) yield v; },
    *take(n) { if (n > 0) for (const v of this) { yield v; if (--n <= 0) return; } },
    *drop(n) { for (const v of this) if (n-- <= 0) yield v; },
    *flatMap(fn) { let i = 0; for (const v of this) yield* fn(v, i++); },
    toArray() { return [...this]; },
    forEach(fn) { let i = 0; for (const v of this) fn(v, i++); },
    reduce(fn, ...first) { return [...this].reduce(fn, ...first); },
    some(fn) { let i = 0; for (const v of this) if (fn(v, i++)) return true; return false; },
    every(fn) { let i = 0; for (const v of this) if (!fn(v, i++)) return false; return true; },
    find(fn) { let i = 0; for (const v of this) if (fn(v, i++)) return v; },
  });
}
