(elements) => {
  const el = elements[0];
  if (!el) return 'absent';
  const name = (e) => {
    const id = e.id ? ` id="${e.id}"` : '';
    const cls = typeof e.className === 'string' && e.className.trim() ? ` class="${e.className.trim()}"` : '';
    return `<${e.nodeName.toLowerCase()}${id}${cls}>`;
  };
  const box = el.getBoundingClientRect();
  if (el.checkVisibility && !el.checkVisibility({ visibilityProperty: true })) return 'is not visible';
  if (!box.width || !box.height) return 'is not visible (it has no size)';
  if (el.matches(':disabled') || el.closest('[aria-disabled="true"]')) return 'is disabled';
  if (el.readOnly) return 'is read-only';
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return '';
  const hit = el.getRootNode().elementFromPoint?.(x, y);
  if (!hit || hit === el || el.contains(hit) || hit.contains(el) || hit.closest('label')?.control === el || el.closest('label')?.contains(hit)) return '';
  return `is covered by ${name(hit)}`;
}
