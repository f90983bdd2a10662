// What answers reads in a document: it stands in the driver's isolated world, out
// of the page's reach. injected is Playwright's own; KINDS stands for what the
// rooms declare.
(injected) => {
  // Not for here: frames, what another instance holds.
  const elsewhere = new Set(['internal:control', 'aria-ref', 'names']);
  const refuse = (parsed) => {
    for (const part of parsed.parts) {
      if (elsewhere.has(part.name)) throw new Error('not for here');
      if (part.body?.parsed) refuse(part.body.parsed);
    }
  };
  const known = new Map(); // what selectors are parsed to
  const parse = (sel) => {
    let parsed = known.get(sel);
    if (!parsed) {
      refuse(parsed = injected.parseSelector(sel));
      if (known.size >= 500) known.clear();
      known.set(sel, parsed);
    }
    return parsed;
  };
  // What a kind is given. Where it answers undefined, or throws, the driver is
  // asked: it waits, and words the error.
  const page = {
    injected,
    one: (sel) => injected.querySelector(parse(sel), document, false),
    all: (sel) => injected.querySelectorAll(parse(sel), document),
    // What clicks have under way, by their ids; each is asked for once.
    aims: new Map(), hits: new Map(),
    aimed: (id) => taken(page.aims, id),
    hit: (id) => taken(page.hits, id)?.(),
  };
  const taken = (from, id) => {
    const value = from.get(id);
    from.delete(id);
    return value;
  };
  const kinds = {KINDS};
  const driver = 0, again = 1, long = 2; // of an answer: the driver's to give; ask once more; nobody's

  const most = 1 << 20, mostOfOne = 1 << 25; // characters
  const patience = 30; // milliseconds after which the rest waits for the next message
  const size = (v) => typeof v === 'string' ? v.length : Array.isArray(v) ? v.reduce((n, e) => n + size(e) + 8, 8) : 8;

  // read answers questions, each [kind, selector, argument], and first of all
  // where the document is. What is too large for one message, or takes long,
  // leaves the rest for the next: no answer is later than one that was asked
  // for after it.
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
