// --- Patches for both the driver and the scripts' process.

// Playwright's injected script, with selector engines that can use its functions, as ours
// do. 1.60 evaluates all engines outside of it.

/** Runs in the isolated world: names of elements are told as in HTML in documents of XHTML too,
 *  where they are in small letters. Playwright and our engines compare with capital ones. */
const htmlNames = `if (document.contentType !== 'text/html') for (const [of, name] of [[Node.prototype, 'nodeName'], [Element.prototype, 'tagName']]) {
  const property = Object.getOwnPropertyDescriptor(of, name), { get } = property;
  Object.defineProperty(of, name, { ...property, get() {
    return this.namespaceURI === 'http://www.w3.org/1999/xhtml' ? get.call(this).toUpperCase() : get.call(this);
  } });
}`;

/** Gives documents the injected script with the engines that `inside` accepts evaluated in
 *  it. shared(options as text, engine names) is an expression that may return an existing
 *  instance, which saves sending 300 kB. */
function engineInside({ FrameExecutionContext }, { source }, inside, shared) {
  FrameExecutionContext.prototype.injectedScript = function() {
    return this._injectedScriptPromise ??= inject(this).then(handle => {
      handle._setPreview('InjectedScript');
      return handle;
    });
  };
  const inject = async context => {
    const { _page: page } = context.frame, { browserContext } = page, browser = browserContext._browser, registry = browserContext.selectors();
    const engines = [...registry._engines].map(([name, { source }]) => ({ name, source: `(${source})` }));
    const options = JSON.stringify({
      isUnderTest: !!process.env.PWTEST_UNDER_TEST, sdkLanguage: browser.sdkLanguage(), testIdAttributeName: registry.testIdAttributeName(),
      stableRafCount: page.delegate.rafCountForStablePosition(), browserName: browser.options.name,
      shouldPrependErrorPrefix: context.delegate.shouldPrependErrorPrefix(), isUtilityWorld: context.world === 'utility',
      customEngines: engines.filter(({ name }) => !inside(name)),
    });
    if (shared && context.world === 'utility' && !context.frame.parentFrame() && engines.every(({ name }) => inside(name))) {
      const handle = await context.rawEvaluateHandle(shared(options, engines.map(({ name }) => name)));
      if (handle._objectId)
        return handle;
    }
    return context.rawEvaluateHandle(`(() => {
      ${context.world === 'utility' ? htmlNames : ''}
      const module = {};
      ${source}
      const made = new (module.exports.InjectedScript())(globalThis, ${options});
      ${engines.filter(({ name }) => inside(name)).map(({ name, source }) => `made._engines.set(${JSON.stringify(name)}, ${source});`).join('\n')}
      return made;
    })()`);
  };
}

/** Documents without a body, such as an SVG file's, have a size too: Playwright waits for the body. */
function sizeDocuments({ Screenshotter }) {
  Screenshotter.prototype._fullPageSize = async function(progress) {
    const context = await progress.race(this._page.mainFrame().utilityContext());
    return progress.race(context.evaluate(() => {
      const all = [document.body, document.documentElement].filter(Boolean);
      const most = side => Math.max(...all.flatMap(e => ['scroll', 'offset', 'client'].map(of => e[of + side] || 0)), all.length ? 0 : window['inner' + side]);
      return { width: most('Width'), height: most('Height') };
    }));
  };
}

/** storageState covers only the origins to which Playwright saw a page navigate. A page that
 *  was open before Playwright attached has an origin too: a script's first look at a tool's
 *  page, or a lent tab. */
function noteOpenPages({ FrameManager }) {
  const committed = FrameManager.prototype.frameCommittedNewDocumentNavigation;
  FrameManager.prototype.frameCommittedNewDocumentNavigation = function(id, url, name, documentId, initial) {
    committed.call(this, id, url, name, documentId, initial);
    const origin = initial && this._frames.get(id)?.origin();
    if (origin)
      this._page.browserContext.addVisitedOrigin(origin);
  };
}

/** Keeps what is typed in the document whose element was checked. The browser types into
 *  whatever has the focus by then, and a frame of another origin can take it at any time. A
 *  text goes into the element's own document, and so does one that holds a secret. Other keys can't:
 *  where another origin's frame has got one, the action fails. */
function typeWhereChecked({ ElementHandle, NonRecoverableDOMError }, holdsSecret = () => false) {
  const inserts = evaluated(`([injected, node, text]) => (INSERT_TEXT)(injected.retarget(node, 'follow-label') ?? node, text)`);
  const types = evaluated(`([injected, node, typed]) => (TYPE_TEXT)(node, typed)`);
  const watches = evaluated(`([injected, node]) => (WATCH_KEYS)(node)`);
  const lost = ([, node]) => {
    let a = node.ownerDocument.activeElement;
    while (a?.shadowRoot?.activeElement)
      a = a.shadowRoot.activeElement;
    return !!a && a !== node && /^(IFRAME|FRAME|OBJECT|EMBED|FENCEDFRAME)$/.test(a.nodeName) && !a.contentDocument;
  };
  const keyboardFor = element => {
    const { keyboard, browserContext } = element._page, taken = 'A frame of another origin has taken the keyboard focus';
    let watch, downs = 0, tabs = false;
    const own = {
      async down(progress, key) {
        if (element._page.frames().length > 1 && await progress.race(element.evaluateInUtility(lost)) === true)
          throw new NonRecoverableDOMError(taken);
        if (element._page.frames().length > 1)
          watch ??= await progress.race(element._evaluateHandleInUtility(watches));
        downs += watch ? 1 : 0;
        tabs ||= key === 'Tab'; // which leads on to what is next
        return keyboard.down(progress, key);
      },
      /** Tells whether a frame got some of the keys. A document that is gone has nothing to tell. */
      async check(progress) {
        if (!watch?._objectId)
          return;
        const gone = () => false;
        const got = await progress.race(element._frame.raceAgainstEvaluationStallingEvents(() => watch.evaluate((w, a) => w.lost(...a), [downs, !tabs])).catch(gone));
        watch.dispose();
        if (got === true || !tabs && await progress.race(element.evaluateInUtility(lost).catch(gone)) === true)
          throw new NonRecoverableDOMError(taken + ', and may have got keys');
      },
    };
    if (browserContext._browser.options.name === 'chromium') {
      own.insertText = async (progress, text) => {
        const done = await progress.race(element.evaluateInUtility(inserts, text));
        if (done === false || done === 'error:notconnected')
          throw new NonRecoverableDOMError('Element has lost the keyboard focus, and nothing was typed');
      };
      own.type = async (progress, text, options) => {
        if (!await holdsSecret(text))
          return keyboard.type.call(typing, progress, text, options);
        const delay = options?.delay || 0, end = Date.now() + 30_000 + delay * text.length;
        if (await progress.race(element.evaluateInUtility(types, { text, delay, end })) !== true)
          throw new NonRecoverableDOMError('The document has lost the keyboard focus, and the secret was not typed');
      };
    }
    const typing = Object.assign(Object.create(keyboard), own);
    return typing;
  };
  for (const name of ['_fill', '_type', '_press']) {
    const act = ElementHandle.prototype[name];
    ElementHandle.prototype[name] = async function(progress, ...args) {
      const keyboard = keyboardFor(this), page = Object.create(this._page, { keyboard: { value: keyboard } });
      const result = await act.call(Object.create(this, { _page: { value: page } }), progress, ...args);
      await keyboard.check(progress);
      return result;
    };
  }
}

/** Types a text that holds a secret where the focus is in the page, as the tool `type` does without a
 *  selector: the keyboard alone would type it into whatever takes the focus meanwhile. */
function typeSecretsInPage({ Keyboard }, holdsSecret) {
  const types = evaluated(`typed => (TYPE_TEXT)(document.body, typed)`);
  for (const name of ['apiType', 'apiInsertText']) {
    const act = Keyboard.prototype[name];
    Keyboard.prototype[name] = async function(progress, text, options) {
      if (!await holdsSecret(text))
        return act.call(this, progress, text, options);
      const delay = options?.delay || 0, typed = { text, delay, end: Date.now() + 30_000 + delay * text.length };
      const context = await progress.race(this._page.mainFrame().utilityContext());
      if (await progress.race(context.evaluate(types, typed)) !== true)
        throw new Error('The keyboard focus is not in a field of the page, and the secret was not typed: fill of a locator types into a field by name, in frames too');
    };
  }
}

/** Presses the mouse only where the element is. Moving it there may have made the page put
 *  another document under it; Playwright tests before, and takes a press that the element's
 *  document never saw for one that hit. The answer is a function for the press of a drag. */
function pressWhereAimed({ ElementHandle, NonRecoverableDOMError }) {
  const begins = evaluated(`([injected, node, point]) => {
    const element = injected.retarget(node, 'button-link');
    return element ? (WATCH_PRESS)(injected, element, point) : 'error:notconnected';
  }`);
  const comes = evaluated(`([injected, node]) => (WATCH_HOVER)(injected, node)`);
  // Reports whether the element's document saw so many presses, and ends the watch. If the document is gone, it did.
  const sees = async (element, progress, watch, n, held) => {
    const seen = !watch?._objectId || await progress.race(element._frame.raceAgainstEvaluationStallingEvents(() => watch.evaluate((w, a) => w.seen(...a), [n, held])).catch(() => true));
    watch?.dispose();
    return seen;
  };
  // Moves the mouse, and has the page hear of it.
  const move = async (element, mouse, progress, x, y, steps) => {
    const { _client: client } = element._page.delegate._mainFrameSession ?? {}, moved = mouse.move(progress, x, y, { forClick: true, steps });
    // A document hears of a move with its next frame, unless an event follows that can't wait. This
    // one is no event to the page: the key makes no character.
    client?._sendMayFail('Input.dispatchKeyEvent', { type: 'char', windowsVirtualKeyCode: 27 });
    await moved;
  };
  // Tells what is at the point by now, and watches the presses there.
  const aim = async (element, progress, point, watch) => {
    const target = await element._checkFrameIsHitTarget(progress, point);
    let result = target === 'error:notconnected' || target.hitTargetDescription ? target : 'done';
    if (target.framePoint) {
      watch ??= await progress.race(element._evaluateHandleInUtility(begins, target.framePoint));
      result = watch._objectId ? await progress.race(watch.evaluate(w => w.hit()).catch(() => 'error:notconnected')) : 'error:notconnected';
    }
    return { result, watch };
  };
  const mouseFor = (element, mouse) => {
    const click = async (progress, x, y, { delay, clickCount = 1, steps, ...options } = {}) => {
      await move(element, mouse, progress, x, y, steps);
      let watch, result;
      for (let count = 1; count <= clickCount; count++) {
        ({ result, watch } = await aim(element, progress, { x, y }, watch));
        if (result !== 'done')
          await sees(element, progress, watch, 0);
        if (result !== 'done' && count > 1)
          throw new NonRecoverableDOMError(`The click before put something else in the place of the element: ${result.hitTargetDescription ?? result}`);
        if (result !== 'done') {
          element.missed = result;
          return;
        }
        progress.setAllowConcurrentOrNestedRaces(true);
        await Promise.all([mouse.down(progress, { ...options, clickCount: count }), !delay && mouse.up(progress, { ...options, clickCount: count })]);
        progress.setAllowConcurrentOrNestedRaces(false);
        if (delay) {
          await progress.wait(delay);
          await mouse.up(progress, { ...options, clickCount: count });
        }
      }
      element.seen = await sees(element, progress, watch, clickCount);
    };
    return Object.assign(Object.create(mouse), { click, dblclick: (progress, x, y, options) => click(progress, x, y, { ...options, clickCount: 2 }) });
  };
  // A hover that only a frame has heard of is tried again.
  const hoverFor = (element, mouse) => Object.assign(Object.create(mouse), {
    async move(progress, x, y, options) {
      const watching = progress.race(element._evaluateHandleInUtility(comes));
      const { _client: client } = element._page.delegate._mainFrameSession ?? {}, move = mouse.move(progress, x, y, options);
      client?._sendMayFail('Input.dispatchKeyEvent', { type: 'char', windowsVirtualKeyCode: 27 });
      await move;
      const watch = await watching, got = watch._objectId && await progress.race(watch.evaluate(w => w()).catch(() => undefined));
      if (got)
        element.missed = { hitTargetDescription: got };
      watch.dispose?.();
    },
  });
  // The page hears of a touch before it ends: what it puts under the finger then does not get the tap.
  const fingerFor = element => ({
    tap: async (progress, x, y) => {
      const { delegate, keyboard } = element._page, { _client: client } = delegate._mainFrameSession;
      const modifiers = ['Alt', 'Control', 'Meta', 'Shift'].reduce((sum, key, i) => sum + (keyboard._modifiers().has(key) ? 1 << i : 0), 0);
      const send = (type, ...touchPoints) => progress.race(client.send('Input.dispatchTouchEvent', { type, modifiers, touchPoints }));
      const aim = async () => {
        const target = await element._checkFrameIsHitTarget(progress, { x, y });
        return target === 'error:notconnected' || target.hitTargetDescription ? { missed: target } : target;
      };
      const { framePoint, missed: covered } = await aim();
      if (covered?.hitTargetDescription) {
        element.missed = covered;
        return;
      }
      const watch = framePoint && await progress.race(element._evaluateHandleInUtility(begins, framePoint));
      await send('touchStart', { x, y });
      let { missed } = await aim();
      if (!missed && watch?._objectId) {
        const result = await progress.race(watch.evaluate(w => w.hit()).catch(() => 'done')); // the touch may lead elsewhere
        missed = result === 'done' || result === 'error:notconnected' ? undefined : result;
      }
      if (missed?.hitTargetDescription) {
        element.missed = missed;
        await send('touchCancel');
        element.seen = await sees(element, progress, watch, 1, true); // else a frame has heard of the touch
        return;
      }
      await send('touchEnd');
      const tapped = !watch?._objectId || await progress.race(element._frame.raceAgainstEvaluationStallingEvents(() => watch.evaluate(w => w.tapped(1000))).catch(() => true));
      element.seen = await sees(element, progress, watch, 1) && tapped !== false;
    },
  });
  for (const [name, device, own] of [['_click', 'mouse', mouseFor], ['_dblclick', 'mouse', mouseFor], ['_tap', 'touchscreen', fingerFor]]) {
    const act = ElementHandle.prototype[name];
    ElementHandle.prototype[name] = function(progress, options) {
      if (options.force || this._page.browserContext._browser.options.name !== 'chromium')
        return act.call(this, progress, options);
      const element = Object.create(this, { _page: { value: Object.create(this._page, { [device]: { get: () => own(element, this._page[device]) } }) } });
      return act.call(element, progress, options);
    };
  }
  const hover = ElementHandle.prototype._hover;
  ElementHandle.prototype._hover = function(progress, options) {
    if (options.force || this._page.browserContext._browser.options.name !== 'chromium')
      return hover.call(this, progress, options);
    const element = Object.create(this, { _page: { value: Object.create(this._page, { mouse: { get: () => hoverFor(element, this._page.mouse) } }) } });
    return hover.call(element, progress, options);
  };
  const perform = ElementHandle.prototype._performPointerAction;
  ElementHandle.prototype._performPointerAction = async function(...args) {
    Object.assign(this, { missed: undefined, seen: true });
    const result = await perform.apply(this, args);
    if (!this.seen)
      throw new NonRecoverableDOMError("The element's document saw nothing of the click: a frame that came in between may have got it");
    return this.missed ?? result;
  };
  /** Presses the button at a point of an element and holds it; false where it was not pressed. */
  return async (element, progress, { x, y }) => {
    const { mouse } = element._page;
    await move(element, mouse, progress, x, y);
    const { result, watch } = await aim(element, progress, { x, y });
    if (result !== 'done') {
      await sees(element, progress, watch, 0);
      element.missed = result;
      return false;
    }
    await mouse.down(progress);
    element.seen = await sees(element, progress, watch, 1, true);
    return true;
  };
}

/** Presses what a person would press for a checkbox or a radio button that is hidden, or covered
 *  by its own label: that is drawn in its place; and for a shape whose middle is empty, its line. It
 *  is asked for only once the element itself can't be pressed, and has to pass the same tests. */
function pressWhatIsDrawn({ ElementHandle }) {
  // Of a label, what is no link or button in it. A label without a size may have a drawn ::before beside it.
  // Where a shape is pressed is told from its middle: its box has no stroke for a document, and one for DevTools.
  const find = part => evaluated(`([injected, node]) => {
    const isShape = node instanceof SVGGeometryElement || node instanceof SVGGElement;
    const stand = isShape ? node : node.nodeType === 1 && (STAND_IN)(node);
    if (!stand) return null;
    const box = stand.getBoundingClientRect();
    if (!isShape && (box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth))
      stand.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    const above = e => e.assignedSlot ?? e.parentElement ?? e.getRootNode().host;
    const within = (e, outer) => { while (e && e !== outer) e = above(e); return !!e; };
    const at = (x, y) => {
      let hit = document.elementFromPoint(x, y);
      for (let inner; hit?.shadowRoot && (inner = hit.shadowRoot.elementFromPoint(x, y)) && inner !== hit;) hit = inner;
      return hit;
    };
    const takes = (x, y) => {
      let e = at(x, y);
      for (; e && e !== stand; e = above(e)) if (e !== node && e.matches('a[href], button, input, select, textarea, [role=button], [role=link]')) return false;
      return !!e;
    };
    const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    const line = function*() {
      const shapes = node instanceof SVGGElement ? [...node.querySelectorAll('*')].filter(e => e instanceof SVGGeometryElement).slice(0, 20) : [node];
      for (const inside of [0, 0.1])
        for (const e of shapes)
          for (let n = 1; n < 24; n += 2) {
            const p = e.getPointAtLength(e.getTotalLength() * n / 24).matrixTransform(e.getScreenCTM());
            yield [p.x + (middle.x - p.x) * inside, p.y + (middle.y - p.y) * inside];
          }
    };
    if (isShape) {
      const found = [...line()].find(([x, y]) => within(at(x, y), node));
      return found ? { element: node, position: { besideX: found[0] - middle.x, besideY: found[1] - middle.y } }.${part} : null;
    }
    const points = function*() {
      for (const r of stand.getClientRects()) {
        const y = r.top + r.height / 2, edge = Math.min(8, r.width / 2);
        if (r.width >= 1 && r.height >= 1) yield* [[r.left + r.width / 2, y], [r.left + edge, y], [r.right - edge, y]];
      }
      const r = stand.getBoundingClientRect();
      for (let y = r.top - 48; y <= r.bottom + 48; y += 6)
        for (let x = r.left - 48; x <= Math.min(r.right, r.left + 400) + 48; x += 6) yield [x, y];
    };
    for (const [x, y] of points()) {
      if (!takes(x, y)) continue;
      const holds = e => { const r = e.getBoundingClientRect(); return r.left <= x && r.right >= x && r.top <= y && r.bottom >= y; };
      let target = at(x, y);
      while (target !== stand && within(target, stand)) target = above(target);
      while (target !== document.documentElement && !holds(target)) target = above(target);
      const r = target.getBoundingClientRect();
      return { element: target, position: { x: x - r.left - target.clientLeft, y: y - r.top - target.clientTop } }.${part};
    }
    return { element: stand }.${part};
  }`);
  const [element, position] = [find('element'), find('position')];
  const perform = ElementHandle.prototype._performPointerAction;
  ElementHandle.prototype._performPointerAction = async function(progress, name, ...args) {
    const result = await perform.call(this, progress, name, ...args);
    const unseen = result === 'error:notvisible' || result === 'error:notinviewport' || result?.missingState === 'visible' || result?.hitTargetDescription;
    if (!unseen || args.at(-1).force || !['click', 'dblclick', 'tap', 'hover'].includes(name))
      return result;
    const found = await progress.race(this._evaluateHandleInUtility(element));
    const pressed = found !== 'error:notconnected' && found.asElement();
    if (!pressed)
      return result;
    const at = await progress.race(this.evaluateInUtility(position)), box = at?.besideX !== undefined && await pressed.boundingBox(progress);
    return { pressed, position: box ? { x: box.width / 2 + at.besideX, y: box.height / 2 + at.besideY } : at };
  };
  for (const name of ['_click', '_dblclick', '_tap', '_hover']) {
    const act = ElementHandle.prototype[name];
    ElementHandle.prototype[name] = async function(progress, options) {
      const result = await act.call(this, progress, options);
      if (!result?.pressed)
        return result;
      progress.log('  what is drawn in its place, or of it, is pressed');
      const { position } = result;
      return act.call(result.pressed, progress, { ...options, position: position?.x === undefined ? undefined : position });
    };
  }
}

/** A function for a document, of a text. */
function evaluated(text) {
  return Object.assign(() => {}, { toString: () => text });
}
