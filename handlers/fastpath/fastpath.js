// Answers reads inside a document. Runs in the driver's isolated world, which the
// page cannot reach. injected is Playwright's own injected script. KINDS is
// replaced by the packages' kinds, QUIET by what quiet.js answers,
// INSERT by the function that types, WATCH_PRESS by the one that watches a click.
(injected) => {
  // In XHTML, names of elements are in small letters. Here they are as in HTML.
  if (document.contentType !== 'text/html') for (const [of, name] of [[Node.prototype, 'nodeName'], [Element.prototype, 'tagName']]) {
    const property = Object.getOwnPropertyDescriptor(of, name), { get } = property;
    Object.defineProperty(of, name, { ...property, get() {
      return this.namespaceURI === 'http://www.w3.org/1999/xhtml' ? get.call(this).toUpperCase() : get.call(this);
    } });
  }
  // Not supported here: frames, and engines with state in another instance.
  const elsewhere = new Set(['internal:control', 'aria-ref', 'names']);
  const refuse = (parsed) => {
    for (const part of parsed.parts) {
      if (elsewhere.has(part.name)) throw new Error('not for here');
      if (part.body?.parsed) refuse(part.body.parsed);
    }
  };
  const known = new Map(); // selector -> parsed selector
  const parse = (sel) => {
    let parsed = known.get(sel);
    if (!parsed) {
      refuse(parsed = injected.parseSelector(sel));
      if (known.size >= 500) known.clear();
      known.set(sel, parsed);
    }
    return parsed;
  };
  const isScaled = (element) => visualViewport.scale !== 1 || !!visualViewport.offsetLeft || !!visualViewport.offsetTop ||
    (element.currentCSSZoom ?? 1) !== 1;
  const within = (r, left, top, width, height) => r.left >= left && r.top >= top && r.right <= left + width && r.bottom <= top + height;
  // A form's elements can shadow its properties by their names, so the getters come from the
  // prototypes.
  const getter = (of, name) => Object.getOwnPropertyDescriptor(of, name).get;
  const slot = getter(Element.prototype, 'assignedSlot'), parent = getter(Node.prototype, 'parentElement');
  const above = (e) => slot.call(e) ?? parent.call(e) ?? Node.prototype.getRootNode.call(e).host;
  // isShown: the whole box r of an element is visible, so nothing needs scrolling.
  const isShown = (element, r) => {
    for (let e = element; e; e = above(e)) {
      const style = getComputedStyle(e);
      if (e === element && e.firstElementChild && style.display === 'inline') return false; // Playwright takes the first of its parts
      if (style.perspective !== 'none' || style.transform.startsWith('matrix3d')) return false;
      if (e === element || e === document.body || e === document.documentElement || style.overflowX + style.overflowY === 'visiblevisible') continue;
      const box = e.getBoundingClientRect();
      if (!within(r, box.left + e.clientLeft, box.top + e.clientTop, e.clientWidth, e.clientHeight)) return false;
    }
    return within(r, 0, 0, innerWidth, innerHeight);
  };
  // bring scrolls an element into view as Playwright does, except where that takes time.
  const bring = (element) => {
    for (let e = element; e; e = above(e)) if (getComputedStyle(e).scrollBehavior === 'smooth') return;
    Element.prototype.scrollIntoViewIfNeeded.call(element);
  };
  // isStable is Playwright's check that an element is stable: two frames see it at the same place.
  const isStable = async (element) => {
    const seen = [];
    for (let n = 0; n < 2; n++) {
      await page.still.frame();
      const { left, top, width, height } = Element.prototype.getBoundingClientRect.call(element);
      seen.push([left, top, width, height].join());
    }
    return element.isConnected && seen[0] === seen[1];
  };
  // The argument of a kind. If the kind returns undefined or throws, the driver
  // is asked: it waits, and reports the error.
  const page = {
    injected,
    one: (sel) => injected.querySelector(parse(sel), document, false),
    all: (sel) => injected.querySelectorAll(parse(sel), document),
    // Clicks and boxes in progress by id; each value is taken once.
    aims: new Map(),
    aimed: (id) => taken(page.aims, id),
    clicks: new Map(), // and the last clicks, by id
    field: null, // the one that was made ready to be filled last
    type: (id, text) => {
      const { field } = page;
      page.field = null;
      return field?.id === id && ({INSERT})(field.element, text);
    },
    still: globalThis[Symbol.for('pwpipe')].still ??= {QUIET}, // a second watch would take the first one's timers for the page's
    isScaled, isShown, bring, isStable,
    watchPress: {WATCH_PRESS},
  };
  const taken = (from, id) => {
    const value = from.get(id);
    from.delete(id);
    return value;
  };
  const kinds = {KINDS};
  const driver = 0, again = 1, long = 2; // answers without a value: ask the driver; ask again; too long for anyone

  const most = 1 << 20, maxOne = 1 << 25; // characters
  const patience = 30; // milliseconds, then the rest waits for the next message
  const size = (v) => typeof v === 'string' ? v.length : Array.isArray(v) ? v.reduce((n, e) => n + size(e) + 8, 8) : 8;

  // read answers questions, each [kind, selector, argument]. The first answer is
  // the document's URL. What does not fit in one message, or follows a slow
  // answer, is left for the next message, so that answers stay in order.
  const read = (questions) => {
    const href = location.href, begin = performance.now();
    const answers = [href.length > 4096 ? '' : href];
    let told = 0, full = false;
    for (const [kind, sel, arg] of JSON.parse(questions)) {
      if (full) {
        answers.push(again);
        continue;
      }
      let value;
      try {
        value = kinds[kind](page, sel, arg);
      } catch {
        value = undefined;
      }
      const own = value === undefined ? 0 : size(value);
      told += own;
      full = told > most || performance.now() - begin > patience;
      if (told > most && answers.length > 1) answers.push(again);
      else answers.push(value === undefined ? driver : own > maxOne ? long : [value]);
    }
    return answers;
  };
  return { read, page };
}
