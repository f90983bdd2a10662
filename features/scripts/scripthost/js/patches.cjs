// --- Patches to Playwright, because other clients work on the same pages.

const { Page: ServerPage } = core('server/page.ts');
const { CRPage } = core('server/chromium/crPage.ts');

// Uses the driver's isolated world: to Playwright, worlds of one name are the same.
Object.defineProperty(CRPage.prototype, 'utilityWorldName', { get: () => worldName, set() {} });

engineInside(core('server/dom.ts'), core('generated/injectedScriptSource.ts'), (name) => name in settings.engines);

noteOpenPages(core('server/frames.ts'));

const holdsSecret = async (text) => (await ask('secret', {}, Buffer.from(text))).head.held;
typeWhereChecked(core('server/dom.ts'), holdsSecret);
typeSecretsInPage(core('server/input.ts'), holdsSecret);

const pressAndHold = pressWhereAimed(core('server/dom.ts'));

pressWhatIsDrawn(core('server/dom.ts'));

sizeDocuments(core('server/screenshotter.ts'));

placeInFrames(core('server/dom.ts'), core('server/chromium/crPage.ts'));

// Sends emulation changes to the driver, so that both know them. While a page comes up,
// nothing is sent: the driver has already told the browser.
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

// A dialog without a listener in the script belongs to another client; Playwright would
// dismiss it. Clients that could answer ask here first. The client object is asked for
// listeners just then: the server's knowledge lags when one dialog follows another.
{
  const { Dialog, DialogManager } = core('server/dialog.ts'), { BrowserContextDispatcher } = core('server/dispatchers/browserContextDispatcher.ts');
  let shown = []; // dialogs that nobody has asked about yet, the newest last
  let count = 0;
  const waiting = new Set(), taken = new Map(); // taken: number -> dialog that the script answers
  const opens = (dialog, heard) => {
    const now = Date.now();
    const own = dialog.known = { number: ++count, target: dialog.page().delegate._targetId, message: dialog.message(), heard, at: now };
    own.answered = new Promise((done) => { own.done = done; });
    shown = [...shown.filter((d) => now - d.at < 3000).slice(-100), dialog.known];
    for (const wake of waiting) wake();
  };
  Dialog.prototype._close = async function() { this._page.browserContext.dialogManager._dialogWillClose(this); opens(this, false); };
  for (const name of ['accept', 'dismiss']) {
    const answer = Dialog.prototype[name];
    Dialog.prototype[name] = async function(...args) {
      await answer.apply(this, args);
      if (this.known) this.known.done();
    };
  }
  // Closes a dialog that another client answered: an answer would go to the next.
  const { dialogDidOpen } = DialogManager.prototype, followed = new WeakSet();
  DialogManager.prototype.dialogDidOpen = function(dialog) {
    const page = dialog.page();
    for (const { _client: line } of page.delegate._sessions.values()) {
      if (!followed.has(line)) line.on('Page.javascriptDialogClosed', () => { for (const d of this._openedDialogs) if (d.page() === page) over(this, d); });
      followed.add(line);
    }
    return dialogDidOpen.call(this, dialog);
  };
  const over = (manager, dialog) => {
    dialog._handled = true;
    manager._dialogWillClose(dialog);
    if (dialog.known) dialog.known.done();
  };
  const hears = (object) => {
    const known = object && existingDispatcher(object), own = known && client._objects.get(known._guid);
    return !!own && own.listenerCount('dialog') > 0;
  };
  const listens = (page) => !!page && (hears(page.browserContext) || hears(page));
  const { _dispatchEvent: dispatch, _shouldDispatchEvent: should } = BrowserContextDispatcher.prototype;
  BrowserContextDispatcher.prototype._shouldDispatchEvent = function(page, event) {
    return event === 'dialog' ? listens(page) : should.call(this, page, event);
  };
  BrowserContextDispatcher.prototype._dispatchEvent = function(event, params) {
    if (event === 'dialog') opens(params.dialog._object, true);
    return dispatch.call(this, event, params);
  };
  // The parent asks once about each dialog, in the order in which a page shows them. An
  // unknown dialog is still on its way here.
  answers.takesDialog = async ({ page: target, message }) => {
    const find = () => shown.findIndex((d) => d.target === target && d.message === message);
    if (find() < 0) {
      let wake;
      await new Promise((there) => { waiting.add(wake = () => find() >= 0 && there()); real.setTimeout(there, 500); });
      waiting.delete(wake);
    }
    const i = find();
    const [own] = i < 0 ? [] : shown.splice(i, 1);
    if (own && own.heard) taken.set(own.number, own);
    return { head: own && own.heard ? { takes: true, dialog: own.number } : { takes: false } };
  };
  answers.answeredDialog = async ({ dialog }) => {
    const own = taken.get(dialog);
    taken.delete(dialog);
    await own.answered;
    return {};
  };
}

// A refusal by the parent is final. Playwright would retry the action until the timeout,
// and then not report the refusal.
{
  const { Frame } = core('server/frames.ts'), { ProtocolError } = core('server/protocolError.ts'), isFinal = Frame.prototype.isNonRetriableError;
  Frame.prototype.isNonRetriableError = function(e) {
    return e instanceof ProtocolError && e.message.includes('blocked: ') || isFinal.call(this, e);
  };
}

// Calls of scripts. Replaces refs and our engines in selectors, and restores import() in
// functions for the page. Calls of a stopped script are not sent, and their results are
// dropped.
const ours = /(^|>>)\s*(?:(?:aria-)?ref=|\[ref=)?(?:f\d+)?e\d+\]?\s*(?=>>|$)|(?:^|>>|")\s*\*?(?:label|placeholder|alt|title|testid|ref|aria-ref)\s*=/;
{
  const { Frame } = core('client/frame.ts'), { Connection } = core('client/connection.ts');
  const pageOfFrame = (object) => object instanceof Frame ? object._page : object._type === 'Page' ? object : object._parent && pageOfFrame(object._parent);
  const send = Connection.prototype.sendMessageToServer;
  Connection.prototype.sendMessageToServer = async function(object, method, params, ...rest) {
    const run = runs.getStore();
    if (run && run.stopped) return new Promise(() => {});
    params = await judged(object, method, params);
    const page = pageOfFrame(object);
    let guess = false, asked;
    if (params && unsaid(params.timeout)) {
      params = { ...params, timeout: patienceOf(params.timeout, object, method) };
      guess = !!run && object._type === 'Frame' && !!(params.selector || params.source) && !waits(object, method);
    }
    // A path is one of the page's site, where the context has no baseURL.
    if (method === 'goto' && /^[/?#]|^\.\.?\//.test(params.url) && /^https?:/.test(object.url?.()) && !page?.context()._options?.baseURL) {
      params = { ...params, url: new URL(params.url, object.url()).href };
    }
    if (params && object._type === 'Frame') {
      for (const name of ['selector', 'source', 'target']) {
        if (typeof params[name] !== 'string' || !ours.test(params[name])) continue;
        const { head } = await ask('selector', { page: targetOf(object._page), selector: params[name], gone: false });
        asked = params[name];
        params = { ...params, [name]: head.selector };
      }
    }
    for (const name of ['expression', 'source']) {
      if (params && typeof params[name] === 'string' && params[name].includes('$import(')) params = { ...params, [name]: params[name].replaceAll('$import(', 'import(') };
    }
    if (run && page && page === at) await watched(run, page, object, method);
    if (run) run.calls = (run.calls || 0) + 1;
    try {
      let result;
      try {
        result = await guesses.run(guess ? run : undefined, () => send.call(this, object, method, params, ...rest));
        if (method === 'expect' && goneRef.test(result.errorMessage)) result = await answerOfNone(object, method, params, asked) ?? result;
      } catch (e) {
        if (!goneRef.test(e.message) || !(result = await answerOfNone(object, method, params, asked))) throw e;
      }
      if (run && method === 'goto' && page && page === at && object === page.mainFrame()) run.went = arrived(params.url, page.url());
      if (method === 'harUnzip') attachments(path.dirname(params.zipFile), path.dirname(params.harFile));
      return run && run.stopped ? new Promise(() => {}) : result;
    } catch (e) {
      if (run && run.stopped) return new Promise(() => {});
      if (page && e.message.includes('Execution context was destroyed') && await closes(page)) e.message = e.message.replace(/Execution context was destroyed.*/, closedWords);
      if (page) await explain(e, { page: targetOf(page), selector: params?.selector ?? params?.[onDrop.test(e.message) ? 'target' : 'source'], main: object._type === 'Frame' && !object._parentFrame, url: method === 'goto' ? params.url : undefined });
      throw e;
    } finally {
      if (run) run.calls--;
    }
  };
}

// A ref of an element that is gone is an error to a call that uses the element. To one that waits for
// its going, or asks whether it is there, this is the answer.
const goneRef = /\b(?:stale|ungiven) ref (?:f\d+)?e\d+/;
async function answerOfNone(object, method, params, asked) {
  const holds = { 'to.be.hidden': true, 'to.be.detached': true, 'to.be.visible': false, 'to.be.attached': false, 'to.have.count': params?.expectedNumber === 0 }[params?.expression];
  const answer = method === 'waitForSelector' && /^(hidden|detached)$/.test(params.state) ? {} : method === 'isVisible' ? { value: false } : method === 'isHidden' ? { value: true } :
    method === 'queryCount' ? { value: 0 } : method === 'expect' && holds !== undefined && holds !== params.isNot ? { matches: holds } : undefined;
  if (answer && asked) await ask('selector', { page: targetOf(object._page), selector: asked, gone: true }); // not of a ref that nobody gave
  return answer;
}

// arrived is the URL that a page has, if that is the one that it was sent to.
const arrived = (url, has) => has === url || has === url + '/' || url.startsWith('/') && has.endsWith(url) ? has : '';

// watched notes the acts of a script, and tells the parent that it is about to leave a document in which it has acted.
const acts = /^(?:click|dblclick|tap|touchscreenTap|fill|type|press|check|uncheck|hover|focus|blur|scrollIntoViewIfNeeded|selectOption|selectText|set(?:Content|InputFiles|ViewportSize)|add(?:Script|Style)Tag|go(?:Back|Forward)|drop|dragAndDrop|dispatchEvent|eval\w+|keyboard\w+|mouse\w+)$/;
const clicks = /^(?:click|dblclick|tap|mouseClick|mouseDown)$/;
async function watched(run, page, object, method) {
  if (acts.test(method)) run.acted = true;
  if (clicks.test(method)) run.clicked = true;
  if (method !== 'goto' || object !== page.mainFrame()) return;
  const { acted, sent = false } = run;
  run.sent = true;
  if (!acted) return;
  run.acted = run.clicked = false;
  await helper('leaving', page, { sent }).catch(() => {}); // the script goes on
}

// judged checks files for pages, HARs and file names with the parent. The server would
// retry these, or report them badly.
async function judged(object, method, params) {
  switch (method) {
    case 'setInputFiles': case 'drop': {
      const paths = [...params.localPaths || [], ...params.localDirectory ? [params.localDirectory] : []];
      if (paths.length) await ask('upload', { paths });
      break;
    }
    case 'harOpen': { // a copy that refers to no other files
      const { head, raw } = await ask('har', { path: params.file });
      const copy = path.join(settings.scratch, `har-${++copies}${head.zip ? '.zip' : '.har'}`);
      fs.writeFileSync(copy, raw);
      return { ...params, file: copy };
    }
    case 'harUnzip': { // copied here, so that it is unpacked without access to other files
      const dir = path.join(settings.scratch, `har-${++copies}`), copy = path.join(dir, 'har.zip');
      fs.mkdirSync(dir);
      fs.copyFileSync(params.zipFile, copy);
      fs.unlinkSync(params.zipFile);
      return { ...params, zipFile: copy };
    }
    case 'tracingStart': case 'tracingStartChunk':
      if (params.name && (/[/\\\0]/.test(params.name) || params.name === '..')) throw new Error(`blocked: ${method.replace('tracingS', 'tracing.s')}: name: it is a name, not a path`);
  }
  return params;
}
let copies = 0;
// attachments copies the files beside a HAR.
function attachments(from, to) {
  privateRuns++;
  try {
    for (const name of fs.readdirSync(from)) fs.copyFileSync(path.join(from, name), path.join(to, name));
  } finally { privateRuns--; }
  fs.rmSync(from, { recursive: true });
}
{
  const { Tracing } = core('client/tracing.ts'), record = Tracing.prototype._recordIntoHAR;
  Tracing.prototype._recordIntoHAR = async function(har, ...rest) {
    await ask('file', { op: 'may', path: har });
    return record.call(this, har, ...rest);
  };
}

// closes reports whether a page is about to close: Chromium ends a page's calls before it
// reports the close.
const closes = (page) => until(() => page.isClosed(), 100).then(() => true, () => false);
const closedWords = new (core('client/errors.ts').TargetClosedError)().message;

const reasons = new WeakMap();

// openDialog returns the dialog that a target's page shows; undefined if there is none.
function openDialog(target) {
  const page = server && server._crPages.get(target)?._page;
  return page && [...page.browserContext.dialogManager._openedDialogs].find((d) => d.page() === page);
}

// explain adds to an error what only the parent knows: why an element was not found, or a
// host not reached.
async function explain(e, about) {
  const late = e.name === 'TimeoutError' && about.selector;
  if (!late && !about.url) return;
  const dialog = late && openDialog(about.page);
  if (dialog) { // until then the page answers nothing
    reasons.set(e, `the page shows a dialog (${dialog.type()}) and waits for its answer`);
    return;
  }
  const run = runs.getStore();
  try {
    // After the script's end nobody reads the answer.
    const over = run && !run.ended && new Promise((done) => real.setTimeout(done, Math.max(1, run.until - Date.now() - slack / 3)));
    const asked = ask('explain', { ...about, said: e.message, left: run && !run.ended ? run.left() : 0 });
    const { head } = await Promise.race(over ? [asked, over.then(() => ({ head: {} }))] : [asked]);
    if (head.why && late) reasons.set(e, head.why); // added where the script ends with it; scripts see Playwright's own error
    else if (head.why) e.message = head.why;
  } catch { /* the error says enough */ }
}

// Reports a refused connection by the URL of the request.
{
  const { APIRequestContext } = core('server/fetch.ts'), send = APIRequestContext.prototype._sendRequest;
  APIRequestContext.prototype._sendRequest = async function(progress, url, ...rest) {
    try {
      return await send.call(this, progress, url, ...rest);
    } catch (e) {
      e.message = e.message.replace(`blocked: ${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}:`, () => `blocked: ${url}:`);
      throw e;
    }
  };
}

// If a request handler ends with an uncaught error, for example since a file is refused,
// the request fails. Otherwise it would wait as long as the page exists. A handler that
// catches the error may still answer.
const failedBy = new WeakMap(); // error -> route
{
  const { Route, RouteHandler } = core('client/network.ts');
  const note = (type, name, routeOf) => {
    const was = type.prototype[name];
    type.prototype[name] = async function(...args) {
      try {
        return await was.apply(this, args);
      } catch (e) {
        if (Object(e) === e) failedBy.set(e, routeOf(this, args));
        throw e;
      }
    };
  };
  note(Route, 'fulfill', (route) => route);
  note(RouteHandler, 'handle', (handler, [route]) => route);
}

// A page's call of an exposed function reaches all clients of the page. Only the one that
// exposed it answers.
{
  const called = ServerPage.prototype.onBindingCalled;
  ServerPage.prototype.onBindingCalled = async function(payload, context) {
    let name;
    try { ({ name } = JSON.parse(payload)); } catch { return; }
    if (this.getBinding(name)) await called.call(this, payload, context).catch(() => {});
  };
}

// Scripts use the running browser, so these are refused.
{
  const refused = (what) => async () => { throw new Error(`${what}: a script works in the browser that runs`); };
  for (const type of [playwright.chromium, playwright.firefox, playwright.webkit, playwright._electron, playwright._android]) {
    if (!type) continue;
    for (const name of ['launch', 'launchServer', 'launchPersistentContext', 'connect', 'connectOverCDP']) type[name] = refused(`browserType.${name}`);
  }
}

// The driver saves downloads, and the parent reports them here.
answers.download = ({ page, guid, url, name }) => {
  if (server && server._crPages.has(page)) server._onDownloadWillBegin({ frameId: page, guid, url, suggestedFilename: name });
};
answers.downloaded = ({ guid, failed }) => {
  if (server) server._onDownloadProgress({ guid, state: failed ? 'canceled' : 'completed' });
};

// States, traces and HARs hold cookies and what was typed: only the user may read their files.
for (const [type, names] of [[core('client/browserContext.ts').BrowserContext, ['storageState', 'close']],
  [core('client/tracing.ts').Tracing, ['stop', 'stopChunk', 'stopHar']], [core('client/fetch.ts').APIRequestContext, ['storageState', 'dispose']]]) {
  for (const name of names) {
    const was = type.prototype[name];
    if (typeof was === 'function') type.prototype[name] = function(...args) { return privately(() => was.apply(this, args)); };
  }
}
