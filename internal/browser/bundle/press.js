// Watches presses of the mouse at a point of an element's document. hit() says what is at the
// point by now, as Playwright's expectHitTarget does: moving the mouse there may have changed it. seen(n, held)
// ends the watch: it is false where the document did not see n presses, so that another got them. Where another
// origin's document is near, it must have seen them begin and, unless held, end: one may get a half. tapped(waits) is
// that for a tap: the document must have seen the touch and, unless the page refuses it, the click that follows.
(injected, element, point) => {
  const ending = new AbortController(), counts = {};
  // Of a frame its own document sees it, and controls of a film keep it to themselves.
  const hides = () => {
    let at = document.elementFromPoint(point.x, point.y);
    for (let inner; (inner = at?.shadowRoot?.elementFromPoint(point.x, point.y)) && inner !== at;) at = inner;
    return /^(IFRAME|FRAME|OBJECT|EMBED|FENCEDFRAME)$/.test(at?.nodeName) || at instanceof HTMLMediaElement && at.controls;
  };
  let hidden = injected.expectHitTarget(point, element) === 'done' && hides();
  const touches = [];
  const count = (e) => {
    if (!e.isTrusted) return;
    counts[e.type] = (counts[e.type] ?? 0) + 1;
    if (e.type === 'touchstart' || e.type === 'touchend') touches.push(e);
  };
  // Playwright's own listener comes first, and may keep from all others what misses the element.
  const own = injected._hitTargetInterceptor, both = (e) => { count(e); own(e); };
  if (own) injected._hitTargetInterceptor = both;
  for (const type of own ? [] : ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'contextmenu']) {
    window.addEventListener(type, count, { capture: true, passive: true, signal: ending.signal });
  }
  const most = (...types) => Math.max(...types.map((type) => counts[type] ?? 0));
  const foreign = (w) => [...Array(w.length).keys()].some((i) => { try { return !w[i].document || foreign(w[i]); } catch { return true; } });
  const apart = () => window === top && !foreign(window), alone = apart();
  const near = () => !alone || !apart();
  return {
    tapped: async (waits) => {
      const clicked = () => hidden || most('mouseup', 'click', 'auxclick', 'contextmenu') > 0 || touches.some((e) => e.defaultPrevented);
      if (near() && !hidden && !(counts.touchstart && counts.touchend)) return false;
      if (near()) for (const late = performance.now() + waits; !clicked() && performance.now() < late;) await new Promise((done) => setTimeout(done, 5));
      return !near() || clicked();
    },
    hit: () => {
      if (!element.isConnected) return 'error:notconnected';
      const result = injected.expectHitTarget(point, element);
      hidden ||= result === 'done' && hides();
      return result;
    },
    seen: (n = 1, held = false) => {
      ending.abort();
      if (injected._hitTargetInterceptor === both) injected._hitTargetInterceptor = own;
      if (hidden) return true;
      const ended = most('pointerup', 'mouseup', 'touchend', 'click', 'auxclick'), begun = most('pointerdown', 'mousedown', 'touchstart', 'contextmenu');
      return near() ? begun >= n && (held || ended >= n) : held || Math.max(begun, ended) >= n;
    },
  };
}
