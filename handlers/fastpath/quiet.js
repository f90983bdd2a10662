// Says whether a document has provably stood still for two frames, so that a click need not
// wait for two. It watches from when the library comes, in the driver's isolated world, which
// the page cannot reach. Where anything is doubtful, the answer is no, and without on there is no watch.
(on) => {
  const still = 40; // milliseconds: two frames at 60 Hz, and some
  const most = 2000; // changes between two clicks; the watch of a page with more ends until the next click
  const maxElements = 10000; // searched for shadow roots
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  // These move, and document.getAnimations() does not list them.
  const others = 'marquee, animate, animateTransform, animateMotion, set, foreignObject';

  let began = Infinity, stirred = 0, answered = 0, framed = 0, timed = 0; // when: the watch, the last change, and so on
  let frames = 0, timers = 0; // the document's last numbers
  let fresh = true; // no act of ours has begun in this document
  let drawn = false, laid = false, led = false; // since begins, or the document's begin: a frame, a timer was asked for; a link was clicked, or a form sent
  let changes = 0, acting = false, ending = null, roots = new Set();

  // stir notes what may move an element. What a click of ours changes at once, in its events, is
  // an answer, and a fill is one: see quiet.
  const stir = () => {
    if (acting) answered = performance.now();
    else stirred = performance.now();
  };
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
    listen(window, ['resize', 'load', 'error', 'keydown', 'pointerup', 'wheel', 'drop', 'toggle']);
    window.addEventListener('input', typed, { capture: true, signal: ending.signal });
    listen(visualViewport, ['resize', 'scroll']);
    listen(document.fonts, ['loadingdone', 'loadingerror']);
    see(document);
    number();
  };
  // A timer that was asked for earlier does not go on with what is typed.
  const typed = () => {
    number();
    timed = 0;
    answered = performance.now();
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

  // A document numbers the frames and the timers that are asked for, in all worlds alike. So a
  // gap in the numbers says that the page has asked for one.
  const numbered = (frame, timer) => {
    if (frame && frame !== ++frames) {
      framed = performance.now();
      drawn = true;
      frames = frame;
    }
    if (timer && timer !== ++timers) {
      timed = performance.now();
      laid = true;
      timers = timer;
    }
  };
  const number = () => {
    const frame = requestAnimationFrame(() => {}), timer = setTimeout(() => {});
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    numbered(frame, timer);
  };

  // quiet: nothing has changed for two frames. Or only an act of ours has, in its events, and the
  // page could not go on with it: it has asked for no frame and no timer, and alone says that it
  // has asked no server and no worker.
  const quiet = (alone) => {
    changes = 0;
    if (!ending) {
      watch();
      return false;
    }
    if (document.getElementsByTagName('*').length > maxElements) return false;
    see(document);
    changed(observer.takeRecords());
    shifted(layout.takeRecords());
    const calm = (since) => performance.now() - since > still;
    if (document.readyState !== 'complete' || document.hidden || document.fonts.status !== 'loaded' || !calm(began) || !calm(stirred) ||
      document.querySelector(others) || [...roots].some((root) => root.getAnimations().some((a) => a.playState === 'running' || a.pending))) return false;
    number(); // comes last, as it makes the next frame late
    return calm(framed) && (calm(answered) || alone && calm(timed));
  };
  // begins notes that an act begins, of whichever kind. over tells whether the page could not go on
  // with it: it has asked for no timer, and for no frame after those that the act may have drawn.
  // Then it answers for how many milliseconds the document must be quiet, otherwise -1.
  const clicked = (e) => { led ||= e.type === 'submit' || e.composedPath().some((n) => n.matches?.('a, area, input[type=file]')); };
  let following;
  const begins = () => {
    following?.abort();
    following = new AbortController();
    const hear = (kinds, what) => kinds.forEach((kind) => window.addEventListener(kind, what, { capture: true, passive: true, signal: following.signal }));
    // The driver awaits frames before its first event.
    let entered = false;
    const enters = (e) => {
      if (entered || !e.isTrusted) return;
      entered = true;
      number();
      drawn = false;
    };
    hear(['pointerover', 'pointermove', 'pointerdown', 'keydown'], enters);
    hear(['click', 'submit'], clicked);
    number();
    fresh = drawn = laid = led = false;
    return true;
  };
  // parts waits until the document is left, and tells what it says to its reader then and did not before. The next
  // one ends it.
  const speaks = '[role=alert], [role=status], [aria-live]:not([aria-live=off]), output, ' +
    ['toast', 'snackbar', 'notification', 'notice', 'flash'].map((name) => `[class*=${name} i]`).join();
  let parting;
  const parts = () => {
    parting?.([]);
    return new Promise((done) => {
      const ending = new AbortController(), had = safely(said) || [];
      const tell = () => parting((safely(said) || []).filter((text) => !had.includes(text)));
      parting = (texts) => { ending.abort(); done(texts); };
      window.addEventListener('pagehide', tell, { capture: true, signal: ending.signal });
      // What a document says as it is left for another site is not heard any more.
      const leads = (e) => { if (!e.destination.sameDocument && e.downloadRequest === null) Promise.resolve().then(tell); };
      globalThis.navigation?.addEventListener('navigate', leads, { signal: ending.signal });
    });
  };
  const said = () => {
    const texts = [];
    for (const e of document.querySelectorAll(speaks)) {
      const text = e.checkVisibility({ visibilityProperty: true }) ? e.innerText.trim() : '';
      if (text && text.length < 1000 && !texts.some((t) => t.includes(text)) && texts.push(text) === 20) break;
    }
    return texts;
  };
  const quietTime = 30;
  const over = async () => {
    number();
    following?.abort();
    const arrived = fresh, plain = arrived && isPlain();
    if (document.hidden || laid || led || arrived && document.querySelector('meta[http-equiv=refresh i]')) return -1;
    // An idle task comes after the tasks of a new document's scripts. A task of the lowest priority comes after those that
    // the act has led to. Observers of what is in view come with a frame.
    const task = arrived ? () => new Promise((done) => requestIdleCallback(done)) : () => scheduler.postTask(() => {}, { priority: 'background' });
    if (!plain && globalThis.scheduler) for (let n = 0; n < 2; n++) await task();
    number();
    if (drawn || arrived && !plain) {
      const late = performance.now() + 10 * still;
      await next();
      const begun = await next(); // when that frame began; the watch may have noticed since that the page asked for another one
      drawn = framed >= begun || performance.now() > late;
      number();
    }
    const ends = !drawn && !laid && !led && document.readyState === 'complete' && document.fonts.status === 'loaded' &&
      !document.getAnimations().some((a) => a.playState === 'running' || a.pending);
    return !ends ? -1 : plain ? 0 : quietTime;
  };
  // isPlain tells a document without scripts: nothing in it comes later.
  const isPlain = () => !document.scripts.length && !document.querySelector('[onload], [onerror]');
  const asksFrame = (what) => numbered(requestAnimationFrame(what), 0);
  const next = () => new Promise(asksFrame);
  const safely = (what) => {
    try {
      return what();
    } catch {
      return false; // a page may have elements of these names
    }
  };
  if (on) safely(watch);
  if (on) globalThis[Symbol.for('pwpipe')].asksFrame = asksFrame; // for frames that the page has not asked for
  return {
    quiet: (alone) => on && safely(() => quiet(alone)),
    // A click of ours begins, and has ended.
    acts: () => { acting = true; timed = 0; }, // an earlier timer does not go on with it
    acted: () => { changed(observer.takeRecords()); acting = false; answered = performance.now(); },
    parts: () => on ? parts() : [],
    begins: () => on && safely(begins),
    arrives: () => on && fresh,
    over: () => on ? over().catch(() => -1) : -1,
    frame: next,
    later: (what, ms) => numbered(0, setTimeout(what, ms)),
  };
}
