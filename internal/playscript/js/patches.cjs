// --- What is otherwise with Playwright here: others work on the same pages.

const { Page: ServerPage } = core('server/page.js');
const { CRPage } = core('server/chromium/crPage.js');

// What pages emulate is told to the driver, so that both know it; what it has
// told the browser already is not told again as a page comes up.
{
  const emulatedSize = ServerPage.prototype.emulatedSize;
  ServerPage.prototype.emulatedSize = function() { return this.initializedOrUndefined() ? emulatedSize.call(this) : null; };
  CRPage.prototype.updateEmulatedViewportSize = async function() {
    const { viewport } = this._page.emulatedSize();
    await ask('viewport', { page: this._targetId, size: viewport });
  };
  CRPage.prototype.updateEmulateMedia = async function() {
    await ask('media', { page: this._targetId, options: this._page.emulatedMedia() });
  };
}

// A dialog that no script listens to is somebody else's: Playwright would dismiss
// it. Who else could answer asks us first.
const shown = []; // dialogs that a script was given
{
  const { Dialog } = core('server/dialog.js'), { BrowserContextDispatcher } = core('server/dispatchers/browserContextDispatcher.js');
  Dialog.prototype.close = async function() { this._page._frameManager.dialogWillClose(this); };
  const listens = (page) => {
    const context = existingDispatcher(page._browserContext);
    return !!context && context._shouldDispatchEvent(page, 'dialog');
  };
  const dispatch = BrowserContextDispatcher.prototype._dispatchEvent;
  BrowserContextDispatcher.prototype._dispatchEvent = function(event, params) {
    if (event === 'dialog') {
      shown.push({ target: params.dialog._object.page()._delegate._targetId, message: params.dialog._object.message() });
      if (shown.length > 100) shown.shift();
    }
    return dispatch.call(this, event, params);
  };
  answers.takesDialog = ({ page: target, message }) => {
    const i = shown.findIndex((d) => d.target === target && d.message === message);
    if (i >= 0) shown.splice(i, 1);
    const page = server && server._crPages.get(target);
    return { head: { takes: i >= 0 || !!page && listens(page._page) } };
  };
}

// Nothing takes longer than the script that asked for it.
{
  const { TimeoutSettings } = core('server/timeoutSettings.js');
  const within = (fn) => function(options) {
    const ms = fn.call(this, options), run = runs.getStore();
    if (!run || run.ended) return ms;
    const left = run.left();
    return ms ? Math.min(ms, left) : left;
  };
  for (const name of ['timeout', 'navigationTimeout']) TimeoutSettings.prototype[name] = within(TimeoutSettings.prototype[name]);
  const { TimeoutSettings: OfClient } = core('client/timeoutSettings.js');
  for (const name of ['timeout', 'navigationTimeout']) OfClient.prototype[name] = within(OfClient.prototype[name]);
}

// Calls of scripts: refs and our own engines in selectors become what they stand
// for, imports in functions for the page are the page's, and what a stopped
// script still asks for is not done.
const ours = /(^|>>)\s*(?:(?:aria-)?ref=|\[ref=)?(?:f\d+)?e\d+\]?\s*(?=>>|$)|(?:^|>>|")\s*\*?(?:label|placeholder|alt|title|testid|ref|aria-ref)\s*=/;
const waitedFor = new WeakMap(); // errors: what was waited for
{
  const { Frame } = core('client/frame.js'), { Connection } = core('client/connection.js');
  const pageOfFrame = (object) => object instanceof Frame ? object._page : object._type === 'Page' ? object : object._parent && pageOfFrame(object._parent);
  const send = Connection.prototype.sendMessageToServer;
  Connection.prototype.sendMessageToServer = async function(object, method, params, ...rest) {
    const run = runs.getStore();
    if (run && run.stopped) return new Promise(() => {});
    let given;
    if (params && object._type === 'Frame') {
      given = params.selector;
      for (const name of ['selector', 'source', 'target']) {
        if (typeof params[name] !== 'string' || !ours.test(params[name])) continue;
        const { head } = await ask('selector', { page: targetOf(object._page), selector: params[name] });
        params = { ...params, [name]: head.selector };
      }
    }
    for (const name of ['expression', 'source']) {
      if (params && typeof params[name] === 'string' && params[name].includes('$import(')) params = { ...params, [name]: params[name].replaceAll('$import(', 'import(') };
    }
    try {
      return await send.call(this, object, method, params, ...rest);
    } catch (e) {
      if (run && run.stopped) return new Promise(() => {});
      const page = pageOfFrame(object);
      if (page) waitedFor.set(e, { page: targetOf(page), selector: given, main: object._type === 'Frame' && !object._parentFrame, url: method === 'goto' ? params.url : undefined, timeout: e.name === 'TimeoutError' });
      throw e;
    }
  };
}

// A script works in the browser that runs.
{
  const refused = (what) => async () => { throw new Error(`${what}: a script works in the browser that runs`); };
  for (const type of [playwright.chromium, playwright.firefox, playwright.webkit, playwright._bidiChromium, playwright._bidiFirefox]) {
    if (!type) continue;
    for (const name of ['launch', 'launchServer', 'launchPersistentContext', 'connect', 'connectOverCDP']) type[name] = refused(`browserType.${name}`);
  }
}
