// Playwright's fill, for an element that it would fill at once; undefined for any
// other, without changing it. page.type types then. The driver handles fields that take no typing
// (date, colour), labels, values that are refused, and what is edited in place, where the act checks
// what came of it.
(page, sel, [id, url, late, text]) => {
  if (location.href !== url || Date.now() > late) return undefined;
  const typed = new Set(['email', 'number', 'password', 'search', 'tel', 'text', 'url']);
  const element = page.one(sel);
  if (!element || element.nodeName === 'INPUT' && !typed.has(element.type)) return undefined;
  if (!element.matches('input, textarea')) return undefined;
  if (element.type === 'number' && isNaN(Number(text.trim()))) return undefined;
  for (const state of ['visible', 'enabled', 'editable']) {
    if (!page.injected.elementState(element, state).matches) return undefined;
  }
  if (page.injected.fill(element, text) !== 'needsinput') return undefined;
  page.field = { id, element };
  return true;
}
