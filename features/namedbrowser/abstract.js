(root, only) => {
  // Runs in a frame. With `only`, returns the selector of that element.
  // Otherwise returns the visible controls in document order, as JSON text.
  const scopes = [document];
  const walk = (scope) => {
    for (const el of scope.querySelectorAll('*')) {
      if (el.shadowRoot) { scopes.push(el.shadowRoot); walk(el.shadowRoot); }
    }
  };
  walk(document);
  // Playwright's CSS pierces open shadow roots: unique means across all scopes.
  const known = new Map();
  const matches = (css) => {
    let all = known.get(css);
    if (!all) {
      all = [];
      try { for (const s of scopes) all.push(...s.querySelectorAll(css)); } catch { all = []; }
      known.set(css, all);
    }
    return all;
  };
  const unique = (css, el) => { const m = matches(css); return m.length === 1 && m[0] === el; };
  const quote = (s) => '"' + s.replace(/["\\]/g, '\\$&').replace(/[\n\r\f]/g, (c) => '\\' + c.charCodeAt(0).toString(16) + ' ') + '"';
  const tagOf = (el) => CSS.escape(el.localName);
  const short = (el, name) => { const v = el.getAttribute(name); return v !== null && v !== '' && v.length <= 200 ? `[${name}=${quote(v)}]` : ''; };
  // The number of elements with this tag and attribute value. Counted once for
  // all: querying the document for each link of a long list takes seconds.
  const index = new Map();
  const having = (el, name) => {
    const key = el.localName + ' ' + name;
    if (!index.has(key)) {
      const counts = new Map();
      for (const e of matches(tagOf(el))) counts.set(e.getAttribute(name), (counts.get(e.getAttribute(name)) ?? 0) + 1);
      index.set(key, counts);
    }
    return index.get(key).get(el.getAttribute(name));
  };
  // Selectors that a person would write, the most specific first, each with its
  // number of matches if that is known.
  const simple = (el) => {
    const tag = tagOf(el), list = [];
    const add = (css, n) => list.push({ css, n });
    if (el.id) add(tag + '#' + CSS.escape(el.id));
    for (const name of ['data-testid', 'data-test', 'name', 'href', 'aria-label', 'placeholder', 'title', 'value']) {
      const a = short(el, name);
      if (a) add(tag + a, having(el, name));
    }
    const name = short(el, 'name'), value = short(el, 'value'), type = short(el, 'type');
    if (name && value) add(tag + name + value);
    if (name && type) add(tag + name + type);
    if (type) add(tag + type);
    for (const c of [...el.classList].slice(0, 3)) add(tag + '.' + CSS.escape(c));
    add(tag);
    return list;
  };
  const telling = new Map(); // element -> a selector that matches only it, or ''
  const own = (el) => {
    if (!telling.has(el)) telling.set(el, simple(el).find((s) => s.n === undefined ? unique(s.css, el) : s.n === 1)?.css ?? '');
    return telling.get(el);
  };
  const stepTo = (el) => {
    const same = el.parentElement ? [...el.parentElement.children].filter((c) => c.localName === el.localName) : [el];
    return tagOf(el) + (same.length > 1 ? `:nth-of-type(${same.indexOf(el) + 1})` : '');
  };
  const selectorOf = (el) => {
    if (own(el)) return own(el);
    // A path from the nearest ancestor that has a unique selector: with > and
    // :nth-of-type there is one way down.
    let path = stepTo(el);
    for (let at = el.parentElement; at; at = at.parentElement) {
      if (own(at)) return `${own(at)} > ${path}`;
      path = `${stepTo(at)} > ${path}`;
    }
    if (unique(path, el)) return path;
    // Identical elements in shadow roots: use the index of the match.
    const { css } = simple(el)[0];
    return `${css} >> nth=${matches(css).indexOf(el)}`;
  };
  if (only) return selectorOf(only);

  const fold = (s) => (s || '').replace(/\s+/g, ' ').trim();
  const cut = (s) => fold(s).slice(0, 2000); // cut to its final length after secrets are masked
  const byIds = (el) => fold((el.getAttribute('aria-labelledby') || '').split(/\s+/).filter(Boolean)
    .map((id) => el.getRootNode().getElementById?.(id)?.innerText ?? '').join(' '));
  const labelOf = (el) => {
    const l = el.labels?.[0];
    if (!l) return '';
    const copy = l.cloneNode(true);
    for (const c of copy.querySelectorAll('input,select,textarea,button')) c.remove();
    return fold(copy.textContent);
  };
  const textOf = (el) => fold(el.innerText) || fold(el.querySelector('img[alt]')?.alt) || fold(el.querySelector('svg title')?.textContent);
  const nameOf = (el, text) => cut(el.getAttribute('aria-label') || byIds(el) || labelOf(el) || text || el.title ||
    el.getAttribute('placeholder') || el.name || el.id || '');
  const visible = (el) => el.checkVisibility({ visibilityProperty: true }) && el.getClientRects().length > 0;
  const buttonTypes = ['button', 'submit', 'reset', 'image'];
  const describe = (el) => {
    const tag = el.localName, type = tag === 'input' ? el.type : '';
    const item = { selector: selectorOf(el), disabled: el.matches(':disabled') || el.getAttribute('aria-disabled') === 'true' };
    if (tag === 'a') {
      item.kind = 'link'; item.text = cut(textOf(el)); item.name = nameOf(el, item.text) || cut(el.getAttribute('href'));
    } else if (tag === 'select') {
      item.kind = 'select'; item.name = nameOf(el, ''); item.options = [...el.options].slice(0, 100).map((o) => cut(o.label || o.text));
      item.more = Math.max(0, el.options.length - 100);
    } else if (type === 'checkbox' || type === 'radio') {
      item.kind = type; item.name = nameOf(el, ''); item.checked = el.checked; item.value = cut(el.value);
    } else if (tag === 'button' || buttonTypes.includes(type)) {
      item.kind = 'button';
      item.text = cut(tag === 'button' ? textOf(el) : el.value || el.alt || '');
      item.name = nameOf(el, item.text);
    } else {
      item.kind = 'input'; item.type = tag === 'textarea' ? 'textarea' : type; item.name = nameOf(el, '');
    }
    return item;
  };
  const all = [];
  const collect = (scope) => {
    for (const el of scope.querySelectorAll('*')) {
      if (el.matches('a[href],button,input:not([type=hidden]),textarea,select') && visible(el)) all.push(describe(el));
      if (el.shadowRoot) collect(el.shadowRoot);
    }
  };
  collect(document);
  return JSON.stringify(all);
}
