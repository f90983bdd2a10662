// lines.js finds tables that are drawn with elements without a role: LINES in refs.js stands for what this
// function makes. Where several elements of one shape stand below each other, and their parts are in columns, each
// is a row. A grid of CSS may have its cells side by side, without rows, and so has a board of places of one size
// that things are dragged to.
(own, childrenOf, parentOf, look) => {
  const fewest = 3; // rows, and cells of each
  const maxHeight = 120, maxText = 80; // of a row, of a cell: what is larger is a card
  const maxCells = 2000; // of a grid without rows
  const large = 'h1, h2, h3, h4, h5, h6, p, ul, ol, table, article, section, form, video, canvas, iframe, [role=heading], [role=list]';
  const isForm = (e) => e instanceof HTMLFormElement; // its fields may stand for what every element has
  const bare = (e) => !isForm(e) && !e.hasAttribute('role') && (/^(DIV|SPAN|SECTION)$/.test(e.nodeName) || e.nodeName.includes('-'));
  const rect = (e) => Element.prototype.getBoundingClientRect.call(e);
  const isSmall = (cell) => !isForm(cell) && cell.textContent.trim().length <= maxText && !cell.matches(large) && !cell.querySelector(large);
  // isLine reports whether boxes stand beside each other.
  const isLine = (boxes) => {
    let right = -Infinity;
    for (const r of boxes) {
      if (!r.width) continue;
      if (r.left < right - 2 || r.height > maxHeight) return false;
      right = r.right;
    }
    return Math.max(...boxes.map((r) => r.top)) < Math.min(...boxes.map((r) => r.height ? r.bottom : Infinity));
  };
  const inColumns = (a, b) => a.every((r, i) => Math.abs(r.left - b[i].left) <= 2 && (!r.width) === (!b[i].width));
  const isBelow = (a, b) => b[0].top > a[0].top + 4;

  // A board is a grid in which most cells are empty or hold what is dragged. It may have two rows, or two columns.
  const sources = ['[draggable=true]', '[aria-roledescription=draggable]', '[aria-roledescription=sortable]', '.ui-draggable', '.ui-sortable', '.draggable'];
  const source = sources.join().replace('.ui-sortable', '.ui-sortable > *');
  const maxPlaces = 400;
  const isEmpty = (e) => !isForm(e) && !e.childElementCount && !e.textContent.trim();
  const hears = (e) => !!globalThis[Symbol.for('pwpipe.pierced')]?.heard(e); // handlers/agent/pierce.js
  const isBoard = (cells) => dragged && cells.filter((e) => isEmpty(e) || !isForm(e) && (e.matches(source) || e.querySelector(source))).length * 2 >= cells.length;

  const none = { rows: undefined, columns: 0, board: false };
  let known = new WeakMap(), dragged = false; // parent -> the lines among its children; whether the page has something to drag
  // begin begins a walk, and returns whether the page drags other than before.
  const begin = () => {
    const was = dragged;
    known = new WeakMap();
    dragged = sources.some((one) => document.querySelector(one)); // each by itself is found faster
    return was !== dragged;
  };
  const linesOf = (parent) => {
    if (!parent) return none;
    let lines = known.get(parent);
    if (lines) return lines;
    const several = !isForm(parent) && parent.childElementCount > 1; // counting takes as long as there are children
    known.set(parent, lines = several ? find(parent) : none);
    if (several) own.keep?.lines.set(parent, signOf(lines));
    return lines;
  };
  const signOf = (lines) => lines.columns || (lines.rows ? [...lines.rows][0].childElementCount + ' ' + lines.rows.size : '');
  const find = (parent) => {
    const kids = childrenOf(parent), shapes = new Map(); // number of children -> the elements with so many
    for (const e of kids) {
      const n = e.childElementCount;
      if (n < 2 || n > 100 || !bare(e)) continue;
      const list = shapes.get(n);
      if (list) list.push(e);
      else shapes.set(n, [e]);
    }
    for (const [n, list] of shapes) {
      if (list.length < 2) continue;
      const board = dragged && isBoard(list.flatMap((e) => [...childrenOf(e)]));
      if ((board || n >= fewest && list.length >= fewest) && areRows(list)) return { rows: new Set(list), columns: 0, board };
    }
    const wide = [...shapes.keys()].some((n) => n >= fewest);
    const columns = kids.length < 4 ? 0 : kids.length >= fewest * fewest && !wide && columnsOf(parent, kids) || placesOf(parent, kids);
    return columns ? { rows: undefined, columns, board: isBoard([...kids]) } : none;
  };
  const areRows = (list) => {
    const rows = [];
    for (const e of [...list.slice(0, 5), list.at(-1)]) {
      const boxes = [...childrenOf(e)].map(rect);
      if (!boxes.some((r) => r.width && r.height)) continue; // it is hidden
      if (!isLine(boxes) || rows.length && (!inColumns(rows[0], boxes) || e !== list.at(-1) && !isBelow(rows.at(-1), boxes))) return false;
      if (![...childrenOf(e)].every(isSmall)) return false;
      rows.push(boxes);
    }
    return rows.length >= Math.min(fewest, list.length) && isBelow(rows[0], rows[1]);
  };
  const columnsOf = (parent, kids) => {
    if (kids.length > maxCells || !/grid$/.test(look(parent).display)) return 0;
    const list = [...kids].filter((e) => !/^(SCRIPT|STYLE|TEMPLATE)$/.test(e.nodeName)), n = look(parent).gridTemplateColumns.split(' ').length;
    if (n < fewest || list.length % n || list.length < fewest * n || list.filter(bare).length * 2 < list.length || !list.slice(0, 2 * n).every(isSmall)) return 0;
    const boxes = list.map(rect);
    for (let i = 0; i < boxes.length; i += n) {
      const row = boxes.slice(i, i + n);
      if (row.some((r) => !r.width) || !isLine(row) || !inColumns(boxes.slice(0, n), row)) return 0;
    }
    return n;
  };

  // placesOf is how many columns a board has that only looks like a grid: its cells have one size, and are in full rows.
  const placesOf = (parent, kids) => {
    if (kids.length > maxPlaces || !dragged && !hears(parent)) return 0;
    const list = [...kids], boxes = list.map(rect), [first] = boxes;
    const alike = (r) => Math.abs(r.width - first.width) <= 2 && Math.abs(r.height - first.height) <= 2;
    const below = boxes.findIndex((r) => isBelow([first], [r])), n = below < 0 ? 0 : below;
    if (n < 2 || list.length % n || first.width < 8 || !boxes.every(alike) || !list.every((e) => (bare(e) || e.nodeName === 'LI') && isSmall(e)) || !hears(parent) && !isBoard(list)) return 0;
    for (let i = 0; i < boxes.length; i += n) {
      const row = boxes.slice(i, i + n);
      if (!isLine(row) || !inColumns(boxes.slice(0, n), row) || i && !isBelow(boxes.slice(i - n, i), row)) return 0;
    }
    return n;
  };

  // lineRole is the part of such a table that an element is, '' for none.
  const lineRole = (e) => {
    const parent = parentOf(e);
    if (!parent) return '';
    if (linesOf(parent).rows?.has(e)) return 'row';
    if (linesOf(parent).columns || linesOf(parentOf(parent)).rows?.has(parent)) return 'cell';
    return bare(e) && linesOf(e).columns ? 'columns' : '';
  };
  // relined returns what around an element has other lines than when it was walked, by what is known of that.
  const relined = (e, lines) => {
    let other;
    for (let p = e, n = 0; p && n < 6; p = parentOf(p), n++) {
      const now = signOf(linesOf(p));
      if (now !== (lines.get(p) ?? '')) other = p;
      lines.set(p, now);
    }
    return other;
  };
  // isPlace reports whether an element is an empty cell of a board, which something may be dragged to.
  const isPlace = (e) => {
    if (!dragged) return false;
    const parent = parentOf(e), around = parent && linesOf(parentOf(parent));
    return !!parent && (linesOf(parent).columns && linesOf(parent).board || around.board && !!around.rows?.has(parent)) && isEmpty(e);
  };
  return { begin, lineRole, columns: (e) => linesOf(e).columns, isPlace, relined };
}
