// A page as its next version might be: this runs before the page's own scripts, changes the
// document once it is parsed, and tells the test which element each click and input hits,
// by what it was before. The page's own look-ups by id find their elements under new names.
((kind, seed) => {
  const does = (what) => kind === what || kind === 'all' && ['classes', 'ids', 'order', 'wrappers', 'texts'].includes(what);
  let state = [...`${seed} ${location.pathname}`].reduce((h, c) => Math.imul(h ^ c.charCodeAt(0), 16777619), 2166136261);
  const random = () => {
    state = state + 0x6d2b79f5 | 0;
    let t = Math.imul(state ^ state >>> 15, 1 | state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
  const often = (p) => random() < p;
  const shuffled = (list) => list.map((e) => [random(), e]).sort((a, b) => a[0] - b[0]).map((p) => p[1]);

  const keys = new WeakMap();
  const keyOf = (e) => keys.get(e) ?? `new ${e.nodeName}`;
  const parts = 'a,button,input,select,textarea,option,summary,[role],[contenteditable],[onclick]';
  const report = (e) => {
    const hit = e.target.closest?.(parts) ?? e.target;
    if (!e.isTrusted && e.type === 'click') return;
    const r = new XMLHttpRequest();
    r.open('POST', '/.hit', false);
    r.send(`${e.type} ${location.pathname} ${keyOf(hit)}`);
  };
  addEventListener('click', report, true);
  addEventListener('input', report, true);

  // The page's scripts keep the names that they were written with.
  const ids = new Map(), byId = Document.prototype.getElementById;
  Document.prototype.getElementById = function (id) { return byId.call(this, ids.get(id) ?? id); };

  const all = (sel) => [...document.body.querySelectorAll(sel)];
  const used = 'button,a,input:not([type=hidden]),select,textarea';
  const rules = (change) => {
    for (const sheet of document.styleSheets) {
      for (const rule of sheet.cssRules) if (rule.selectorText) rule.selectorText = change(rule.selectorText);
    }
  };

  const rename = () => {
    for (const e of all('[id]')) {
      if (ids.has(e.id) || e.closest('svg')) continue;
      ids.set(e.id, `u${Math.floor(random() * 1e9).toString(36)}`);
    }
    for (const e of all('[id]')) if (ids.has(e.id)) e.id = ids.get(e.id);
    for (const name of ['for', 'form', 'list', 'aria-labelledby', 'aria-describedby', 'aria-controls']) {
      for (const e of all(`[${name}]`)) e.setAttribute(name, e.getAttribute(name).split(' ').map((id) => ids.get(id) ?? id).join(' '));
    }
    rules((sel) => [sel, sel.replace(/#([\w-]+)/g, (_, id) => `#${ids.get(id) ?? id}`)].join());
    for (const e of all('[data-testid]')) if (often(0.3)) e.dataset.testid += '-2';
  };
  const reclass = () => {
    const names = new Map();
    for (const e of all('[class]')) {
      if (e.closest('svg')) continue;
      for (const c of [...e.classList]) {
        if (!names.has(c)) names.set(c, `c${Math.floor(random() * 1e9).toString(36)}`);
        e.classList.replace(c, names.get(c));
      }
    }
    rules((sel) => [sel, sel.replace(/\.([a-z][\w-]*)/gi, (_, c) => `.${names.get(c) ?? c}`)].join());
  };
  const reorder = () => {
    for (const e of all('form,fieldset,div,ul,ol,section,nav')) {
      const words = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
      if (words || e.children.length < 2 || e.querySelector('iframe,script') || !often(0.6)) continue;
      e.append(...shuffled([...e.children]));
    }
  };
  const wrap = () => {
    for (const e of all(used)) {
      if (!often(0.5) || e.closest('label,svg')) continue;
      const box = document.createElement(often(0.5) ? 'div' : 'span');
      e.replaceWith(box);
      box.append(e);
    }
  };
  const other = { Submit: 'Send', Apply: 'Apply filters', Search: 'Search the shop', 'Sign in': 'Log in', Password: 'Your password',
    'E-mail': 'E-mail address', Country: 'Country or region', Count: 'Count up', Message: 'Your message', 'Add to cart': 'Add to basket' };
  const texts = (how) => {
    for (const e of all('label,button,a,h1,h2,h3,legend,span')) {
      for (const n of e.childNodes) {
        const words = n.data?.trim();
        if (n.nodeType !== 3 || !words || !often(0.5)) continue;
        n.data = n.data.replace(words, how(words));
      }
    }
  };
  const mild = (s) => {
    if (other[s]) return other[s];
    return [(t) => `${t} now`, (t) => t.toLowerCase(), (t) => t.toUpperCase(), (t) => t.replace(/ \(.*\)/, ''), (t) => `${t}:`][Math.floor(random() * 5)](s);
  };
  const foreign = (s) => s.split(' ').map(() => Math.floor(random() * 1e9).toString(36)).join(' ');

  // The changes after which a replay has to stop: ids that went to others, elements that
  // are gone, and copies.
  const swap = () => {
    const byTag = Object.groupBy(all('[id]').filter((e) => e.matches(used)), (e) => `${e.nodeName} ${e.type}`);
    for (const group of Object.values(byTag)) {
      const given = shuffled(group.map((e) => e.id));
      const labels = group.map((e) => [...e.labels ?? []].filter((l) => l.htmlFor));
      group.forEach((e, i) => {
        e.id = given[i];
        for (const l of labels[i]) l.htmlFor = given[i];
      });
    }
  };
  const remove = () => { for (const e of all(used)) if (often(0.3)) e.remove(); };
  const copy = () => {
    for (const e of all(used)) {
      if (!often(0.4)) continue;
      const twin = e.cloneNode(true);
      keys.set(twin, `copy of ${keyOf(e)}`);
      for (const name of ['name', 'required']) twin.removeAttribute(name); // a form sends what it sent
      if (often(0.5) && !e.labels?.length) e.removeAttribute('id'); else twin.removeAttribute('id');
      if (often(0.5)) e.before(twin); else e.after(twin);
    }
  };

  addEventListener('DOMContentLoaded', () => {
    const count = new Map();
    for (const e of document.querySelectorAll('*')) {
      const what = `${e.nodeName.toLowerCase()} ${e.id || e.name || ''} ${e.value ?? ''} ${e.children.length ? '' : e.textContent.trim().slice(0, 40)}`;
      count.set(what, (count.get(what) ?? 0) + 1);
      keys.set(e, `${what} ${count.get(what)}`);
    }
    if (does('swapped')) swap();
    if (does('texts')) texts(mild);
    if (does('words')) texts(foreign);
    if (does('order')) reorder();
    if (does('wrappers')) wrap();
    if (does('ids')) rename();
    if (does('classes')) reclass();
    if (does('gone')) remove();
    if (does('copies')) copy();
  });
})
