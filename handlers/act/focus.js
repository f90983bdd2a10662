(el) => {
  // Focuses an element. If it is a visible field, puts the caret at the end of
  // its text. Invisible fields belong to an editor or a terminal, which has a
  // caret of its own.
  const active = () => {
    let a = el.ownerDocument.activeElement;
    while (a?.shadowRoot?.activeElement) a = a.shadowRoot.activeElement;
    return a;
  };
  const inside = (e) => {
    while (e && e !== el) e = e.parentElement ?? e.getRootNode().host;
    return !!e;
  };
  const before = active();
  if (before !== el) el.focus();
  const now = active();
  // A component may pass the focus on, inside itself or elsewhere.
  if (!inside(now) && now === before) {
    const box = el.getBoundingClientRect();
    const hidden = !box.width || !box.height || el.checkVisibility?.({ visibilityProperty: true }) === false;
    return hidden || el.matches(':disabled') ? 'waiting' : "can't take the keyboard focus";
  }
  const box = now.getBoundingClientRect();
  if (now !== el || box.width < 2 || box.height < 2) return 'focused';
  if (!el.isContentEditable) try { el.setSelectionRange(el.value.length, el.value.length) } catch {} // not every input has a caret
  return 'focused';
}
