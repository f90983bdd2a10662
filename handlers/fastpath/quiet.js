// Says whether a document has provably stood still for two frames, so that a click need not
// wait for two. It watches from when the library comes, in the driver's isolated world, which
// the page cannot reach. Where anything is doubtful, the answer is no, and without on there is no watch.
(on) => {
  const still = 40; // milliseconds: two frames at 60 Hz, and some
  const most = 2000; // changes between two clicks; the watch of a page with more ends until the next click
  const mostElements = 10000; // searched for shadow roots
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  // These move, and document.getAnimations() does not list them.
  const others = 'marquee, animate, animateTransform, animateMotion, set, foreignObject';

  let began = Infinity, stirred = 0, framed = 0; // when: the watch, the last change, the last frame of the page
  let frames = 0; // the document's last number of a frame
  let changes = 0, ending = null, roots = new Set();

  // These are acts, ours among them: a page may go on with one, as by a request, without a trace here.
  const acts = ['click', 'focusin', 'input', 'change', 'submit', 'keydown', 'pointerup', 'wheel', 'drop'];

  const stir = () => { stirred = performance.now(); }; // notes what may move an element
  const changed = (records) => {
    if (!records.length) return;
    stir();
    if ((changes += records.length) > most) end();
  };
  const shifted = (entries) => entries.forEach((e) => { stirred = Math.max(stirred, e.startTime); });
  const observer = new MutationObserver(changed);
  const layout = new PerformanceObserver((list) => shifted(list.getEntries()));
  const listen = (to, kinds) => kinds.forEach((kind) => to.addEventListener(kind, stir, { capture: true, passive: true, signal: ending.signal }));

  const watch = () => {
    ending = new AbortController();
    roots = new Set();
    began = performance.now();
    layout.observe({ type: 'layout-shift', buffered: true });
    listen(window, ['resize', 'load', 'error', 'toggle', 'message', ...acts]);
    listen(visualViewport, ['resize', 'scroll']);
    listen(document.fonts, ['loadingdone', 'loadingerror']);
    see(document);
    number();
  };
  const end = () => {
    ending.abort();
    observer.disconnect();
    layout.disconnect();
    ending = null;
  };
  // see watches a tree, and those of its shadow roots that pages can reach.
  const see = (root) => {
    if (!roots.has(root)) {
      roots.add(root);
      observer.observe(root, all);
      listen(root, ['scroll']);
      stir();
    }
    for (const e of root.querySelectorAll('*')) if (e.shadowRoot?.nodeType === 11) see(e.shadowRoot); // a form may have a field of that name
  };

  // A document numbers the frames that are asked for, in all worlds alike. So a gap in the numbers
  // says that the page has asked for one.
  const numbered = (frame) => {
    if (frame === ++frames) return;
    framed = performance.now();
    frames = frame;
  };
  const number = () => {
    const frame = requestAnimationFrame(() => {});
    cancelAnimationFrame(frame);
    numbered(frame);
  };

  // quiet: nothing has changed for two frames.
  const quiet = () => {
    changes = 0;
    if (!ending) {
      watch();
      return false;
    }
    if (document.getElementsByTagName('*').length > mostElements) return false;
    see(document);
    changed(observer.takeRecords());
    shifted(layout.takeRecords());
    const calm = (since) => performance.now() - since > still;
    if (document.readyState !== 'complete' || document.hidden || document.fonts.status !== 'loaded' || !calm(began) || !calm(stirred) ||
      document.querySelector(others) || [...roots].some((root) => root.getAnimations().some((a) => a.playState === 'running' || a.pending))) return false;
    number(); // comes last, as it makes the next frame late
    return calm(framed);
  };
  const safely = (what) => {
    try {
      return what();
    } catch {
      return false; // a page may have elements of these names
    }
  };
  if (on) safely(watch);
  return {
    quiet: () => on && safely(quiet),
    frame: () => new Promise((done) => numbered(requestAnimationFrame(done))),
  };
}
