(() => {
  // A selector engine of Playwright's. It runs where Playwright's own snapshot
  // code runs, out of the page's reach, and beside it: generateAriaTree,
  // toAriaNode and getElementComputedStyle are Playwright's functions.
  //   ref=e5          the element that a snapshot called e5
  //   ref=!tree 12    an element that holds the snapshot as text; 12 is the
  //                   lowest number that a new ref may get
  //   ref=!labels f1  labels at the controls of frame f1, and a list of them
  //                   (!labels-all: at pictures and videos too);
  //   ref=!selector e5  a selector that stands by itself
  //                   ref=!unlabel takes them away
  //   ref=!state      the load state, "load", "domcontentloaded" or ""; no script
  //                   of the page can fake it
  const elements = new Map(); // ref -> WeakRef of its element
  const given = new WeakMap(); // element -> { ref, role, name }
  let next = 1;

  const refOf = (node) => {
    const old = given.get(node.element);
    // An element that became something else is no longer what the caller saw.
    if (old && old.role === node.role && old.name === node.name) return old.ref;
    if (old) elements.delete(old.ref);
    const ref = 'e' + next++;
    given.set(node.element, { ref, role: node.role, name: node.name });
    elements.set(ref, new WeakRef(node.element));
    return ref;
  };

  const stale = (ref) => { const e = new Error(`stale ref ${ref}`); e.stack = ''; return e; };

  const find = (ref) => {
    const element = elements.get(ref)?.deref();
    if (!element || !element.isConnected) throw stale(ref);
    return element;
  };

  // clickable tells elements that have no role but are made to be clicked.
  const clickable = (element) => {
    if (isSummary(element) || element.hasAttribute('onclick') || element.isContentEditable && !element.parentElement?.isContentEditable) return true;
    const tab = element.getAttribute('tabindex');
    if (tab !== null && +tab >= 0) return true;
    const pointer = (e) => e && getElementComputedStyle(e)?.cursor === 'pointer';
    if (element.nodeName === 'LABEL' || !pointer(element)) return false;
    return !pointer(element.parentElement);
  };

  // isSummary tells what opens and closes a <details>.
  const isSummary = (element) => element.nodeName === 'SUMMARY' && element.parentElement?.nodeName === 'DETAILS' &&
    element === element.parentElement.querySelector(':scope > summary');

  // skipped tells elements whose content is not drawn, nor the texts in it:
  // Playwright leaves out the elements only.
  const skipped = (element) => element.nodeName === 'DETAILS' && !element.open || getElementComputedStyle(element)?.contentVisibility === 'hidden';

  const withClickables = (original) => (element) => {
    let node = original(element);
    if (node) {
      if (element.type === 'password' && element.nodeName === 'INPUT' && element.value) node.children = ['•••'];
      // What is written in an editable element is no field's value, and
      // Playwright leaves the text of a textbox out.
      if (node.role === 'textbox' && !('value' in element)) node.role = editable;
    } else if (element.nodeName !== 'BODY' && element.nodeName !== 'HTML') {
      const role = clickable(element) ? 'clickable' : repeated(element) ? 'item' : skipped(element) ? 'skipped' : '';
      if (role) node = { role, name: '', children: [], props: {}, element };
      if (role === 'clickable') node.name = flat(element.getAttribute('aria-label') || element.title || '').trim();
    }
    if (node && isSummary(element)) node.expanded ??= element.parentElement.open;
    if (node && skipped(element)) node.skipped = true;
    return node;
  };
  const editable = 'textbox ';

  // tidy takes away what is not drawn, once the tree is made.
  const tidy = (node) => {
    if (node.role === editable) node.role = 'textbox';
    node.children = node.children.filter((child) => typeof child === 'string' ? !node.skipped : child.role !== 'skipped');
    for (const child of node.children) if (typeof child !== 'string') tidy(child);
    return node;
  };

  // repeated tells the elements without a role that make a list: enough
  // siblings have their name and class.
  let families = new WeakMap(); // parent -> how often each kind is among its children
  const repeated = (element) => {
    const parent = element.parentElement;
    if (element.nodeName !== 'DIV' && element.nodeName !== 'SECTION' || !parent || parent.childElementCount < 4) return false;
    let kinds = families.get(parent);
    if (!kinds) {
      families.set(parent, kinds = new Map());
      for (const e of parent.children) {
        const kind = e.nodeName + ' ' + e.classList[0];
        kinds.set(kind, (kinds.get(kind) || 0) + 1);
      }
    }
    return kinds.get(element.nodeName + ' ' + element.classList[0]) >= 4;
  };

  const build = (root) => {
    const original = toAriaNode;
    families = new WeakMap();
    toAriaNode = withClickables(original);
    try {
      return tidy(generateAriaTree(root, 0).root);
    } finally {
      toAriaNode = original;
    }
  };

  const elementOf = (root) => root.nodeType === Node.DOCUMENT_NODE ? root.body || root.documentElement : root;

  // number gives refs level by level, so that siblings, and cousins of one
  // shape, have neighbouring numbers: folded lists then name them as ranges.
  const number = (root) => {
    let level = [root];
    while (level.length) {
      const below = [];
      for (const node of level) {
        for (const child of node.children) {
          if (typeof child === 'string') continue;
          child.ref = refOf(child);
          below.push(child);
        }
      }
      level = below;
    }
  };

  const flat = (s) => /[\t\n\r]/.test(s) ? s.replace(/[\t\n\r]+/g, ' ') : s;

  const flags = (node, active) => {
    let f = '';
    if (node.checked === true) f += 'c';
    if (node.checked === 'mixed') f += 'm';
    if (node.disabled) f += 'd';
    if (node.expanded) f += 'x';
    if (node.expanded === false) f += 'z';
    if (node.pressed) f += 'p';
    if (node.selected) f += 's';
    if (node.element === active) f += 'a';
    if (node.element.getAttribute?.('aria-invalid') === 'true') f += 'i';
    return f + (node.level || '');
  };

  // tree writes the snapshot as lines: depth, role, ref, flags, URL, name,
  // parted by tabs; a text is depth, nothing, text.
  const tree = (root, start) => {
    next = Math.max(next, start);
    const snapshot = build(elementOf(root));
    number(snapshot);
    const lines = [];
    const active = document.activeElement;
    const visit = (node, depth) => {
      for (const child of node.children) {
        if (typeof child === 'string') {
          if (child) lines.push(depth + '\t\t' + flat(child));
          continue;
        }
        lines.push(depth + '\t' + child.role + '\t' + child.ref + '\t' + flags(child, active) + '\t' +
          flat(child.props.url || '') + '\t' + flat(child.name));
        visit(child, depth + 1);
      }
    };
    visit(snapshot, 0);
    return next + '\n' + lines.join('\n');
  };

  // Labels: a small box with its ref at each control that can be seen, in a
  // closed shadow root in the top layer. It takes no room, no clicks, and no
  // place in a snapshot.
  const colours = {
    link: '#FFF785', button: '#FFE0B2', textbox: '#FFCDD2', searchbox: '#FFCDD2', combobox: '#FFCDD2', spinbutton: '#FFCDD2',
    checkbox: '#F8BBD0', radio: '#F8BBD0', switch: '#F8BBD0', slider: '#FFCCBC', menuitem: '#FFAB91', menuitemcheckbox: '#FFAB91',
    menuitemradio: '#FFAB91', tab: '#FFE082', option: '#FFE082', listbox: '#FFE082', treeitem: '#FFE082',
    img: '#B3E5FC', video: '#B3E5FC', clickable: '#FFE0B2',
  };
  const interactive = new Set(Object.keys(colours).filter((role) => role !== 'img' && role !== 'video'));
  const height = 15, gap = 2, labelTime = 30000;
  let host, timer;

  const unlabel = () => {
    clearTimeout(timer);
    host?.remove();
    host = undefined;
  };

  // seen tells whether a click on the middle, or near a corner, would reach
  // the element.
  const seen = (element, r) => {
    const left = Math.max(r.left, 0), top = Math.max(r.top, 0);
    const right = Math.min(r.right, innerWidth), bottom = Math.min(r.bottom, innerHeight);
    if (right - left < 3 || bottom - top < 3) return false;
    const style = getComputedStyle(element);
    if (style.visibility !== 'visible') return false;
    const root = element.getRootNode();
    const inset = (a, b) => Math.min(4, (b - a) / 4);
    const x1 = left + inset(left, right), x2 = right - inset(left, right);
    const y1 = top + inset(top, bottom), y2 = bottom - inset(top, bottom);
    for (const [x, y] of [[(left + right) / 2, (top + bottom) / 2], [x1, y1], [x2, y1], [x1, y2], [x2, y2]]) {
      const hit = root.elementFromPoint(x, y);
      if (!hit) continue;
      if (element.contains(hit) || element.shadowRoot?.contains(hit)) return true;
      const label = hit.closest('label');
      if (label && label.control === element) return true;
    }
    return false;
  };

  // boxes keeps rectangles by square, so that finding what lies under one
  // takes the same time however many there are.
  const boxes = () => {
    const side = 64, squares = new Map();
    const each = (b, fn) => {
      for (let x = Math.floor(b.x / side); x <= Math.floor((b.x + b.w) / side); x++) {
        for (let y = Math.floor(b.y / side); y <= Math.floor((b.y + b.h) / side); y++) fn(x + ',' + y);
      }
    };
    return {
      add(b) { each(b, (key) => { const at = squares.get(key); if (at) at.push(b); else squares.set(key, [b]); }); },
      // covered is the area of b that lies on others.
      covered(b) {
        const under = new Set();
        each(b, (key) => { for (const o of squares.get(key) || []) under.add(o); });
        let area = 0;
        for (const o of under) {
          area += Math.max(0, Math.min(b.x + b.w, o.x + o.w) - Math.max(b.x, o.x)) * Math.max(0, Math.min(b.y + b.h, o.y + o.h) - Math.max(b.y, o.y));
        }
        return area;
      },
    };
  };

  // texts are where the words are that can be seen: labels keep clear of them.
  const texts = () => {
    const found = boxes(), range = document.createRange();
    const outside = (r) => r.bottom < 0 || r.right < 0 || r.top > innerHeight || r.left > innerWidth;
    const visit = (element) => {
      for (let n = element.firstChild; n; n = n.nextSibling) {
        if (n.nodeType === 1) {
          const r = n.getBoundingClientRect();
          if (r.width > 0 && r.height > 0 && outside(r)) continue;
          if (/^(INPUT|TEXTAREA|SELECT)$/.test(n.tagName) && !n.multiple && (n.value || n.placeholder)) found.add({ x: r.x, y: r.y + r.height / 4, w: r.width * 0.6, h: r.height / 2 });
          else visit(n);
        } else if (n.nodeType === 3 && n.data.trim()) {
          range.selectNodeContents(n);
          for (const r of range.getClientRects()) if (!outside(r)) found.add({ x: r.x, y: r.y, w: r.width, h: r.height });
        }
      }
    };
    visit(document.body);
    return found;
  };

  // placer finds room for labels: close to the element, on no other label, and
  // where they hide the least of what is written and of other controls.
  const placer = (controls) => {
    const taken = boxes(), words = texts(), others = boxes();
    for (const r of controls) others.add({ x: r.x, y: r.y, w: r.width, h: r.height });
    const onScreen = (b) => b.x >= 0 && b.y >= 0 && b.x + b.w <= innerWidth && b.y + b.h <= innerHeight;
    const spots = function* (r, w) {
      const above = r.top - height - gap, below = r.bottom + gap, before = r.left - w - gap, after = r.right + gap;
      yield* [[r.left, above], [before, r.top], [r.right - w, above], [r.left, below], [after, r.top], [r.right - w, below],
        [before, r.bottom - height], [after, r.bottom - height]];
      if (r.height > height + 8) yield* [[r.right - w - 2, r.top + 2], [r.right - w - 2, r.bottom - height - 2]];
      for (let d = 1; d <= 12; d++) {
        const by = d * (height + gap);
        yield* [[r.left, above - by], [before - by, r.top], [r.left, below + by], [after + by, r.top],
          [r.left - by, r.top - by], [r.right + by, r.bottom + by], [r.left + by, r.top]];
      }
    };
    return (r, w) => {
      let best = null, least = Infinity, tried = 0;
      for (const [x, y] of spots(r, w)) {
        if (best && ++tried > 24) break; // far away is worse than on a few words
        const b = { x: Math.round(x), y: Math.round(y), w, h: height };
        if (!onScreen(b) || taken.covered({ x: b.x + 0.1, y: b.y + 0.1, w: b.w - 0.2, h: b.h - 0.2 }) > 0) continue;
        const own = Math.max(0, Math.min(b.x + b.w, r.right) - Math.max(b.x, r.left)) * Math.max(0, Math.min(b.y + b.h, r.bottom) - Math.max(b.y, r.top));
        const hides = words.covered(b) + (others.covered(b) - own) / 4 + tried * 2;
        if (hides < least) { best = b; least = hides; }
        if (hides <= tried * 2 + 1) break;
      }
      if (best) taken.add(best);
      return best;
    };
  };

  const draw = (labels) => {
    host = document.createElement('pwpipe-labels');
    host.setAttribute('aria-hidden', 'true');
    host.style.cssText = 'all:initial!important;position:fixed!important;inset:0!important;display:block!important;width:auto!important;' +
      'height:auto!important;margin:0!important;padding:0!important;border:0!important;background:none!important;overflow:hidden!important;' +
      'pointer-events:none!important;z-index:2147483647!important';
    const shadow = host.attachShadow({ mode: 'closed' });
    const svg = (name, attributes, parent) => {
      const e = document.createElementNS('http://www.w3.org/2000/svg', name);
      for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
      return parent.appendChild(e);
    };
    const canvas = svg('svg', { width: innerWidth, height: innerHeight }, shadow);
    canvas.style.cssText = 'position:absolute;left:0;top:0';
    for (const l of labels) {
      const b = l.label, r = l.box;
      const x = Math.min(Math.max(b.x + b.w / 2, r.x), r.x + r.w), y = Math.min(Math.max(b.y + b.h / 2, r.y), r.y + r.h);
      svg('line', { x1: b.x + b.w / 2, y1: b.y + b.h / 2, x2: x, y2: y, stroke: '#5d4037', 'stroke-width': 1 }, canvas);
      svg('rect', { x: r.x, y: r.y, width: r.w, height: r.h, fill: 'none', stroke: '#5d4037', 'stroke-width': 0.75, 'stroke-dasharray': '2 2' }, canvas);
    }
    for (const l of labels) {
      const b = l.label;
      svg('rect', { x: b.x + 0.5, y: b.y + 0.5, width: b.w - 1, height: b.h - 1, rx: 3, fill: l.colour, stroke: '#5d4037' }, canvas);
      svg('text', { x: b.x + b.w / 2, y: b.y + 11.5, 'text-anchor': 'middle', fill: '#1b1b1b',
        'font-family': 'Arial, Helvetica, sans-serif', 'font-size': 11, 'font-weight': 700 }, canvas).textContent = l.ref;
    }
    document.documentElement.appendChild(host);
    try {
      host.popover = 'manual';
      host.showPopover();
    } catch {} // an older browser: below a modal dialog, that is all
    timer = setTimeout(unlabel, labelTime);
  };

  // What can be clicked in one of these is a part of it: the outline knows them
  // as single.
  const single = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'option', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio']);
  const inControl = (element) => {
    for (let e = element.parentElement; e; e = e.parentElement) {
      const role = given.get(e)?.role;
      if (single.has(role)) return true;
    }
    return false;
  };

  // labels draws the labels and tells where they are; prefix is that of the
  // frame's refs, all whether pictures get one.
  const labels = (prefix, all) => {
    unlabel();
    const found = [];
    for (const [ref, weak] of elements) {
      const element = weak.deref();
      if (!element?.isConnected) continue;
      const { role } = given.get(element);
      if (role === 'clickable' && inControl(element)) continue; // the snapshot leaves it out too
      if (!(all ? colours[role] : interactive.has(role))) continue;
      let r = element.getBoundingClientRect();
      if (r.width < 3 || r.height < 3) { // a hidden input behind a label that is drawn
        const label = element.labels?.[0];
        if (!label) continue;
        r = label.getBoundingClientRect();
      }
      if (r.bottom > 0 && r.right > 0 && r.top < innerHeight && r.left < innerWidth && seen(element, r)) found.push({ ref: prefix + ref, role, r });
    }
    found.sort((a, b) => a.r.top - b.r.top || a.r.left - b.r.left);
    const place = placer(found.map((f) => f.r));
    const list = [];
    for (const { ref, role, r } of found) {
      const label = place(r, Math.ceil(ref.length * 6.6) + 7);
      if (label) list.push({ ref, role, colour: colours[role], label, box: { x: r.left, y: r.top, w: r.width, h: r.height } });
    }
    draw(list);
    return JSON.stringify(list);
  };

  const answer = (text) => {
    const e = document.createElement('pre');
    e.textContent = text;
    return [e];
  };

  // selectorOf is what Playwright's own generator writes for an element: a
  // selector that finds it without a ref.
  let generator;
  const selectorOf = (element) => {
    generator ??= new (module.exports.InjectedScript())(globalThis, false, 'javascript', 'data-testid', 1, 'chromium', false, []);
    return generator.generateSelectorSimple(element);
  };

  const verbs = {
    selector: (root, arg) => selectorOf(find(arg)),
    tree: (root, arg) => tree(root, +arg || 1),
    labels: (root, arg) => labels(arg, false),
    'labels-all': (root, arg) => labels(arg, true),
    state: () => document.readyState === 'complete' ? 'load' : performance.timing?.domContentLoadedEventEnd ? 'domcontentloaded' : '',
    unlabel: () => { unlabel(); return ''; },
  };

  return {
    queryAll(root, body) {
      if (body[0] !== '!') return [find(body)];
      const space = body.indexOf(' ');
      const verb = space < 0 ? body.slice(1) : body.slice(1, space);
      return answer(verbs[verb](root, space < 0 ? '' : body.slice(space + 1)));
    },
  };
})()
