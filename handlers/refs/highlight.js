// highlight.js draws the highlights of refs.js: HIGHLIGHT there stands for this function.
() => {
  // A highlight is a frame around an element, with a word at it, for people who watch. Like
  // labels, highlights are in a closed shadow root in the top layer: they take no room, no
  // clicks, and no place in a snapshot. They stay until they are taken away, and follow their
  // elements.
  const colour = '#d6006c', gap = 3, height = 22, widest = 320, every = 100;
  const marks = new Map(); // element -> { frame, word }
  let host, canvas, timer, listening;

  // place puts each mark where its element is now. The page hears nothing of it: nothing in the
  // document's own tree changes.
  const place = () => {
    for (const [element, mark] of marks) {
      if (element.isConnected) continue;
      mark.frame.remove();
      mark.word?.remove();
      marks.delete(element);
    }
    if (!marks.size || !host.isConnected) return unhighlight();
    for (const [element, { frame, word }] of marks) {
      const r = element.getBoundingClientRect();
      const shown = r.width > 0 && r.height > 0 &&
        r.bottom > 0 && r.right > 0 && r.top < innerHeight && r.left < innerWidth;
      for (const part of [frame, word]) if (part) part.style.display = shown ? 'block' : 'none';
      if (!shown) continue;
      set(frame, r.left - gap, r.top - gap);
      frame.style.width = r.width + 2 * gap + 'px';
      frame.style.height = r.height + 2 * gap + 'px';
      if (!word) continue;
      const above = r.top - gap - height, below = r.bottom + gap;
      const y = above >= 0 ? above : below + height <= innerHeight ? below : Math.max(0, r.top);
      set(word, Math.max(0, Math.min(r.left - gap, innerWidth - word.offsetWidth)), y);
    }
  };
  const set = (part, x, y) => { part.style.transform = `translate(${x}px,${y}px)`; };

  const part = (style) => {
    const e = document.createElement('div');
    e.style.cssText = 'all:initial;position:absolute;left:0;top:0;box-sizing:border-box;display:none;' +
      'pointer-events:none;' + style;
    return canvas.appendChild(e);
  };

  const open = () => {
    host = document.createElement('pwpipe-highlight');
    host.setAttribute('aria-hidden', 'true');
    host.style.cssText = ['all:initial', 'position:fixed', 'inset:0', 'display:block', 'width:auto', 'height:auto',
      'margin:0', 'padding:0', 'border:0', 'background:none', 'overflow:hidden', 'pointer-events:none',
      'z-index:2147483647'].join('!important;') + '!important';
    canvas = host.attachShadow({ mode: 'closed' });
    document.documentElement.appendChild(host);
    timer = setInterval(place, every); // what moves by itself
    listening = new AbortController();
    const how = { capture: true, passive: true, signal: listening.signal };
    for (const kind of ['scroll', 'resize']) addEventListener(kind, place, how);
  };

  const highlight = (element, text) => {
    if (!host?.isConnected) {
      unhighlight();
      open();
    }
    const old = marks.get(element);
    old?.frame.remove();
    old?.word?.remove();
    const frame = part(`border:3px solid ${colour};border-radius:4px;box-shadow:0 0 0 1px #fff`);
    const word = text && part(`height:${height}px;max-width:${widest}px;padding:0 6px;background:${colour};` +
      'color:#fff;border-radius:4px;overflow:hidden;' +
      `font:700 14px/${height}px Arial,Helvetica,sans-serif;white-space:nowrap;text-overflow:ellipsis`);
    if (word) word.textContent = text;
    marks.set(element, { frame, word });
    try {
      if (host.popover) host.hidePopover(); // above what has come into the top layer since
      host.popover = 'manual';
      host.showPopover();
    } catch {} // an older browser: below a modal dialog
    place();
  };

  const unhighlight = () => {
    clearInterval(timer);
    listening?.abort();
    host?.remove();
    marks.clear();
    host = undefined;
  };

  return { highlight, unhighlight };
}
