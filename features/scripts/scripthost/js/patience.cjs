// --- Timeouts. In errors, Playwright names a call by the chain of its own functions, so none
// of ours may stand between them.

// Default timeout for acting on an element or reading one. Playwright's 30 s is a script's
// whole time: after one selector that matches nothing, none would be left. Calls that are
// meant to wait get all of it.
const patience = 10000;
const given = (settings) => !!settings && (settings.defaultTimeout() !== undefined || given(settings._parent));
// A default timeout is marked by a quarter of a millisecond, to tell it from an explicit one.
const unsaid = (ms) => ms % 1 === 0.25;
const waits = (object, method) => !['Frame', 'ElementHandle'].includes(object._type) || /^(waitFor|goto|setContent|expect)/.test(method);
const patienceOf = (ms, object, method) => waits(object, method) ? Math.floor(ms) : Math.min(Math.floor(ms), patience);

// No call takes longer than its script.
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
    // Only evaluating calls of locators pass this: it waits by itself.
    return options && Object.keys(options).join() === 'timeout' ? Math.min(ms, patience) : Math.floor(ms) + 0.25;
  };
}

// A wrong guess fails early: a call without an explicit timeout, for an element that is not
// there, ends when the page has been at rest for a while. At rest means that the page loads,
// requests and changes nothing, and that the script does nothing else with it.
const restTime = 1000, lockTime = 3000; // and of one that is covered, hidden or disabled
const guesses = new Storage(); // runs whose call may be a guess
{
  const { Frame } = core('server/frames.ts'), { TimeoutError } = core('server/errors.ts');
  const { retryWithProgressAndBackoff: retry, isNonRetriableError: isFinal } = Frame.prototype;
  class NothingThere extends TimeoutError {
    constructor(ms) {
      super(`nothing has changed on the page for ${ms / 1000} s (a timeout waits longer).`);
      this.name = 'TimeoutError'; // the name that scripts know
    }
  }
  // The observer ends by itself when it is no longer polled.
  const counted = () => {
    const own = globalThis[Symbol.for('pwpipe rest')] ??= { changes: 0 };
    if (!own.observer) {
      const rendered = (n) => { // a hidden clock is no news
        const e = n.nodeType === 1 ? n : n.parentElement ?? n.host;
        return !e || e.checkVisibility() || getComputedStyle(e).display === 'contents';
      };
      own.observer = new MutationObserver((list) => own.changes += list.length > 20 || list.some((r) => rendered(r.target)));
      own.observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    }
    clearTimeout(own.end);
    own.end = setTimeout(() => { own.observer.disconnect(); own.observer = undefined; }, 3000);
    return own.changes;
  };
  // looks returns a fingerprint of the page; undefined if it is not at rest.
  const looks = async (page, run) => {
    const frames = page.frames();
    if (run.calls > 1 || timers.size || frames.length > 20) return undefined;
    const seen = [];
    for (const frame of frames) {
      const stream = (r) => /eventsource|websocket|ping/.test(r.resourceType());
      if (frame.pendingDocument() || [...frame._inflightRequests].some((r) => !stream(r)) || !frame._firedLifecycleEvents.has('load')) return undefined;
      const late = new Promise((done) => real.setTimeout(done, 200));
      const changes = await Promise.race([frame.utilityContext().then((c) => c.evaluate(counted)).catch(() => undefined), late]);
      if (changes === undefined) return undefined;
      seen.push(frame._id, frame._currentDocument.documentId, frame.url(), changes);
    }
    return seen.join();
  };
  // resting is what throws where the page has been at rest for so long.
  const resting = (page, run, ms) => {
    let last, since;
    return async (p) => {
      const now = await p.race(looks(page, run));
      if (now === undefined || now !== last) since = Date.now();
      else if (Date.now() - since >= ms) throw new NothingThere(ms);
      last = now;
    };
  };
  Frame.prototype.retryWithProgressAndBackoff = function(progress, action) {
    const run = guesses.getStore();
    if (!run) return retry.call(this, progress, action);
    const look = resting(this._page, run, restTime);
    return retry.call(this, progress, async (p, again) => {
      const result = await action(p, again);
      if (result === again) await look(p);
      return result;
    });
  };
  // An element that is there and can't be used is tried again and again by this.
  const { ElementHandle } = core('server/dom.ts'), { _retryAction: retryAction } = ElementHandle.prototype;
  const isObstacle = (result) => /^error:(notvisible|notinviewport|option)/.test(result) || typeof result === 'object' && !!result && ('hitTargetDescription' in result || 'missingState' in result);
  ElementHandle.prototype._retryAction = function(progress, name, action, options) {
    const run = guesses.getStore();
    if (!run) return retryAction.call(this, progress, name, action, options);
    const look = resting(this._frame._page, run, lockTime);
    return retryAction.call(this, progress, name, async (p, n) => {
      const result = await action(p, n);
      if (isObstacle(result)) await look(p);
      return result;
    }, options);
  };
  Frame.prototype.isNonRetriableError = function(e) { return e instanceof NothingThere || isFinal.call(this, e); };
}

// If waiting for a URL times out, the error says where the page is.
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
