// --- What belongs together although it happens later. Node's own
// AsyncLocalStorage counts what is entered and left, and ends the process where
// that does not come out even: as after code that was stopped in the middle.
// This one counts nothing. Playwright and we use it.

let zone; // storage -> value, never changed
const zoneOf = Symbol('zone');
function followPromises() {
  require('v8').promiseHooks.createHook({
    init(promise) { if (zone) promise[zoneOf] = zone; },
    before(promise) { zone = promise[zoneOf]; },
    after() { zone = undefined; },
  });
  Object.defineProperty(require('async_hooks'), 'AsyncLocalStorage', { value: Storage, enumerable: true, configurable: true, writable: true });
}

class Storage {
  getStore() { return zone && zone.get(this); }
  run(value, fn, ...args) {
    const before = zone;
    zone = new Map(before).set(this, value);
    try { return fn(...args); } finally { zone = before; }
  }
  exit(fn, ...args) { return this.run(undefined, fn, ...args); }
  enterWith(value) { zone = new Map(zone).set(this, value); }
  disable() {}
}

const inZone = (fn) => {
  const then = zone;
  return !then || typeof fn !== 'function' ? fn : function(...args) {
    const before = zone;
    zone = then;
    try { return fn.apply(this, args); } finally { zone = before; }
  };
};
// outside runs what comes from outside of the process: it belongs to nothing,
// whatever was stopped before.
// It is not stopped in the middle itself.
let atWork = 0;
const outside = (fn) => function(...args) {
  zone = undefined;
  atWork++;
  try { return fn.apply(this, args); } finally { atWork--; }
};
// whole runs to its end, whoever calls it: half a message would be the last.
const whole = (fn) => (...args) => {
  atWork++;
  try { return fn(...args); } finally { atWork--; }
};
for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']) {
  const begin = globalThis[name];
  globalThis[name] = Object.defineProperties((fn, ...args) => begin(inZone(fn), ...args), Object.getOwnPropertyDescriptors(begin));
}
{
  const { nextTick } = process;
  process.nextTick = (fn, ...args) => nextTick(inZone(fn), ...args);
}

// runs tells, in whatever a script has begun, which run it belongs to.
const runs = new Storage();
