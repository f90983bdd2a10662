// Finds what a person presses for a checkbox or a radio button that is not drawn itself: its label, or the
// part of the page that is drawn around it and holds no other control. undefined where there is none.
(e) => {
  if (e.localName !== 'input' || e.type !== 'checkbox' && e.type !== 'radio' || e.closest('[aria-hidden=true], [inert]')) return undefined;
  const boxed = (o) => [...o.getClientRects()].some((r) => r.width >= 1 && r.height >= 1 && r.right + scrollX > 0 && r.bottom + scrollY > 0);
  const pseudo = (o) => ['::before', '::after'].some((which) => {
    const { content, display } = getComputedStyle(o, which);
    return display !== 'none' && content !== 'none' && content !== 'normal';
  });
  const shows = (o) => o.checkVisibility?.({ visibilityProperty: true }) ?? true;
  const label = [...e.labels ?? []].find((l) => shows(l) && (boxed(l) || pseudo(l) || [...l.querySelectorAll('*')].some((o) => shows(o) && boxed(o))));
  if (label) return label;
  const controls = 'a[href], button, input, select, textarea, label, [role=button], [role=link]';
  const clear = e.getClientRects().length && getComputedStyle(e).opacity === '0';
  for (let p = e, n = 0; n < 3; n++) {
    p = p.parentElement ?? p.getRootNode().host;
    if (!p || p === document.body || [...p.querySelectorAll(controls)].some((o) => o !== e)) return undefined;
    const box = p.getBoundingClientRect();
    if (!shows(p) || box.width < 8 || box.height < 8) continue;
    if (box.width > 400 || box.height > 100) return undefined;
    if (clear || [p, ...p.querySelectorAll('*')].some((o) => o !== e && shows(o) && boxed(o) && getComputedStyle(o).cursor === 'pointer')) return p;
  }
  return undefined;
}
