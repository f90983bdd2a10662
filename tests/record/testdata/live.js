// The page of an application as its next version might be: an application builds its page
// bit by bit, so each element is changed once it appears. The application's own look-ups
// know classes and ids by their old names. Which element each click and input hits is told
// to the test, by what it was before.
((kind, seed) => {
  const does = (what) => kind === what || kind === 'all' && ['classes', 'ids', 'order', 'wrappers', 'texts'].includes(what);
  const hash = (text) => {
    let h = 2166136261;
    for (const c of `${seed} ${text}`) h = Math.imul(h ^ c.charCodeAt(0), 16777619);
    h = Math.imul(h ^ h >>> 15, 2246822507);
    h = Math.imul(h ^ h >>> 13, 3266489909);
    return (h ^ h >>> 16) >>> 0;
  };
  const often = (p, text) => hash(text) / 4294967296 < p;
  const native = { get: Element.prototype.getAttribute, set: Element.prototype.setAttribute,
    matches: Element.prototype.matches, closest: Element.prototype.closest };

  // What an element was.
  const keys = new WeakMap(), count = new Map();
  const used = 'button,a,input:not([type=hidden]),select,textarea';
  const parts = `${used},label,option,summary,[role],li`;
  const know = (e) => {
    if (keys.has(e)) return;
    const words = [e.getAttribute('name'), e.getAttribute('title'), e.getAttribute('aria-label'), e.getAttribute('placeholder'),
      native.closest.call(e, 'label')?.textContent.trim().slice(0, 30), native.matches.call(e, parts) ? e.textContent.trim().slice(0, 30) : ''];
    const what = [e.nodeName.toLowerCase(), e.id, ...words].map((s) => s ?? '').join(' ').replace(/\s+/g, ' ');
    count.set(what, (count.get(what) ?? 0) + 1);
    keys.set(e, `${what} ${count.get(what)}`);
  };
  const report = (e) => {
    const hit = native.closest.call(e.target, parts) ?? e.target;
    if (!e.isTrusted && e.type === 'click') return;
    const r = new XMLHttpRequest();
    r.open('POST', '/.hit', false);
    r.send(`${e.type} ${keys.get(hit) ?? `new ${hit.nodeName}`}`);
  };
  addEventListener('click', report, true);
  addEventListener('input', report, true);

  // Other names of classes and ids.
  const forms = { id: new Map(), class: new Map() };
  const other = (sort, name) => {
    if (!does(sort === 'id' ? 'ids' : 'classes') || forms[sort].has(name)) return name;
    const made = 'u' + hash(sort + name).toString(36);
    forms[sort].set(made, name);
    return made;
  };
  const old = (sort, names) => names && names.split(/\s+/).map((name) => forms[sort].get(name) ?? name).join(' ');
  const sorts = { id: 'id', class: 'class', for: 'id', 'aria-labelledby': 'id', 'aria-describedby': 'id', 'aria-controls': 'id' };
  const both = (sel) => typeof sel !== 'string' ? sel : sel.split(/("[^"]*"|'[^']*'|\[[^\]]*\])/).map((part, i) => i % 2 ? part :
    part.replace(/([#.])(-?[a-zA-Z_][\w-]*)(?!\\|[\w-])/g, (all, mark, name) => {
      const made = other(mark === '#' ? 'id' : 'class', name);
      return made === name ? all : `:is(${all},${mark}${made})`;
    })).join('');
  const rename = (e) => {
    if (!(e instanceof HTMLElement) || native.closest.call(e, 'svg')) return;
    for (const [name, sort] of Object.entries(sorts)) {
      const now = native.get.call(e, name);
      const made = now && now.trim().split(/\s+/).map((n) => other(sort, n)).join(' ');
      if (made && made !== now.trim()) native.set.call(e, name, made);
    }
  };
  const sheets = new WeakSet();
  const restyle = () => {
    const within = (rules) => {
      for (const rule of rules) {
        if (rule.selectorText) {
          const made = both(rule.selectorText);
          if (made !== rule.selectorText) rule.selectorText = made;
        }
        if (rule.cssRules?.length) within(rule.cssRules);
      }
    };
    for (const sheet of document.styleSheets) {
      if (sheets.has(sheet)) continue;
      try {
        within(sheet.cssRules);
        sheets.add(sheet);
      } catch { /* not loaded */ }
    }
  };
  if (does('ids') || does('classes')) {
    for (const proto of [Document.prototype, DocumentFragment.prototype, Element.prototype]) {
      for (const name of ['querySelector', 'querySelectorAll', 'matches', 'closest']) {
        const was = proto[name];
        if (was) proto[name] = function (sel) { return was.call(this, both(sel)); };
      }
      if (proto.getElementsByClassName) {
        proto.getElementsByClassName = function (names) {
          return this.querySelectorAll(names.trim().split(/\s+/).map((n) => '.' + CSS.escape(n)).join(''));
        };
      }
    }
    const byId = Document.prototype.getElementById;
    Document.prototype.getElementById = function (id) { return byId.call(this, other('id', id)) ?? byId.call(this, id); };
    Element.prototype.getAttribute = function (name) {
      const value = native.get.call(this, name);
      return sorts[name] ? old(sorts[name], value) : value;
    };
    const reads = (proto, name, sort) => {
      const d = Object.getOwnPropertyDescriptor(proto, name);
      Object.defineProperty(proto, name, { ...d, get() { const v = d.get.call(this); return typeof v === 'string' ? old(sort, v) : v; } });
    };
    reads(Element.prototype, 'id', 'id');
    reads(Element.prototype, 'className', 'class');
    reads(HTMLLabelElement.prototype, 'htmlFor', 'id');
    const list = DOMTokenList.prototype, { contains, remove, toggle } = list;
    list.contains = function (name) { return contains.call(this, name) || contains.call(this, other('class', name)); };
    list.remove = function (...names) { remove.call(this, ...names, ...names.map((n) => other('class', n))); };
    list.toggle = function (name, on = !this.contains(name)) {
      if (on) return toggle.call(this, name, true);
      this.remove(name);
      return false;
    };
    addEventListener('load', restyle, true);
  }

  // Other words.
  const mild = (s) => [(t) => `${t} now`, (t) => t.toLowerCase(), (t) => t.toUpperCase(), (t) => `${t}:`, (t) => `Your ${t}`][hash('mild ' + s) % 5](s);
  const foreign = (s) => s.split(' ').map((w) => hash('word ' + w).toString(36)).join(' ');
  const worded = new WeakMap(); // text nodes, and what they became
  const reword = (n) => {
    const words = n.data.trim();
    if (!words || worded.get(n) === n.data || !n.parentElement || !native.matches.call(n.parentElement, 'label,button,a,h1,h2,h3,legend,span')) return;
    if (!/\p{L}{2}/u.test(words) || !often(0.5, 'words ' + words)) return;
    n.data = n.data.replace(words, () => (does('texts') ? mild : foreign)(words));
    worded.set(n, n.data);
  };
  const hints = (e) => {
    if (!native.matches.call(e, used)) return;
    for (const name of ['title', 'aria-label', 'placeholder']) {
      const words = native.get.call(e, name);
      if (words && often(0.5, 'words ' + words)) native.set.call(e, name, (does('texts') ? mild : foreign)(words));
    }
  };

  // Another order, other places, less and more of them.
  const reorder = (e) => {
    const list = [...e.children];
    if (!native.matches.call(e, 'form,fieldset,div,ul,ol,section,nav') || list.length < 2 || list.length > 30) return;
    if ([...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) return;
    const controls = list.filter((c) => native.matches.call(c, parts) || c.querySelector(used));
    if (controls.length < 2 || e.querySelectorAll(used).length > 12 || !often(0.6, 'order ' + keys.get(e))) return;
    if (list.some((c) => /absolute|fixed/.test(getComputedStyle(c).position))) return;
    const shuffled = list.map((c, i) => [hash(`order ${keys.get(c)} ${i}`), c]).sort((a, b) => a[0] - b[0]).map((p) => p[1]);
    const places = list.map((c) => { const mark = document.createComment(''); c.replaceWith(mark); return mark; });
    places.forEach((mark, i) => mark.replaceWith(shuffled[i]));
  };
  const wrapped = new WeakSet();
  const wrap = (e) => {
    if (!native.matches.call(e, used) || wrapped.has(e) || native.closest.call(e, 'label,svg') || !often(0.5, 'wrap ' + keys.get(e))) return;
    wrapped.add(e);
    const box = document.createElement(often(0.5, 'box ' + keys.get(e)) ? 'div' : 'span');
    box.style.display = 'contents';
    e.replaceWith(box);
    box.append(e);
  };
  const remove = (e) => {
    if (native.matches.call(e, used) && often(0.3, 'gone ' + keys.get(e))) e.style.setProperty('display', 'none', 'important');
  };
  const copied = new WeakSet();
  const copy = (e) => {
    if (!native.matches.call(e, used) || copied.has(e) || !often(0.4, 'copy ' + keys.get(e))) return;
    const twin = e.cloneNode(true);
    keys.set(twin, `copy of ${keys.get(e)}`);
    for (const c of [e, twin, ...twin.querySelectorAll('*')]) copied.add(c);
    twin.removeAttribute('name');
    if (often(0.5, 'id ' + keys.get(e)) && !e.labels?.length) {
      twin.id = e.id;
      e.removeAttribute('id');
    } else twin.removeAttribute('id');
    if (often(0.5, 'side ' + keys.get(e))) e.before(twin); else e.after(twin);
  };

  const seen = new WeakSet();
  const change = (root) => {
    const list = [root, ...root.querySelectorAll('*')].filter((e) => e.nodeType === 1 && e.isConnected && !seen.has(e));
    for (const e of list) know(e);
    for (const e of list) seen.add(e);
    if (does('texts') || kind === 'words') {
      for (const e of list) {
        hints(e);
        for (const n of e.childNodes) if (n.nodeType === 3) reword(n);
      }
    }
    if (does('order')) list.forEach(reorder);
    if (does('wrappers')) list.forEach(wrap);
    if (does('ids') || does('classes')) list.forEach(rename);
    if (kind === 'gone') list.forEach(remove);
    if (kind === 'copies') list.forEach(copy);
  };
  new MutationObserver((records) => {
    for (const r of records) {
      if (r.type === 'attributes') rename(r.target);
      else if (r.type === 'characterData') (does('texts') || kind === 'words') && reword(r.target);
      else for (const n of r.addedNodes) {
        if (n.nodeType === 1 && n.isConnected) change(n);
        else if (n.nodeType === 3 && (does('texts') || kind === 'words')) reword(n);
      }
    }
    if (does('ids') || does('classes')) restyle();
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: Object.keys(sorts) });
})
