// --- Drags of scripts: dragTo and dragAndDrop.

// A drag has the moves that lists need which are moved by pointer events, as the tool `drag` has: they begin a drag
// after a few pixels, measure and draw between two moves, and take the target after a second move over it. As a click
// does, the press and the drop test again who is under the mouse. Where it ends with an error, the button is let go.
const onDrop = /; waiting to drop it on /; // an error's words, once the button is pressed
{
  const { Frame } = core('server/frames.ts'), { Mouse } = core('server/input.ts'), { ElementHandle, NonRecoverableDOMError } = core('server/dom.ts');
  const { dragAndDrop } = Frame.prototype, { move, down } = Mouse.prototype, { _retryPointerAction: retry } = ElementHandle.prototype;
  const drags = new Storage(), startPixels = 12, usualSteps = 10, outside = -10, releaseTime = 1000;
  Frame.prototype.dragAndDrop = function(progress, source, target, options) {
    const drag = {};
    return drags.run(drag, async () => {
      try {
        return await dragAndDrop.call(this, progress, source, target, options);
      } catch (e) {
        if (drag.from) {
          await letGo(this._page.mouse);
          const waiting = e.name === 'TimeoutError' ? `; waiting to drop it on ${this._asLocator(target)}` : '';
          e.message = e.message.replace(/\.?$/, () => waiting + '; the button was let go outside of the page');
        }
        throw e;
      }
    });
  };
  // What is held is dropped on nothing. The call's own time may be over.
  const letGo = async (mouse) => {
    const late = new Promise((done) => real.setTimeout(done, releaseTime));
    const anyhow = { race: (what) => Promise.race([what, late]), log() {}, metadata: {} };
    Object.assign(mouse, { _x: outside, _y: outside });
    await Promise.race([late, mouse._raw.move(anyhow, outside, outside, 'left', mouse._buttons, mouse._keyboard._modifiers(), false)]).catch(() => {});
    await mouse.up(anyhow).catch(() => {});
  };
  Mouse.prototype.down = async function(progress, options) {
    const drag = drags.getStore();
    if (drag) drag.from = { x: this._x, y: this._y };
    await down.call(this, progress, options);
  };
  Mouse.prototype.move = async function(progress, x, y, options = {}) {
    const { from } = drags.getStore() || {};
    if (!from) return move.call(this, progress, x, y, options);
    const drawn = async () => {
      const late = new Promise((done) => real.setTimeout(done, 200));
      const frames = () => new Promise((done) => { setTimeout(done, 100); requestAnimationFrame(() => requestAnimationFrame(done)); });
      await progress.race(Promise.race([late, this._page.mainFrame().utilityContext().then((c) => c.evaluate(frames)).catch(() => {})]));
    };
    const part = (a, b) => a + Math.max(-startPixels, Math.min(startPixels, b - a)), steps = options.steps ?? usualSteps;
    const places = steps > 1 ? [[part(from.x, x), part(from.y, y)]] : [];
    for (let i = 1; i <= steps; i++) places.push([from.x + (x - from.x) * i / steps, from.y + (y - from.y) * i / steps]);
    for (const [atX, atY] of [...places, [x, y]]) {
      await move.call(this, progress, atX, atY, { ...options, steps: 1 });
      await drawn();
    }
  };
  // Watches a drop. held() is the frame that has by now what is dragged, over the element or as the browser's own drag
  // goes. seen() ends the watch, and tells whether the document saw the drop.
  const watches = evaluated(`([injected, node, point]) => {
    const ending = new AbortController(), counts = {};
    let last, over;
    const hear = (types, what) => types.forEach((type) => addEventListener(type, (e) => e.isTrusted && what(e), { capture: true, passive: true, signal: ending.signal }));
    hear(['dragenter', 'dragover', 'dragleave'], (e) => { last = e.type; over = last === 'dragover' ? e : over; });
    hear(['pointerup', 'mouseup', 'drop', 'dragend'], (e) => { counts[e.type] = 1; });
    const foreign = (w) => [...Array(w.length).keys()].some((i) => { try { return !w[i].document || foreign(w[i]); } catch { return true; } });
    const near = () => window !== top || foreign(window);
    const within = (e) => { while (e && e !== node) e = e.assignedSlot ?? e.parentElement ?? e.getRootNode().host; return !!e; };
    const frameAt = () => {
      let at = point && document.elementFromPoint(point.x, point.y);
      for (let inner; (inner = at?.shadowRoot?.elementFromPoint(point.x, point.y)) && inner !== at;) at = inner;
      return /^(IFRAME|FRAME|OBJECT|EMBED|FENCEDFRAME)$/.test(at?.nodeName) && !within(at) ? injected.previewNode(at) : undefined;
    };
    const dropped = (native) => native ? counts.drop || counts.dragend && !over?.defaultPrevented : counts.pointerup || counts.mouseup;
    return {
      held: (native) => near() ? frameAt() ?? (native && last !== 'dragover' ? 'a frame' : undefined) : undefined,
      seen: async (native) => {
        for (const late = performance.now() + 1000; near() && !dropped(native) && performance.now() < late;) await new Promise((done) => setTimeout(done, 5));
        ending.abort();
        return !near() || !!dropped(native);
      },
    };
  }`);
  const press = async (element, progress, point, drag) => {
    if (drag.from) await letGo(element._page.mouse); // the press before hit something else
    delete drag.from;
    drag.source = element;
    await pressAndHold(element, progress, point);
  };
  const drop = async (element, progress, point, drag, { steps }) => {
    const { mouse } = element._page, { _dragManager: native } = mouse._raw, target = await element._checkFrameIsHitTarget(progress, point);
    const watch = await progress.race(element._evaluateHandleInUtility(watches, target.framePoint));
    const asks = (of, from, what) => of._objectId ? progress.race(from._frame.raceAgainstEvaluationStallingEvents(() => of.evaluate(what, native.isDragging())).catch(() => undefined)) : undefined;
    await mouse.move(progress, point.x, point.y, { steps });
    const { hitTargetDescription: over } = await element._checkFrameIsHitTarget(progress, point);
    const taken = /^<(i?frame|object|embed|fencedframe)\b/.test(over) ? over : await asks(watch, element, (w, dragging) => w.held(dragging));
    if (taken) {
      element.missed = { hitTargetDescription: taken };
      watch.dispose?.();
      return;
    }
    const dragging = native.isDragging(), all = [[watch, element]];
    if (!dragging && drag.source._frame !== element._frame) { // the document where the button was pressed may get the release
      const own = await progress.race(drag.source._evaluateHandleInUtility(watches, undefined)).catch(() => ({}));
      all.push([own, drag.source]);
    }
    await mouse.up(progress);
    delete drag.from;
    const seen = await progress.race(Promise.all(all.map(([w, from]) => !w._objectId || from._frame.raceAgainstEvaluationStallingEvents(() => w.evaluate((w, dragging) => w.seen(dragging), dragging)).catch(() => true))));
    for (const [w] of all) w.dispose?.();
    if (!seen.some((yes) => yes)) throw new NonRecoverableDOMError("The target's document saw nothing of the drop: a frame that came in between may have got it");
  };
  ElementHandle.prototype._retryPointerAction = function(progress, name, waits, action, options) {
    const drag = drags.getStore(), part = drag && { 'move and down': press, 'move and up': drop }[name];
    if (!part || options.force || options.trial) return retry.call(this, progress, name, waits, action, options);
    return retry.call(this, progress, name, waits, (p, point) => part(this, p, point, drag, options), options);
  };
}

