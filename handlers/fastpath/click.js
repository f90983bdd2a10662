// Playwright's click up to moving the mouse, for an element that it would click at once;
// undefined for any other. The driver handles elements that are scrolled to smoothly, have
// perspective or zoom, or have no box or several. In a document that stands
// still (quiet.js) the answer is the point. Otherwise it is true, and page.aimed returns the
// point after two frames. page.clicks has then what follows: moved tells what is at the point once the
// mouse is, result whether the click hit, and pressed tells that when its events have ended.
(page, sel, [id, url, late, alone]) => {
  const over = () => location.href !== url || Date.now() > late;
  // While the pointer is locked, in a frame of this process too, Chromium takes no mouse of ours: tool/pointer.go.
  const locked = (w) => { try { return !!w.document.pointerLockElement || [...Array(w.length).keys()].some((i) => locked(w[i])); } catch { return false; } };
  const element = over() || locked(window) ? null : page.one(sel);
  if (!(element instanceof HTMLElement)) return undefined;
  if (page.isScaled(element)) return undefined;
  // Fallback content of a canvas, made for assistive technology, has no box, nor has an area of a
  // picture. They are clicked as assistive technology does.
  const paint = async () => {
    if (await page.injected.checkElementStates(element, ['enabled']) || over()) return undefined;
    page.clicks.set(id, { result: () => 'hit' });
    element.focus();
    element.click();
    return { done: true };
  };
  const point = () => {
    if (!['visible', 'enabled'].every((state) => page.injected.elementState(element, state).matches)) return undefined;
    if (over()) return undefined;
    page.bring(element);
    const boxes = element.getClientRects(), box = boxes[0];
    if (boxes.length !== 1 || box.width * box.height < 1 || !page.isShown(element, box)) return undefined;
    const middle = (a, b) => Math.trunc((a + b) * 50) / 100;
    const point = { x: middle(box.left, box.right), y: middle(box.top, box.bottom) };
    const hit = page.injected.setupHitTargetInterceptor(element, 'mouse', point, false);
    if (typeof hit === 'string') return undefined;
    const press = page.watchPress(page.injected, page.injected.retarget(element, 'button-link'), point), ending = new AbortController();
    page.still.acts();
    let came;
    const result = () => {
      if (came) return came;
      page.still.acted();
      ending.abort();
      const seen = press.seen(), stopped = hit.stop();
      return came = !seen ? 'unseen' : stopped !== 'done' ? 'missed' : 'hit';
    };
    // The page's own listeners come first, of all that an event of the browser brings.
    const after = (type, what) => new Promise((done) => window.addEventListener(type, (e) => {
      if (!e.isTrusted) return;
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => done(what());
      port2.postMessage(0);
    }, { capture: true, passive: true, signal: ending.signal }));
    page.clicks.set(id, { moved: after('mousemove', press.hit), hit: press.hit, pressed: after('pointerup', result), result });
    if (page.clicks.size > 100) page.clicks.delete(page.clicks.keys().next().value);
    page.still.later(result, Math.max(0, late - Date.now()) + 1000); // the caller may have given up
    return point;
  };
  const painted = element.closest('canvas') && element.nodeName !== 'CANVAS' || element.nodeName === 'AREA';
  if (!painted && page.still.quiet(alone)) return point();
  page.aims.set(id, painted ? paint() : page.isStable(element).then((yes) => yes ? point() : undefined));
  return true;
}
