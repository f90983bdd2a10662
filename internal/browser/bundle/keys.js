// Watches the keys that are pressed for an element. lost(n, released) ends the watch: it is true where the element's
// document and its neighbours of the same origin heard fewer than n keys go down, or as many released, and the focus has
// left them meanwhile. Then a frame of another origin has got some, even if it gave the focus back.
(element) => {
  const ending = new AbortController();
  const away = () => {
    let a = element.ownerDocument.activeElement;
    while (a?.shadowRoot?.activeElement) a = a.shadowRoot.activeElement;
    return !!a && /^(IFRAME|FRAME|OBJECT|EMBED|FENCEDFRAME)$/.test(a.nodeName) && !a.contentDocument;
  };
  let downs = 0, ups = 0, left = away();
  const each = (w, does) => {
    try { if (!w.document) return; } catch { return; }
    does(w);
    for (let i = 0; i < w.length; i++) each(w[i], does);
  };
  let root = element.ownerDocument.defaultView;
  for (let up; (up = root.parent) !== root; root = up) try { if (!up.document) break; } catch { break; }
  const hears = (w, type, does) => w.addEventListener(type, (e) => { if (e.isTrusted) does(); }, { capture: true, passive: true, signal: ending.signal });
  each(root, (w) => {
    hears(w, 'keydown', () => { downs++; });
    hears(w, 'keyup', () => { ups++; });
    hears(w, 'blur', () => { left = true; });
  });
  return {
    lost: (n, released) => {
      ending.abort();
      return (left || away()) && (downs < n || released && ups < n);
    },
  };
}
