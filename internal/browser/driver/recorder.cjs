// --- Playwright's recorder, as the recordings of pwpipe take it.

/** What the recorder calls the driver by. */
const recorderCalls = /^__pw_(recorder|resume)/;

/** The recorder runs out of the page's reach, and so without regard to its policy; tells
 *  the element of each action (the selector that stands by itself, and what the element is
 *  known by) in the place of an outline of the whole page, and tells how a dialog was
 *  answered. */
function readyRecorder() {
  const { Frame } = own('server/frames.ts'), { Recorder } = own('server/recorder.ts');
  const { RecorderApp } = own('server/recorder/recorderApp.ts');
  const recorded = new WeakSet(); // contexts
  const extend = Frame.prototype.extendInjectedScript;
  Frame.prototype.extendInjectedScript = async function(source, arg) {
    if (!source.includes('PollingRecorder'))
      return extend.call(this, source, arg);
    const { bindingsInitScript, _pageBindings } = this._page.browserContext;
    const bindings = [..._pageBindings.values()].filter(b => recorderCalls.test(b.name)).map(b => b.initScript);
    const ready = [bindingsInitScript, ...bindings].map(script => script.source).join('\n');
    const context = await this.context('utility');
    const [injected, make] = await Promise.all([context.injectedScript(),
      context.rawEvaluateHandle(`(() => { ${ready}; const module = {}; ${toldElements(source)}; return (injected, arg) => { new (module.exports.default())(injected, arg); }; })()`)]);
    await injected.evaluate((injected, { make, arg }) => make(injected, arg), { make, arg });
  };
  hideCalls();
  const show = RecorderApp.show;
  RecorderApp.show = async function(context, params) {
    if (recorded.has(context)) // its listeners are there
      return (await Recorder.existingForContext(context)).setMode(params.mode);
    recorded.add(context);
    return show.call(this, context, params);
  };
  Recorder.prototype._refreshOverlay = async function() {
    await Promise.all(this._context.pages().map(page =>
      page.safeNonStallingEvaluateInAllFrames('window.__pw_refreshOverlay()', 'utility').catch(() => {})));
  };
  const record = Recorder.prototype._recordAction;
  Recorder.prototype._recordAction = async function(progress, frame, action) {
    action = withoutGuids(action);
    if (action.about && frame.parentFrame())
      action.about.frames = await framesAround(frame).catch(() => undefined);
    if (action.about?.type === 'file' && !(action.files = await chosenFiles(frame, action.selector).catch(() => undefined)))
      return;
    return record.call(this, progress, frame, action);
  };
  tellAnswers(recorded);
}

/** A page can't call the recorder: it could have the driver act, and choose files. */
function hideCalls() {
  const { BrowserContext } = own('server/browserContext.ts'), { PageBinding } = own('server/page.ts');
  const expose = BrowserContext.prototype.exposeBinding, dispatch = PageBinding.dispatch;
  BrowserContext.prototype.exposeBinding = async function(progress, name, call, ...more) {
    if (!recorderCalls.test(name))
      return expose.call(this, progress, name, call, ...more);
    await progress.race(this.exposePlaywrightBindingIfNeeded());
    const binding = new PageBinding(this, name, call);
    this._pageBindings.set(name, binding);
    return binding;
  };
  PageBinding.dispatch = async function(page, payload, context) {
    if (context.world === 'utility' || !recorderCalls.test(nameOf(payload)))
      return dispatch.call(this, page, payload, context);
  };
}

/** The name of what is called, that of no call where there is none. */
function nameOf(payload) {
  try {
    return String(JSON.parse(payload).name);
  } catch {
    return '__pw_recorder';
  }
}

/** What has a guid is an object of the protocol to playwright-go, which ends with one that
 *  it doesn't know. */
function withoutGuids(action) {
  return JSON.parse(JSON.stringify(action, (key, value) => key === 'guid' ? undefined : value));
}

/** Where somebody is recorded, the recorder tells how the dialogs of a page were answered.
 *  (A DevTools session of playwright-go's own would have to enable Page, and then ends with
 *  the first download, whose event has a guid.) */
function tellAnswers(recorded) {
  const { BrowserContext } = own('server/browserContext.ts'), { DialogManager } = own('server/dialog.ts');
  const heard = new WeakSet(), last = new WeakMap(); // DevTools sessions, and the dialog of each: there is one at a time
  const answer = (dialog, accepted, text) => ({ name: 'answered', dialog: dialog.guid, kind: dialog.type(), accepted, text });
  const opened = DialogManager.prototype.dialogDidOpen;
  DialogManager.prototype.dialogDidOpen = function(dialog) {
    const page = dialog.page(), context = page.browserContext;
    const client = recorded.has(context) && page.delegate._mainFrameSession?._client;
    if (client && !heard.has(client)) {
      heard.add(client);
      client.on('Page.javascriptDialogClosed', ({ result, userInput }) => context.emit(BrowserContext.Events.RecorderEvent, {
        event: 'signalAdded', page, code: '',
        data: { frame: { pageGuid: page.guid }, signal: answer(last.get(client), result, userInput) },
      }));
    }
    if (client)
      last.set(client, dialog);
    return opened.call(this, dialog);
  };
}

/** The text of the recorder's part in pages, changed in two places. */
function toldElements(source) {
  const swap = (text, pattern, other) => {
    if (!pattern.test(text))
      throw new Error('the recorder is of another shape: ' + pattern);
    return text.replace(pattern, () => other);
  };
  const selector = swap(source, /\n  _ariaSnapshot\(element\) \{[^]*?\n  \}/, `
  _ariaSnapshot(element) {
    const { injectedScript, document } = this._recorder;
    return { selector: injectedScript._engines.get('ref').queryAll(element.nodeType === 1 ? element : document.documentElement, '!standing')[0].textContent };
  }`);
  return swap(selector, /\n  async recordAction\(action\) \{[^]*?\n  \}/, `
  async recordAction(action) {
    const { injectedScript, document } = this;
    const element = action.selector && injectedScript.querySelector(injectedScript.parseSelector(action.selector), document, false);
    if (element) {
      if (/^assert(Visible|Value|Checked)$/.test(action.name))
        action.selector = injectedScript._engines.get('ref').queryAll(element, '!standing')[0].textContent;
      if (action.name === 'click')
        action.checked = element.checked === true;
      action.about = JSON.parse(injectedScript._engines.get('ref').queryAll(element, '!about')[0].textContent);
      const box = element.getBoundingClientRect();
      if (action.position)
        action.at = { x: Math.round(box.x + action.position.x), y: Math.round(box.y + action.position.y) };
    }
    await this._delegate.recordAction?.(action);
  }`);
}

/** What the frames around a document are known by, from the page on. */
async function framesAround(frame) {
  const list = [];
  for (; frame.parentFrame(); frame = frame.parentFrame()) {
    const element = await frame._page.delegate.getFrameElement(frame);
    const about = ([injected, e]) => injected._engines.get('ref').queryAll(e, '!about')[0].textContent;
    list.unshift(JSON.parse(await element.evaluateInUtility(about)));
    element.dispose();
  }
  return list;
}

const maxFiles = 1000;

/** The paths of the files that a person chose in an input, which no page gets to know. A
 *  file that the page itself made has none, and the page makes it again on a replay. */
async function chosenFiles(frame, selector) {
  const input = await frame.selectors.query(selector), paths = [];
  const count = await input.evaluateInUtility(([, e]) => e.files.length);
  for (let i = 0; i < Math.min(count, maxFiles); i++) {
    const file = await input._evaluateHandleInUtility(([, e, i]) => e.files[i], i);
    const { path } = await file._context.delegate._client.send('DOM.getFileInfo', { objectId: file._objectId });
    if (path)
      paths.push(path);
    file.dispose();
  }
  return count && !paths.length ? undefined : paths;
}
