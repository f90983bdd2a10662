// --- Patches for both the driver and the scripts' process.

// Playwright's injected script, with selector engines that can use its functions, as ours
// do. 1.60 evaluates all engines outside of it.

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
      const module = {};
      ${source}
      const made = new (module.exports.InjectedScript())(globalThis, ${options});
      ${engines.filter(({ name }) => inside(name)).map(({ name, source }) => `made._engines.set(${JSON.stringify(name)}, ${source});`).join('\n')}
      return made;
    })()`);
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
 *  text goes into the element's own document. A key can't: where another origin's frame has the
 *  focus before or after one, the action fails. */
function typeWhereChecked({ ElementHandle, NonRecoverableDOMError }) {
  const insertText = INSERT_TEXT;
  const inserts = evaluated(`([injected, node, text]) => (${insertText})(injected.retarget(node, 'follow-label') ?? node, text)`);
  const lost = ([, node]) => {
    let a = node.ownerDocument.activeElement;
    while (a?.shadowRoot?.activeElement)
      a = a.shadowRoot.activeElement;
    return !!a && a !== node && /^(IFRAME|FRAME|OBJECT|EMBED|FENCEDFRAME)$/.test(a.nodeName) && !a.contentDocument;
  };
  const keyboardFor = element => {
    const { keyboard, browserContext } = element._page;
    const check = async progress => {
      if (element._page.frames().length > 1 && await progress.race(element.evaluateInUtility(lost)) === true)
        throw new NonRecoverableDOMError('A frame of another origin has taken the keyboard focus');
    };
    const own = {
      check,
      async down(progress, key) {
        await check(progress);
        return keyboard.down(progress, key);
      },
    };
    if (browserContext._browser.options.name === 'chromium') {
      own.insertText = async (progress, text) => {
        if (await progress.race(element.evaluateInUtility(inserts, text)) === false)
          throw new NonRecoverableDOMError('Element has lost the keyboard focus, and nothing was typed');
      };
    }
    return Object.assign(Object.create(keyboard), own);
  };
  for (const name of ['_fill', '_type', '_press']) {
    const act = ElementHandle.prototype[name];
    ElementHandle.prototype[name] = async function(progress, ...args) {
      const keyboard = keyboardFor(this), page = Object.create(this._page, { keyboard: { value: keyboard } });
      const result = await act.call(Object.create(this, { _page: { value: page } }), progress, ...args);
      if (name !== '_fill')
        await keyboard.check(progress);
      return result;
    };
  }
}

/** A function for a document, of a text. */
function evaluated(text) {
  return Object.assign(() => {}, { toString: () => text });
}
