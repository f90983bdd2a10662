(elements) => {
  const el = elements[0];
  if (!el) return 'absent';
  // An element as Playwright shows it: an error is the same whichever of them saw it.
  const cut = (s, most) => [...s].length > most ? [...s].slice(0, most - 1).join('') + '…' : s;
  const name = (e) => {
    const bare = /^(checked|selected|disabled|readonly|multiple)$/, empty = /^(area|base|br|col|command|embed|hr|img|input|keygen|link|menuitem|meta|param|source|track|wbr)$/;
    const given = [...e.attributes].filter((a) => a.name !== 'style').map((a) => ` ${a.name}` + (a.value || !bare.test(a.name) ? `="${a.value}"` : ''));
    const tag = e.nodeName.toLowerCase(), open = `<${tag}${cut(given.sort((a, b) => a.length - b.length).join(''), 500)}`;
    const plain = e.childNodes.length <= 5 && [...e.childNodes].every((n) => n.nodeType === 3);
    return (empty.test(tag) ? `${open}/>` : `${open}>${plain ? cut(e.textContent, 50) : '…'}</${tag}>`).replace(/\n/g, '↵').replace(/\t/g, '⇆');
  };
  if (el.checkVisibility && !el.checkVisibility({ visibilityProperty: true })) return 'is not visible';
  const box = [...el.getClientRects()].find((r) => r.width && r.height);
  if (!box) return 'is not visible (it has no size)';
  if (el.matches(':disabled') || el.closest('[aria-disabled="true"]')) return 'is disabled';
  if (el.readOnly) return 'is read-only';
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return '';

  // What Playwright would hit there, and whether it is part of the element: of
  // the button or link around it, as Playwright has it. A label of its own is
  // not.
  let hit = document.elementFromPoint(x, y);
  for (let inner; hit?.shadowRoot && (inner = hit.shadowRoot.elementFromPoint(x, y)) && inner !== hit;) hit = inner;
  const parent = (e) => e.parentElement ?? e.getRootNode().host;
  const within = (e, outer) => { while (e && e !== outer) e = parent(e); return !!e; };
  const target = el.closest('button, [role=button], a, [role=link]') ?? el;
  if (!hit || within(hit, target)) return '';

  // Its label takes the click for it: how to name that.
  const label = [...(el.labels ?? [])].find((l) => within(hit, l));
  const selector = () => {
    const host = label.getRootNode().host; // of a component: its label is its own affair
    const named = host ?? label, tag = named.nodeName.toLowerCase();
    if (named.id) return `#${CSS.escape(named.id)}`;
    if (!host && el.id) return label.htmlFor === el.id ? `label[for="${CSS.escape(el.id)}"]` : `label:has(#${CSS.escape(el.id)})`;
    const text = named.textContent.replace(/\s+/g, ' ').trim().slice(0, 40);
    return text ? `${tag}:has-text(${JSON.stringify(text)})` : tag;
  };
  return `is covered: ${name(hit)} intercepts pointer events` + (label ? `\nits label takes clicks for it: ${selector()}` : '');
}
