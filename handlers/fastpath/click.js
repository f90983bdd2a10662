// Playwright's click up to where the mouse is moved, for an element that it would
// click at once and where it is: undefined for any other. What has to be scrolled to,
// what is drawn in perspective or zoomed, and what has no box of its own, or several,
// is the driver's. Where it is, page.aimed tells, and page.hit whether it was clicked.
(page, sel, [id, url, late]) => {
  const over = () => location.href !== url || Date.now() > late;
  const element = over() ? null : page.one(sel);
  if (!(element instanceof HTMLElement)) return undefined;
  const scaled = visualViewport.scale !== 1 || visualViewport.offsetLeft || visualViewport.offsetTop;
  if (scaled || (element.currentCSSZoom ?? 1) !== 1) return undefined;
  const within = (r, left, top, width, height) => r.left >= left && r.top >= top && r.right <= left + width && r.bottom <= top + height;
  // A form's elements stand in the place of its properties by their names: what leads
  // up is asked of the prototypes.
  const getter = (of, name) => Object.getOwnPropertyDescriptor(of, name).get;
  const slot = getter(Element.prototype, 'assignedSlot'), parent = getter(Node.prototype, 'parentElement');
  const above = (e) => slot.call(e) ?? parent.call(e) ?? Node.prototype.getRootNode.call(e).host;
  // shown: all of it is to be seen, so that nothing is scrolled.
  const shown = (r) => {
    for (let e = element; e; e = above(e)) {
      const style = getComputedStyle(e);
      if (e === element && e.firstElementChild && style.display === 'inline') return false; // Playwright takes the first of its parts
      if (style.perspective !== 'none' || style.transform.startsWith('matrix3d')) return false;
      if (e === element || e === document.body || e === document.documentElement || style.overflowX + style.overflowY === 'visiblevisible') continue;
      const box = e.getBoundingClientRect();
      if (!within(r, box.left + e.clientLeft, box.top + e.clientTop, e.clientWidth, e.clientHeight)) return false;
    }
    return within(r, 0, 0, innerWidth, innerHeight);
  };
  // What stands in a canvas for those who don't see it has no box: it is clicked as assistive
  // technology does.
  const painted = async () => {
    if (await page.injected.checkElementStates(element, ['enabled']) || over()) return undefined;
    page.hits.set(id, () => true);
    element.focus();
    element.click();
    return { done: true };
  };
  const aim = async () => {
    if (element.closest('canvas') && element.nodeName !== 'CANVAS') return painted();
    if (await page.injected.checkElementStates(element, ['visible', 'enabled', 'stable'])) return undefined;
    const boxes = element.getClientRects(), box = boxes[0];
    if (boxes.length !== 1 || box.width * box.height < 1 || !shown(box) || over()) return undefined;
    const middle = (a, b) => Math.trunc((a + b) * 50) / 100;
    const point = { x: middle(box.left, box.right), y: middle(box.top, box.bottom) };
    const hit = page.injected.setupHitTargetInterceptor(element, 'mouse', point, false);
    if (typeof hit === 'string') return undefined;
    page.hits.set(id, () => hit.stop() === 'done');
    setTimeout(() => { // nobody may have waited for it
      const was = page.hit(id);
      page.aimed(id);
      if (was !== undefined && page.hits.size < 100) page.hits.set(id, () => was);
    }, Math.max(0, late - Date.now()) + 1000);
    return point;
  };
  page.aims.set(id, aim());
  return true;
}
