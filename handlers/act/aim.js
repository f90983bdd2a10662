// Tells what frames are at a point of the viewport, and how much the page's document has seen of presses since it was
// first asked: so it is known whether it saw one that is made there. own is the element there, if any: no frame in it
// counts.
(own, kept, x, y) => {
  if (!kept.doc) {
    Object.assign(kept, { doc: String(Math.random()), begun: 0, ended: 0, clicked: 0, touches: [], seats: new WeakMap(), given: 0 });
    // The mouse that follows a touch is no press of its own: a frame may have got the touch.
    const follows = (e) => /^(mouse|click)/.test(e.type) && e.sourceCapabilities?.firesTouchEvents;
    const count = (name, ...types) => types.forEach((type) => addEventListener(type, (e) => {
      if (e.isTrusted && (name === 'clicked' || !follows(e))) kept[name]++;
    }, { capture: true, passive: true }));
    // What the browser itself drags is dropped where it was moved over last, whatever is there by then.
    for (const type of ['dragstart', 'dragenter', 'dragover', 'dragleave', 'dragend', 'drop', 'mousedown']) addEventListener(type, (e) => {
      if (!e.isTrusted) return;
      kept.left = type === 'dragleave';
      if (type === 'dragstart' || type === 'dragover') kept.over = e;
      if (type === 'dragend' && !(kept.over?.type === 'dragover' && kept.over.defaultPrevented)) kept.ended++; // else there was to be a drop
    }, { capture: true, passive: true });
    count('begun', 'pointerdown', 'mousedown', 'touchstart');
    count('clicked', 'mouseup', 'click', 'auxclick', 'contextmenu');
    for (const type of ['touchstart', 'touchend']) addEventListener(type, (e) => {
      if (e.isTrusted) kept.touches = type === 'touchstart' ? [e] : [...kept.touches, e];
    }, { capture: true, passive: true });
    count('ended', 'pointerup', 'mouseup', 'touchend', 'click', 'drop');
  }
  const foreign = (w) => [...Array(w.length).keys()].some((i) => { try { return !w[i].document || foreign(w[i]); } catch { return true; } });
  let others = foreign(window); // of scroll bars a page does not see all, and of controls of a film nothing
  const path = [], within = (e) => { while (e && e !== own) e = e.assignedSlot ?? e.parentElement ?? e.getRootNode().host; return !!e; };
  for (let from = document; from;) {
    let at = from.elementFromPoint(x, y);
    for (let inner; (inner = at?.shadowRoot?.elementFromPoint(x, y)) && inner !== at;) at = inner;
    others &&= !(at instanceof HTMLMediaElement && at.controls);
    const frame = /^(IFRAME|FRAME|OBJECT|EMBED|FENCEDFRAME)$/.test(at?.nodeName);
    if (!frame && kept.left && others) path.push(0); // a frame that was there has what is dragged
    if (!frame || own && within(at)) break;
    if (!kept.seats.has(at)) kept.seats.set(at, ++kept.given);
    path.push(kept.seats.get(at));
    const box = at.getBoundingClientRect();
    [x, y] = [x - box.left - at.clientLeft, y - box.top - at.clientTop];
    try { from = at.contentDocument; } catch { from = null; }
  }
  return { frames: path.join('/'), others, doc: kept.doc, begun: kept.begun, ended: kept.ended, clicked: kept.clicked,
    refused: kept.touches.some((e) => e.defaultPrevented) };
}
