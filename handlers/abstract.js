(root, only) => {
  // Runs in a frame. With only: the selector of that element. Else: the
  // controls that can be seen, in the order of the document, as JSON text.
  const scopes = [document];
  const walk = (scope) => {
    for (const el of scope.querySelectorAll('*')) {
      if (el.shadowRoot) { scopes.push(el.shadowRoot); walk(el.shadowRoot); }
    }
  };
  walk(document);
  // Playwright's CSS looks into open shadow roots, so uniqueness is over all.
  const matches = (css) => {
    const all = [];
    try { for (const s of scopes) all.push(...s.querySelectorAll(css)); } catch { return []; }
    return all;
  };
  const unique = (css, el) => { const m = matches(css); return m.length === 1 && m[0] === el; };
  const quote = (s) => '"' + s.replace(/["\\]/g, '\\$&').replace(/[\n\r\f]/g, (c) => '\\' + c.charCodeAt(0).toString(16) + ' ') + '"';
  const tagOf = (el) => CSS.escape(el.localName);
  const short = (el, name) => { const v = el.getAttribute(name); return v !== null && v !== '' && v.length <= 200 ? `[${name}=${quote(v)}]` : ''; };
  // The selectors that a person would write, the most telling first.
  const simple = (el) => {
    const tag = tagOf(el), list = [];
    if (el.id) list.push(tag + '#' + CSS.escape(el.id));
    for (const name of ['data-testid', 'data-test', 'name', 'href', 'aria-label', 'placeholder', 'title', 'value']) {
      const a = short(el, name);
      if (a) list.push(tag + a);
    }
    const name = short(el, 'name'), value = short(el, 'value'), type = short(el, 'type');
    if (name && value) list.push(tag + name + value);
    if (name && type) list.push(tag + name + type);
    if (type) list.push(tag + type);
    for (const c of [...el.classList].slice(0, 3)) list.push(tag + '.' + CSS.escape(c));
    list.push(tag);
    return list;
  };
  const selectorOf = (el) => {
    for (const css of simple(el)) if (unique(css, el)) return css;
    // A path down from an ancestor that can be told apart.
    let path = '';
    for (let at = el; at && at.nodeType === 1; at = at.parentElement) {
      const same = at.parentElement ? [...at.parentElement.children].filter((c) => c.localName === at.localName) : [at];
      const step = tagOf(at) + (same.length > 1 ? `:nth-of-type(${same.indexOf(at) + 1})` : '');
      if (at !== el) {
        for (const css of simple(at).slice(0, -1)) {
          if (unique(css, at) && unique(`${css} > ${path}`, el)) return `${css} > ${path}`;
        }
      }
      path = path ? `${step} > ${path}` : step;
      if (unique(path, el)) return path;
    }
    // Twins in shadow roots: the how-manieth match it is.
    const css = simple(el)[0];
    return `${css} >> nth=${matches(css).indexOf(el)}`;
  };
  if (only) return selectorOf(only);

  const fold = (s) => (s || '').replace(/\s+/g, ' ').trim();
  const cut = (s, n) => { const r = [...fold(s)]; return r.length > n ? r.slice(0, n - 1).join('') + '…' : r.join(''); };
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
    el.getAttribute('placeholder') || el.name || el.id || '', 100);
  const visible = (el) => el.checkVisibility({ visibilityProperty: true }) && el.getClientRects().length > 0;
  const buttonTypes = ['button', 'submit', 'reset', 'image'];
  const describe = (el) => {
    const tag = el.localName, type = tag === 'input' ? el.type : '';
    const item = { selector: selectorOf(el), disabled: el.matches(':disabled') || el.getAttribute('aria-disabled') === 'true' };
    if (tag === 'a') {
      item.kind = 'link'; item.text = cut(textOf(el), 200); item.name = nameOf(el, item.text) || cut(el.getAttribute('href'), 100);
    } else if (tag === 'select') {
      item.kind = 'select'; item.name = nameOf(el, ''); item.options = [...el.options].slice(0, 100).map((o) => cut(o.label || o.text, 60));
      item.more = Math.max(0, el.options.length - 100);
    } else if (type === 'checkbox' || type === 'radio') {
      item.kind = type; item.name = nameOf(el, ''); item.checked = el.checked; item.value = cut(el.value, 100);
    } else if (tag === 'button' || buttonTypes.includes(type)) {
      item.kind = 'button';
      item.text = cut(tag === 'button' ? textOf(el) : el.value || el.alt || '', 200);
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
