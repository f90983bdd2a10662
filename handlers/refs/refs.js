(() => {
  // A selector engine of Playwright's. It runs where Playwright's own snapshot
  // code runs, out of the page's reach, and beside it: beginAriaCaches and
  // getElementComputedStyle are Playwright's functions.
  //   ref=e5          the element that a snapshot called e5
  //   ref=e5 in f1    the same in a frame, which errors name
  //   ref=!tree 12    an element that holds the snapshot as text; 12 is the
  //                   lowest number that a new ref may get
  //   ref=!labels f1  labels at the controls of frame f1, and a list of them
  //                   (!labels-all: at pictures and videos too);
  //                   ref=!unlabel takes them away
  //   ref=!highlight  a mark at the element that is looked in, for people, with a word,
  //                   URL-encoded; ref=!unhighlight takes all marks away
  //   ref=!watch, ref=!changed, ref=!changes, ref=!unwatch, ref=!resting  whether the document changes
  //   ref=!loading    by what the document shows that it is about to show something
  //   ref=!taker sel  what took the last press of the mouse, while watched
  //   ref=!standing   a selector that stands by itself, of the element that is looked in
  //   ref=!generated  what Playwright's generator writes for it
  //   ref=!about      how that is known, as JSON
  //   ref=!again {…}  the selector of the element that was described so
  //   ref=!state      the load state, "load", "domcontentloaded" or ""; no script
  //                   of the page can fake it
  // What is known is the document's: Playwright's own instance of this engine
  // and that of the direct line share it. A symbol, as an element's id makes a
  // name of the window's.
  const own = globalThis[Symbol.for('pwpipe')] ??= { elements: new Map(), given: new WeakMap(), next: 1 };
  const elements = own.elements; // ref -> WeakRef of its element, and at first the element: see hold
  const given = own.given; // element -> { ref, role, name, clickable }

  const refOf = (node) => {
    const element = node.stand || node.element, old = given.get(element);
    // An element that became something else is no longer what the caller saw.
    if (old && old.role === node.role && old.name === node.name) {
      old.clickable = node.clickable;
      return old.ref;
    }
    if (old) elements.delete(old.ref);
    const ref = 'e' + own.next++;
    given.set(element, { ref, role: node.role, name: node.name, clickable: node.clickable });
    elements.set(ref, element);
    if (controls.has(node.role) || node.clickable) remember(ref, node);
    return ref;
  };

  // What a control is known by, so that its ref finds the one that a redraw puts in its place: its role, name
  // and place, which are the nodes around it. Of those that looked alike at one time, none stands for another.
  const maxKnown = 20_000;
  const numberless = (s) => s.replace(/\d+/g, '#');
  const placeOf = (node) => {
    let place = '';
    for (let p = node.parent, n = 0; p?.parent && n < 4; p = p.parent, n++) place += '\n' + p.role + ' ' + (p.name || p.saysFirst || (p.saysFirst = firstText(p)));
    return place;
  };
  // firstText is what a row or an item without a name begins with.
  const firstText = (node) => {
    if (!/^(row|listitem|item|article|group)$/.test(node.role)) return ' ';
    const texts = [];
    const look = (n, depth) => {
      for (const child of n.children) {
        if (texts.length > 2) return;
        if (typeof child === 'string') texts.push(child.trim().slice(0, 60));
        else if (controls.has(child.role)) continue;
        else if (child.name) texts.push(child.name.slice(0, 60));
        else if (depth < 3) look(child, depth + 1);
      }
    };
    look(node, 0);
    return texts.join(' ') || ' ';
  };
  const keysOf = (node) => {
    const key = node.role + '\n' + node.name + placeOf(node);
    return [key, numberless(key)];
  };
  const known = own.known ??= new Map(); // ref -> { role, name, keys, and whether another has had each }
  const latest = own.latest ??= new Map(); // key -> the ref that had it last
  const remember = (ref, node) => {
    const keys = keysOf(node), record = { role: node.role, name: node.name, keys, shared: [false, false] };
    keys.forEach((key, i) => {
      const before = latest.get(i + key);
      if (before && elementOf(elements.get(before))?.isConnected) {
        record.shared[i] = true;
        const other = known.get(before);
        if (other) other.shared[i] = true;
      }
      latest.set(i + key, ref);
    });
    known.set(ref, record);
    if (known.size > maxKnown) for (const old of [...known.keys()].slice(0, maxKnown / 2)) forgetRef(old);
  };
  const forgetRef = (ref) => {
    known.get(ref)?.keys.forEach((key, i) => { if (latest.get(i + key) === ref) latest.delete(i + key); });
    known.delete(ref);
  };

  const elementOf = (held) => held instanceof WeakRef ? held.deref() : held;
  // hold makes the references from first to end weak ones. They take longer to make than the refs,
  // so the outline does not wait for them.
  const hold = (first, end) => {
    if (first < end) requestIdleCallback((idle) => {
      while (first < end && (idle.didTimeout || idle.timeRemaining() > 1)) {
        const ref = 'e' + first++, held = elements.get(ref);
        if (held) elements.set(ref, new WeakRef(elementOf(held)));
      }
      hold(first, end);
    }, { timeout: 1000 });
  };

  // The error for a ref without an element; a name of a frame before the ref says that the frame is gone.
  const stale = (ref, frame, like = '') => {
    const e = new Error(`${ref[0] === 'f' || ref.slice(1) < own.next ? 'stale' : 'ungiven'} ref ${frame}${ref}${like}`);
    e.stack = '';
    return e;
  };

  const find = (body) => {
    const [ref, frame = ''] = body.split(' in '), element = elementOf(elements.get(ref));
    return element?.isConnected ? element : successor(ref, frame);
  };
  // successor is the control that took the place of one that is gone, in the same document.
  const successor = (ref, frame) => {
    const record = known.get(ref);
    if (!record) throw stale(ref, frame);
    const alike = [[], []], ofKind = [];
    beginAriaCaches();
    try {
      const look = (node, parent) => {
        node.parent = parent;
        for (const child of node.children) if (typeof child !== 'string') look(child, node);
        if (node.role !== record.role || !parent) return;
        keysOf(node).forEach((key, i) => { if (key === record.keys[i]) alike[i].push(node); });
        if (numberless(node.name) === numberless(record.name)) ofKind.push(node);
      };
      const root = walked(document);
      look(root);
      const i = alike[0].length === 1 && !record.shared[0] ? 0 : alike[0].length < 2 && alike[1].length === 1 && !record.shared[1] ? 1 : -1;
      if (i >= 0) {
        const element = alike[i][0].stand || alike[i][0].element;
        if (!given.has(element)) given.set(element, { ref, role: record.role, name: alike[i][0].name, clickable: alike[i][0].clickable });
        elements.set(ref, new WeakRef(element));
        return element;
      }
      const told = ofKind.slice(0, 5).map((node) => frame + refOf(node) + ' ' + node.role + (node.name ? ' ' + JSON.stringify(node.name.slice(0, 80)) : ''));
      throw stale(ref, frame, told.length ? ` [${own.next}] ${told.join(', ')}` : '');
    } finally {
      endAriaCaches();
    }
  };

  // A checkbox that is not drawn itself is what is drawn in its place, so its role finds it. Playwright
  // has a hidden one for none.
  const drawnFor = STAND_IN;
  if (typeof isElementHiddenForAria === 'function') { // it is not where the driver's parts are missing
    const hidden = isElementHiddenForAria;
    isElementHiddenForAria = (e) => hidden(e) && !(e.localName === 'input' && drawnFor(e));
  }

  // A form may have fields of these names.
  const getter = (of, name) => { const { get } = Object.getOwnPropertyDescriptor(of, name); return (e) => get.call(e); };
  const childrenOf = getter(Element.prototype, 'children'), parentOf = getter(Node.prototype, 'parentElement');
  const { begin, drawn, isLive, loading, taker, marksOf, isRich, isClickable, isEditor, isPlayer, isSummary, isWaiting, note, named, scrolls, shape, standIn, glyphless, isGhost, noWord, covers, blocks, isParked, why, watch, changed, changes, unwatch } = SEEN(own, childrenOf, parentOf, drawnFor);

  const { begin: beginLines, lineRole, columns, isPlace, relined } = LINES(own, childrenOf, parentOf, (e) => getElementComputedStyle(e));

  // skipped tells elements whose content is not drawn, nor the texts in it:
  // Playwright leaves out the elements only.
  const skipped = (element) => element.nodeName === 'DETAILS' && !element.open || getElementComputedStyle(element)?.contentVisibility === 'hidden';

  const editable = 'textbox ';
  let covering = []; // what hides the rest of the page
  let blocking = { above: [] }; // which of it keeps a person from the rest, and what is above that

  // dress gives an element its node: Playwright's, or one of ours where it has none.
  const dress = (element, node) => {
    if (element.nodeName === 'OPTGROUP') return null; // options are chosen by their names
    if (node) {
      if (element.type === 'password' && element.nodeName === 'INPUT' && element.value) node.children = ['•••'];
      // What is written in an editable element is no field's value, and
      // Playwright leaves the text of a textbox out.
      const lines = node.role === 'textbox' && drawn(element);
      if (lines) node.children = [lines];
      if (node.role === 'textbox' && !('value' in element)) node.role = editable;
    } else if (element.nodeName !== 'HTML' && (element.nodeName !== 'BODY' || isEditor(element))) {
      node = meaningOf(element) || null;
      const role = node ? '' : roleless(element);
      if (role) node = { role, name: '', children: [], props: {} };
      if (role && role !== 'item' && role !== 'skipped') node.name = named(element);
    }
    if (isParked(element) || isGhost(element) || element.nodeName === 'BUTTON' && element.parentElement?.nodeName === 'SELECT') node = { role: 'skipped', name: '', children: [], props: {} };
    if (!node) return null;
    node.element = element;
    if (node.name) node.name = glyphless(node.name) || element.title?.trim?.() || '';
    if (element.nodeName === 'INPUT' || element.nodeName === 'TEXTAREA') ofField(node, element);
    if (node.checked !== undefined) node.stand = standIn(element, roleless);
    else if (node.role === 'editor' || node.role === editable) node.rich = isRich(element);
    if (isSummary(element)) node.expanded ??= element.parentElement.open;
    if (skipped(element)) node.skipped = true;
    if (node.role === 'iframe') node.name ||= flat(element.title || element.name || element.getAttribute('aria-label') || '').trim();
    if (!controls.has(node.role) && node.role !== 'item' && (isPlayer(element) || isClickable(element) || isPlace(element))) node.clickable = true;
    if (gridded.has(node.role)) node.level = columns(element) || undefined;
    if (node.clickable || node.role === 'clickable') node.expanded ??= unfolded(element);
    node.covers = covering.includes(element);
    node.blocks = blocking.box === element;
    node.above = blocking.above.includes(element);
    return node;
  };

  // gridded are the roles of what may have its parts in columns.
  const gridded = new Set(['columns', 'list', 'main', 'region', 'group', 'application', 'dialog', 'article', 'tabpanel']);

  // ofField: a name that is no word comes of a placeholder that a script set; a field for files has those chosen.
  const ofField = (node, e) => {
    if (noWord.test(node.name) && e.getAttribute('placeholder') === node.name && !e.labels?.length) node.name = '';
    if (e.type === 'file' && e.files.length) node.children = [[...e.files].map((f) => f.name).join(', ')];
  };

  // meaningOf is the node of a custom element that tells its role to the browser alone (handlers/agent/pierce.js).
  const meaningOf = (e) => e.localName?.includes('-') && globalThis[Symbol.for('pwpipe.pierced')]?.meaning(e);

  // unfolded is the state of a tree's item that only its class tells.
  const unfolded = (e) => /(^|\s)(expandable|collapsed)(\s|$)/.test(e.getAttribute('class')) ? false :
    /(^|\s)(collapsable|expanded)(\s|$)/.test(e.getAttribute('class')) || undefined;

  // controls are the roles that are used.
  const controls = new Set(['button', 'link', 'textbox', editable, 'searchbox', 'checkbox', 'radio', 'combobox', 'listbox', 'option', 'menuitem',
    'menuitemcheckbox', 'menuitemradio', 'tab', 'switch', 'slider', 'spinbutton', 'treeitem', 'clickable', 'editor', 'canvas', 'iframe', 'scrollbar']);

  // roleless is what an element is called that has no role.
  const roleless = (element) => {
    if (element.nodeName === 'CANVAS') return 'canvas';
    if (isEditor(element)) return 'editor';
    if (isPlayer(element)) return element.nodeName.toLowerCase();
    const line = lineRole(element);
    if (line) return line;
    if (isClickable(element)) return 'clickable';
    if (covering.includes(element)) return 'overlay';
    if (blocking.above.includes(element)) return 'generic';
    if (element.nodeName === 'VIDEO' || element.nodeName === 'AUDIO') return element.nodeName.toLowerCase();
    if (repeated(element)) return 'item';
    if (skipped(element)) return 'skipped';
    if (scrolls(element)) return 'scrollable';
    return named(element) ? 'named' : shape(element) ? 'shape' : isLive(element) ? 'generic' : '';
  };

  // finish takes away what is not drawn, and what adds nothing, once the children of a node are there.
  const finish = (node) => {
    if (node.role === editable) node.role = 'textbox';
    if (node.name && single.has(node.role) && labelled(node.element)) node.children = node.children.filter((child) => !isIcon(child));
    node.children = node.children.flatMap((child) => {
      if (typeof child === 'string') return node.skipped ? [] : wordsIn(child);
      if (child.role === 'skipped') return [];
      if (!isWrapper(child)) return [child];
      child.clickable = false;
      return child.role === 'clickable' ? child.children : [child];
    });
  };

  const wordsIn = (s) => {
    const words = glyphless(s);
    return words ? [words] : [];
  };
  // A picture in a control that its author named is decoration, if it is small.
  const single = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'option', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'clickable']);
  const labelled = (e) => e.hasAttribute('aria-label') || e.hasAttribute('aria-labelledby');
  const isIcon = (child) => {
    if (child.role !== 'img' || child.clickable || child.children.some((c) => typeof c !== 'string')) return false;
    const r = child.element.getBoundingClientRect();
    return r.width <= 64 && r.height <= 64;
  };

  // isWrapper tells what can be clicked only because of the one control in it.
  const isWrapper = (node) => {
    if (node.role !== 'clickable' && !node.clickable || node.role === 'clickable' && node.name || node.covers) return false;
    let found = 0, more = false;
    const look = (n) => {
      for (const child of n.children) {
        if (typeof child === 'string') more ||= !!child.trim();
        else if (controls.has(child.role) || child.clickable) found++;
        else if (child.role === 'img' && child.name) more = true;
        else look(child);
      }
    };
    look(node);
    return found === 1 && !more;
  };

  // repeated tells the elements without a role that make a list: enough
  // siblings have their name and class.
  let families = new WeakMap(); // parent -> how often each kind is among its children
  const repeated = (element) => {
    const parent = element.parentElement;
    if (element.nodeName !== 'DIV' && element.nodeName !== 'SECTION' || !parent || parent.childElementCount < 4) return false;
    own.keep?.kinds.set(parent, true);
    let kinds = families.get(parent);
    if (!kinds) {
      families.set(parent, kinds = new Map());
      for (const e of childrenOf(parent)) {
        const kind = e.nodeName + ' ' + e.classList[0];
        kinds.set(kind, (kinds.get(kind) || 0) + 1);
      }
    }
    return kinds.get(element.nodeName + ' ' + element.classList[0]) >= 4;
  };

  const walk = WALK(dress, finish, marksOf, CAPTIONS((e) => getElementComputedStyle(e), parentOf));
  const kept = own.kept ??= KEPT(childrenOf), { done, drop } = kept;
  // face is what of an element depends on how it is drawn.
  const face = (e, facts) => {
    const node = facts.get(e)?.items?.[0];
    return [isClickable(e), roleless(e), isParked(e) || isGhost(e), node?.element === e ? noteOf(node) : ''].join('\t');
  };
  // prepare begins a walk; what it returns ends it.
  const prepare = () => {
    families = new WeakMap();
    begin();
    if (beginLines()) drop();
    covering = covers();
    blocking = blocks(covering);
    return globalThis[Symbol.for('pwpipe.pierced')]?.open(); // handlers/agent/pierce.js
  };
  // walked is the tree of a document, of which nothing is kept and nothing has refs.
  const walked = (root) => {
    const shut = prepare(), keep = own.keep;
    own.keep = undefined;
    try {
      return walk(topOf(root));
    } finally {
      shut?.();
      own.keep = keep;
    }
  };
  // written makes the tree of a document or of a part of it, and writes it. What is kept of the
  // last is not walked again.
  const written = (root, start, keeps) => {
    own.next = Math.max(own.next, start);
    const shut = prepare();
    own.keep = keeps ? kept.known(face, [...covering, ...blocking.above], blocking.box, relined) : undefined;
    try {
      if (own.keep?.same && own.keep.text) return own.keep.text;
      const node = walk(topOf(root), own.keep);
      const first = own.next;
      number(node);
      hold(first, own.next);
      const text = write(node);
      if (own.keep) done(face);
      if (own.keep) own.keep.text = text;
      return text;
    } catch (e) {
      drop();
      throw e;
    } finally {
      shut?.();
      own.keep = undefined;
    }
  };

  const topOf = (root) => root.nodeType === Node.DOCUMENT_NODE ? root.body || root.documentElement || root.createElement('html') : root;

  // number gives refs level by level, so that siblings, and cousins of one
  // shape, have neighbouring numbers: folded lists then name them as ranges.
  const number = (root) => {
    let level = [root];
    while (level.length) {
      const below = [];
      for (const node of level) {
        for (const child of node.children) {
          if (typeof child === 'string') continue;
          child.parent = node;
          if (child.numbered) continue; // it is kept, and what is in it
          child.ref = refOf(child);
          child.numbered = !!own.keep;
          below.push(child);
        }
      }
      level = below;
    }
  };

  const flat = (s) => /[\t\n\r]/.test(s) ? s.replace(/[\t\n\r]+/g, ' ') : s;

  // What leaves the document is held in several memories: a text ends after maxText
  // characters, the snapshot after maxTree.
  const maxText = 1 << 16, maxTree = 1 << 24, maxKept = 1 << 14;
  const brief = (s) => flat(s.length > maxText ? s.slice(0, maxText) + '…' : s);

  const flags = (node, active) => {
    let f = '';
    if (node.checked === true) f += 'c';
    if (node.checked === 'mixed') f += 'm';
    if (node.disabled) f += 'd';
    if (node.expanded) f += 'x';
    if (node.expanded === false) f += 'z';
    if (node.pressed) f += node.pressed === 'mixed' ? 'q' : 'p';
    if (node.selected) f += 's';
    if (node.element === active && active.nodeName !== 'BODY') f += 'a'; // the body is where no focus is
    const invalid = node.element.getAttribute?.('aria-invalid');
    if (invalid && invalid !== 'false') f += invalid === 'grammar' ? 'g' : invalid === 'spelling' ? 'l' : 'i';
    if (node.clickable) f += 'k';
    if (node.covers) f += 'o';
    if (node.blocks) f += 'b';
    if (node.above) f += 'v';
    if (isLive(node.element)) f += 'y';
    if (node.caption) f += node.caption;
    return f + (isWaiting(node.element) ? 'n' : '') + (node.level || '');
  };

  // tree writes the snapshot as lines: depth, role, ref, flags, URL, note, name,
  // parted by tabs; a text is depth, nothing, text.
  const tree = (root, start, keeps) => {
    beginAriaCaches();
    try {
      return written(root, start, keeps);
    } finally {
      endAriaCaches();
    }
  };
  const noteOf = (node) => note(node, node.element, controls.has(node.role) || node.clickable);
  const line = (node, active) => '\t' + node.role + '\t' + node.ref + '\t' + flags(node, active) + '\t' +
    brief(node.props.url || '') + '\t' + brief(noteOf(node)) + '\t' + brief(node.name);
  // write keeps with each node what it wrote, to write it again where that is kept.
  const write = (tree) => {
    const lines = [];
    let left = maxTree;
    const add = (text) => {
      if (left >= 0 && (left -= text.length) < 0) lines.push('0\t\t(the rest is left out: the page is too large for a snapshot)');
      if (left >= 0) lines.push(text);
    };
    const active = document.activeElement;
    const visit = (node, depth) => {
      for (const child of node.children) {
        if (typeof child === 'string') {
          if (child) add(depth + '\t\t' + brief(child));
          continue;
        }
        if (left < 0) return;
        if (child.depth === depth) {
          add(child.text);
          continue;
        }
        const first = lines.length, before = left;
        add(depth + line(child, active));
        visit(child, depth + 1);
        if (!own.keep || left < 0 || before - left > maxKept) continue;
        child.depth = depth;
        if (lines.length - first === 1) child.text = lines[first];
        else lines.push(child.text = lines.splice(first).join('\n'));
      }
    };
    visit(tree, 0);
    return lines.join('\n');
  };

  // resting is how often the document has changed, '' while it loads. Watching ends by itself
  // when nobody asks any more.
  let unasked;
  const resting = () => {
    if (document.readyState !== 'complete') return '';
    const others = own.watched && own.watched !== unasked?.watch;
    const text = changes();
    clearTimeout(unasked?.timer);
    const watch = others ? undefined : own.watched;
    unasked = watch && { watch, timer: setTimeout(() => own.watched === watch && watch.end(), 3000) };
    return text;
  };

  // news is the document's tree for one who has an earlier one, by its id: the next free number,
  // the lines that are new, and how many before and behind them are as they were. The same id says
  // that the same text is there.
  const linesOf = (text) => {
    let n = 0;
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) n++;
    return n;
  };
  const news = (start, keeps, have) => {
    const text = tree(document, start, keeps), next = String(own.next), old = have && have === own.sent?.id ? own.sent : undefined;
    if (old?.text === text) return [old.id, next, '', '', ''];
    const was = old ? old.text + '\n' : '', now = text + '\n';
    let head = 0, tail = 0;
    const most = Math.min(was.length, now.length), step = 4096; // parts of a text are compared faster than characters
    while (head + step < most && was.slice(head, head + step) === now.slice(head, head + step)) head += step;
    while (head < most && was.charCodeAt(head) === now.charCodeAt(head)) head++;
    head = head && now.lastIndexOf('\n', head - 1) + 1;
    while (tail + step < most - head && was.slice(-tail - step, was.length - tail) === now.slice(-tail - step, now.length - tail)) tail += step;
    while (tail < most - head && was.charCodeAt(was.length - 1 - tail) === now.charCodeAt(now.length - 1 - tail)) tail++;
    const end = was ? now.indexOf('\n', now.length - tail - 1) + 1 : now.length;
    own.sent = { id: `${performance.timeOrigin} ${own.sends = (own.sends || 0) + 1}`, text };
    return [own.sent.id, next, now.slice(head, end), String(linesOf(now.slice(0, head))), String(linesOf(now.slice(end)))];
  };
  own.news ??= news; // the direct line's way to it

  const { labels, unlabel } = LABELS(elements, elementOf, given, parentOf);
  const { highlight, unhighlight } = own.highlights ??= HIGHLIGHT();

  const answer = (text) => {
    const e = document.createElement('pre');
    e.textContent = text;
    return [e];
  };

  const injectedScript = () => new (module.exports.InjectedScript())(globalThis, { isUnderTest: false, sdkLanguage: 'javascript', testIdAttributeName: 'data-testid',
    stableRafCount: 1, browserName: 'chromium', shouldPrependErrorPrefix: false, isUtilityWorld: true, customEngines: [] });

  // selectorOf is what Playwright's own generator writes for an element: a
  // selector that finds it without a ref. A name is the whole one where it can be.
  let generator;
  const selectorOf = (element) => {
    generator ??= injectedScript();
    const list = element.nodeName === 'OPTION' && element.closest('select'); // the generator would name the list
    if (list) return `${selectorOf(list)} >> internal:role=option[name=${JSON.stringify(elementText(new Map(), element).normalized)}s]`;
    const made = generator.generateSelectorSimple(element);
    const whole = made.replace(/^(internal:role=[\w-]+\[name="(?:[^"\\]|\\.)*")i\]$/, '$1s]');
    return generator.querySelectorAll(generator.parseSelector(whole), document).length === 1 ? whole : made;
  };
  const { about, again } = ABOUT(selectorOf);

  const verbs = {
    selector: (root, arg) => selectorOf(find(arg)),
    standing: (root) => selectorOf(root),
    generated: (root, testId) => (generator ??= injectedScript()).generateSelector(root, { testIdAttributeName: testId }).selector,
    about: (root) => JSON.stringify(about(root)),
    again: (root, arg) => {
      const { was, sel } = JSON.parse(arg);
      const matched = sel ? (generator ??= injectedScript()).querySelector(generator.parseSelector(sel), root, false) : undefined;
      return JSON.stringify(again(root, was, matched));
    },
    tree: (root, arg) => { const text = tree(root, +arg || 1); return own.next + '\n' + text; },
    labels: (root, arg) => labels(arg, false),
    'labels-all': (root, arg) => labels(arg, true),
    why: () => why(),
    watch: () => watch(),
    changed: () => changed(),
    changes: () => changes(),
    unwatch: () => unwatch(),
    loading: () => loading(),
    taker: (root, arg) => taker(given, controls, decodeURIComponent(arg)),
    resting: () => resting(),
    state: () => document.readyState === 'complete' ? 'load' : performance.timing?.domContentLoadedEventEnd ? 'domcontentloaded' : '',
    unlabel: () => { unlabel(); return ''; },
    highlight: (root, arg) => { highlight(root, decodeURIComponent(arg)); return ''; },
    unhighlight: () => { unhighlight(); return ''; },
  };

  const engine = {
    queryAll(root, body) {
      if (body[0] !== '!') return [find(body)];
      const space = body.indexOf(' ');
      const verb = space < 0 ? body.slice(1) : body.slice(1, space);
      return answer(verbs[verb](root, space < 0 ? '' : body.slice(space + 1)));
    },
  };
  // The direct line and the driver both need an injected script, with all of its engines.
  // Whichever comes second makes it of the class that is here already.
  own.injected ??= () => module.exports.InjectedScript();
  own.engines ??= { ref: engine };
  own.make ??= () => {
    const made = injectedScript();
    made._engines.set('ref', engine);
    return made;
  };
  return engine;
})()
