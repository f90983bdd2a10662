// captions.js finds the text that stands beside a field without a name on its line, as a person takes it for what
// the field is called: CAPTIONS in refs.js stands for what this function makes. A text that may belong to two
// fields is nobody's. The lists are the children of a node as walk.js gathers them: nodes and texts.
(look, parentOf) => {
  const line = '\v', cell = '\f', begin = '\u2028', end = '\u2029'; // between lines, and parts of one; around a text that is no part of those beside it
  const maxCaption = 80;
  const fields = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider', 'checkbox', 'radio', 'switch', 'listbox']);
  const choices = new Set(['checkbox', 'radio', 'switch']); // what each stands for comes behind it
  const words = new Set(['strong', 'emphasis', 'code', 'mark', 'time']);

  // breaks is what an element that is drawn as a block stands between: two lines, or parts of one.
  const breaks = (e, display) => e.nodeName === 'BR' ? line : isInline(display) ? ' ' : isPart(e) ? cell : line;
  const isInline = (display) => /^(inline|table-cell|contents|none|ruby)/.test(display);
  const isPart = (e) => /(flex|grid)$/.test(parentOf(e) && look(parentOf(e))?.display);
  const isNameless = (c) => !c.name && fields.has(c.role);

  // given has each field without a name know on which side its text is, and sets such texts apart from the rest.
  const given = (list) => {
    if (!list.some(isNameless)) return list;
    const apart = new Map(), told = new Map(); // where a text begins -> where it ends; field -> side
    let texts = false, run = [], labels = false, edge = line; // run: fields and texts beside each other; edge: the last before what comes
    const close = () => {
      if (texts) give(run, told, apart);
      [texts, run] = [false, []];
    };
    list.forEach((c, i) => {
      const last = run.at(-1), text = last?.said !== undefined;
      if (c === line || c === begin || c === end) {
        if (text && c === line && last.edge === cell && !last.left) last.stacked = true;
        if (c !== line) labels = c === begin;
        edge = line;
        close();
      } else if (c === cell) {
        edge = cell;
        if (text) last.left = true;
      } else if (typeof c === 'string' || words.has(c.role) && c.children.every((part) => typeof part === 'string')) {
        if (labels || typeof c === 'string' && !c.trim()) return;
        const said = typeof c === 'string' ? c : c.children.join('');
        if (text) [last.said, last.end, last.parts, last.left] = [last.said + said, i, last.parts + (typeof c !== 'string' || typeof list[last.end] !== 'string'), false];
        else run.push({ said, begin: i, end: i, parts: 1, edge, left: false, stacked: false });
        [texts, edge] = [true, ''];
      } else if (fields.has(c.role)) {
        const s = look(c.element), alone = s && !/^(absolute|fixed)$/.test(s.position) && !isInline(s.display) && !isPart(c.element);
        if (text && last.edge === line && last.left) last.stacked = true;
        if (alone) close();
        run.push({ field: c });
        if (alone) close();
        edge = '';
      } else close();
    });
    close();
    for (const c of list) {
      if (typeof c === 'string' || !isNameless(c) || c.caption === told.get(c)) continue;
      c.caption = told.get(c);
      c.depth = undefined; // its line is another now
    }
    if (!apart.size) return list;
    const parted = [];
    let until = -1;
    list.forEach((c, i) => {
      if (apart.has(i)) {
        parted.push(begin);
        until = apart.get(i);
      }
      parted.push(c);
      if (i === until) parted.push(end);
    });
    return parted;
  };

  // give tells the fields of a run their texts. A text that stands below another in a part of the line is not alone there.
  const give = (run, told, apart) => {
    let shape = run.map((r) => r.field ? 'f' : 't').join('');
    const heads = /^t(ft)+$/.test(shape) && /[:?]\s*$/.test(run[0].said) && run.every((r) => !r.field || choices.has(r.field.role));
    if (heads) [run, shape] = [run.slice(1), shape.slice(1)];
    const side = /^(tf)+$/.test(shape) ? 'h' : /^(ft)+$/.test(shape) ? 't' : '';
    if (!side) return;
    for (let i = 0; i < run.length; i += 2) {
      const [{ field }, text] = side === 't' ? [run[i], run[i + 1]] : [run[i + 1], run[i]];
      if (field.name || text.parts > 1 || text.stacked || text.said.trim().length > maxCaption || !/[\p{L}\p{N}]/u.test(text.said)) continue;
      told.set(field, side);
      apart.set(text.begin, text.end);
    }
  };
  return { begin, end, breaks, given };
}
