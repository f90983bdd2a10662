(elements) => {
  const el = elements[0];
  if (!el) return 'absent';
  const name = (e) => {
    const id = e.id ? ` id="${e.id}"` : '';
    const cls = typeof e.className === 'string' && e.className.trim() ? ` class="${e.className.trim()}"` : '';
    return `<${e.nodeName.toLowerCase()}${id}${cls}>`;
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
