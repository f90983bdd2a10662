// --- Async context. Node's own AsyncLocalStorage counts enters and exits, and
// ends the process if they do not match, as after code that was stopped in the
// middle. This one does not count. Playwright and this program use it.

let zone; // Map of storage -> value, never modified
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
// outside wraps a handler of input from outside the process. It runs in no
// zone, whatever was stopped before. It is not stopped itself.
let atWork = 0;
const outside = (fn) => function(...args) {
  zone = undefined;
  atWork++;
  try { return fn.apply(this, args); } finally { atWork--; }
};
// whole wraps a function that must complete, so that no half message is sent.
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

// runs holds the run to which async code belongs.
const runs = new Storage();
