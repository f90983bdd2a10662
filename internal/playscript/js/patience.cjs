// --- How long things take. Playwright names a call in its errors by the functions
// of its own that are being called, so none of ours may stand between those.

// What acts on an element, or reads one, waits so long where nobody says: of
// Playwright's half minute, which is a whole script's, nothing would be left after
// one that matches nothing. What is meant to wait has all of it.
const patience = 10000;
const given = (settings) => !!settings && (settings.defaultTimeout() !== undefined || given(settings._parent));
function patienceOf(page, object, method) {
  const waits = !['Frame', 'ElementHandle'].includes(object._type) || /^(waitFor|goto|setContent|expect)/.test(method);
  return waits || given(page._timeoutSettings) ? undefined : patience;
}

// Nothing takes longer than the script that asked for it.
{
  const { TimeoutSettings } = core('server/timeoutSettings.js'), { TimeoutSettings: OfClient } = core('client/timeoutSettings.js');
  const within = (fn) => function(options) {
    const ms = fn.call(this, options), run = runs.getStore();
    if (!run || run.ended) return ms;
    const left = run.left();
    return ms ? Math.min(ms, left) : left;
  };
  const { timeout } = OfClient.prototype;
  OfClient.prototype.timeout = function(options) { // a locator that evaluates asks so, and nobody else
    const reads = Object.keys(options).join() === 'timeout' && options.timeout === undefined && !given(this);
    return reads ? patience : timeout.call(this, options);
  };
  for (const { prototype } of [TimeoutSettings, OfClient]) for (const name of ['timeout', 'navigationTimeout']) prototype[name] = within(prototype[name]);
}

// Who waits for a URL in vain is told where the page is.
{
  const { Frame } = core('client/frame.js'), setup = Frame.prototype._setupNavigationWaiter;
  Frame.prototype._setupNavigationWaiter = function(options) {
    const waiter = setup.call(this, options);
    waiter._failures = waiter._failures.map((failure) => failure.catch((e) => {
      if (e.name === 'TimeoutError') reasons.set(e, `it is at ${this.url()}`);
      throw e;
    }));
    return waiter;
  };
}
