// Watches whether the mouse comes to an element. The answer is a function: it tells what frame has the mouse instead, or
// undefined. Who puts a frame there because the mouse came has seen it come.
(injected, node) => {
  const element = node.nodeType === 1 ? node : node.parentElement, ending = new AbortController();
  let came = false;
  const isFrame = (e) => /^(IFRAME|FRAME|OBJECT|EMBED|FENCEDFRAME)$/.test(e?.nodeName);
  for (const type of ['mousemove', 'mouseover', 'pointermove', 'pointerover'])
    addEventListener(type, (e) => { came ||= e.isTrusted && !isFrame(e.composedPath()[0]); }, { capture: true, passive: true, signal: ending.signal });
  const foreign = (w) => [...Array(w.length).keys()].some((i) => { try { return !w[i].document || foreign(w[i]); } catch { return true; } });
  const under = () => {
    let last;
    for (let root = document, at; root && (at = [...root.querySelectorAll(':hover')].at(-1)); root = at.shadowRoot) last = at;
    return last;
  };
  const within = (e) => { while (e && e !== element) e = e.assignedSlot ?? e.parentElement ?? e.getRootNode().host; return !!e; };
  return async () => {
    let at;
    for (const late = performance.now() + 100; !came && foreign(window) && !isFrame(at = under()) && performance.now() < late;)
      await new Promise((done) => setTimeout(done, 5));
    ending.abort();
    return !came && isFrame(at = under()) && !within(at) ? injected.previewNode(at) : undefined;
  };
}
