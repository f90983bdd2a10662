// --- How long things take. Playwright names a call in its errors by the functions
// of its own that are being called, so none of ours may stand between those.

// What acts on an element, or reads one, waits so long where nobody says: of
// Playwright's half minute, which is a whole script's, nothing would be left after
// one that matches nothing. What is meant to wait has all of it.
const patience = 10000;
const given = (settings) => !!settings && (settings.defaultTimeout() !== undefined || given(settings._parent));
// What nobody said has a quarter of a millisecond, by which the call is told from one that was given so long.
const unsaid = (ms) => ms % 1 === 0.25;
function patienceOf(ms, object, method) {
  const waits = !['Frame', 'ElementHandle'].includes(object._type) || /^(waitFor|goto|setContent|expect)/.test(method);
  return waits ? Math.floor(ms) : Math.min(Math.floor(ms), patience);
}

// Nothing takes longer than the script that asked for it.
{
  const { TimeoutSettings } = core('client/timeoutSettings.ts'), { Frame } = core('client/frame.ts'), { _timeout } = Frame.prototype;
  const within = (fn) => function(options) {
    const ms = fn.call(this, options), run = runs.getStore();
    if (!run || run.ended) return ms;
    const left = run.left();
    return ms ? Math.min(ms, left) : left;
  };
  for (const name of ['timeout', 'navigationTimeout']) TimeoutSettings.prototype[name] = within(TimeoutSettings.prototype[name]);
  Frame.prototype._timeout = function(options) {
    const ms = _timeout.call(this, options);
    if (typeof options?.timeout === 'number' || given(this._page?._timeoutSettings)) return ms;
    // A locator that evaluates asks so, and nobody else: it waits by itself.
    return options && Object.keys(options).join() === 'timeout' ? Math.min(ms, patience) : Math.floor(ms) + 0.25;
  };
}

// Who waits for a URL in vain is told where the page is.
{
  const { Frame } = core('client/frame.ts'), setup = Frame.prototype._setupNavigationWaiter;
  Frame.prototype._setupNavigationWaiter = function(options) {
    const waiter = setup.call(this, options);
    waiter._failures = waiter._failures.map((failure) => failure.catch((e) => {
      if (e.name === 'TimeoutError') reasons.set(e, `it is at ${this.url()}`);
      throw e;
    }));
    return waiter;
  };
}
