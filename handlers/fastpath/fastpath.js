// Answers reads inside a document. Runs in the driver's isolated world, which the
// page cannot reach. injected is Playwright's own injected script. KINDS is
// replaced by the packages' kinds, QUIET by what quiet.js answers.
(injected) => {
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
  // The argument of a kind. If the kind returns undefined or throws, the driver
  // is asked: it waits, and reports the error.
  const page = {
    injected,
    one: (sel) => injected.querySelector(parse(sel), document, false),
    all: (sel) => injected.querySelectorAll(parse(sel), document),
    // Clicks in progress by id; each value is taken once.
    aims: new Map(), hits: new Map(),
    aimed: (id) => taken(page.aims, id),
    hit: (id) => taken(page.hits, id)?.(),
    still: {QUIET},
  };
  const taken = (from, id) => {
    const value = from.get(id);
    from.delete(id);
    return value;
  };
  const kinds = {KINDS};
  const driver = 0, again = 1, long = 2; // answers without a value: ask the driver; ask again; too long for anyone

  const most = 1 << 20, mostOfOne = 1 << 25; // characters
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
      else answers.push(value === undefined ? driver : own > mostOfOne ? long : [value]);
    }
    return answers;
  };
  return { read, page };
}
