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
