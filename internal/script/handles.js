(native, scope) => {
  'use strict';
  // Handles. playwright-go fails where a handle turns out to be an element,
  // except in frame.evaluateHandle: so every handle comes from there. A handle
  // that is no element does not know its frame; it is remembered here.
  const { define, sent, applied } = scope, { call, classOf } = native;
  const frames = new WeakMap();
  const frameOf = async (o) => {
    const main = () => native.page().mainFrame();
    switch (classOf(o)) {
      case 'Frame': return o;
      case 'Page': return o.mainFrame();
      case 'ElementHandle': return await o.ownerFrame() || main();
    }
    return frames.get(o) || main();
  };
  // handleIn is what a function answers for the argument, in the page.
  const handleIn = async (frame, fn, value) => {
    const { is, arg } = sent(value);
    const h = await call(frame, 'evaluateHandle', applied(fn, 'a', is), arg);
    if (h) frames.set(h, frame);
    return h;
  };

  for (const c of ['Page', 'Frame']) define(c, {
    async evaluateHandle(fn, arg) { return handleIn(await frameOf(this), fn, arg); },
    // The value waited for comes in a box, as it may be an element.
    async waitForFunction(fn, value, options) {
      const frame = await frameOf(this), { is, arg } = sent(value);
      const code = `async (a) => { const v = await (${applied(fn, 'a', is)})(a); return v ? { v } : null; }`;
      const box = await call(frame, 'waitForFunction', code, arg, options || {});
      return handleIn(frame, '(box) => box.v', box);
    },
  });
  const ofHandle = {
    async evaluateHandle(fn, arg) {
      return handleIn(await frameOf(this), `([e, a]) => (${applied(fn, 'e, a', 'a')})(e, a)`, [this, arg]);
    },
    async getProperty(name) { return this.evaluateHandle((o, name) => o[name], name); },
    async getProperties() {
      const all = new Map();
      for (const name of await this.evaluate((o) => Object.keys(o))) all.set(name, await this.getProperty(name));
      return all;
    },
  };
  define('JSHandle', { ...ofHandle, asElement() { return null; } });
  define('ElementHandle', { ...ofHandle, asElement() { return this; } });
  define('Locator', {
    async evaluateHandle(fn, arg, options) { return (await this.elementHandle(options)).evaluateHandle(fn, arg); },
  });
  define('ConsoleMessage', {
    args() {
      try { return call(this, 'args'); } catch (e) {
        throw new Error('consoleMessage.args: an element was logged, which playwright-go cannot hand out; use text()');
      }
    },
  });
}
