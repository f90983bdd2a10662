// labels.js makes the labels of refs.js: LABELS there stands for this function.
(elements, elementOf, given, parentOf) => {
  // Labels: a small box with its ref at each control that can be seen, in a
  // closed shadow root in the top layer. It takes no room, no clicks, and no
  // place in a snapshot.
  const colours = {
    link: '#FFF785', button: '#FFE0B2', textbox: '#FFCDD2', searchbox: '#FFCDD2', combobox: '#FFCDD2', spinbutton: '#FFCDD2',
    checkbox: '#F8BBD0', radio: '#F8BBD0', switch: '#F8BBD0', slider: '#FFCCBC', menuitem: '#FFAB91', menuitemcheckbox: '#FFAB91',
    menuitemradio: '#FFAB91', tab: '#FFE082', option: '#FFE082', listbox: '#FFE082', treeitem: '#FFE082',
    img: '#B3E5FC', video: '#B3E5FC', audio: '#B3E5FC', clickable: '#FFE0B2', editor: '#FFCDD2', canvas: '#FFE0B2',
  };
  const interactive = new Set(Object.keys(colours).filter((role) => !/^(img|video|audio)$/.test(role)));
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
    for (let e = parentOf(element); e; e = parentOf(e)) {
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
    for (const [ref, held] of elements) {
      const element = elementOf(held);
      if (!element?.isConnected) continue;
      const { role: called, clickable, ref: newest } = given.get(element);
      if (ref !== newest) continue; // that of another, in whose place it came
      const player = called === 'video' || called === 'audio'; // its buttons make it no button
      const role = clickable && !player && !interactive.has(called) ? 'clickable' : called;
      if (role === 'clickable' && inControl(element)) continue; // the snapshot leaves it out too
      if (!(all ? colours[role] : interactive.has(role) || clickable)) continue;
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

  return { labels, unlabel };
}
