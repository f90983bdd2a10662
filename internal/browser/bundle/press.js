// Watches a press of the mouse at a point of an element's document. hit() says what is at the
// point by now, as Playwright's expectHitTarget does: moving the mouse there may have changed it. seen()
// ends the watch: it is false where the document saw nothing of the press, so that another got it.
(injected, element, point) => {
  const ending = new AbortController();
  let seen = false;
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'contextmenu']) {
    window.addEventListener(type, (e) => { seen ||= e.isTrusted; }, { capture: true, passive: true, signal: ending.signal });
  }
  return {
    hit: () => {
      if (!element.isConnected) return 'error:notconnected';
      const result = injected.expectHitTarget(point, element);
      let at = document.elementFromPoint(point.x, point.y);
      for (let inner; (inner = at?.shadowRoot?.elementFromPoint(point.x, point.y)) && inner !== at;) at = inner;
      seen ||= result === 'done' && /^(IFRAME|FRAME|OBJECT|EMBED|FENCEDFRAME)$/.test(at?.nodeName); // whose own document sees it
      return result;
    },
    seen: () => {
      ending.abort();
      return seen;
    },
  };
}
