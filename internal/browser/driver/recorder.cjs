// --- Playwright's recorder, as the recordings of pwpipe take it.

/** The recorder runs in a page without regard to its policy, tells the element of each
 *  action (the selector that stands by itself, and what the element is known by) in the
 *  place of an outline of the whole page, and tells how a dialog was answered. */
function readyRecorder() {
  const { Frame } = own('server/frames.ts'), { Recorder } = own('server/recorder.ts');
  const { RecorderApp } = own('server/recorder/recorderApp.ts');
  const recorded = new WeakSet(); // contexts
  const extend = Frame.prototype.extendInjectedScript;
  Frame.prototype.extendInjectedScript = async function(source, arg) {
    if (!source.includes('PollingRecorder'))
      return extend.call(this, source, arg);
    const context = await this.context('main');
    const [injected, make] = await Promise.all([context.injectedScript(),
      context.rawEvaluateHandle(`(() => { const module = {}; ${toldElements(source)}; return (injected, arg) => { new (module.exports.default())(injected, arg); }; })()`)]);
    await injected.evaluate((injected, { make, arg }) => make(injected, arg), { make, arg });
  };
  const show = RecorderApp.show;
  RecorderApp.show = function(context, params) {
    recorded.add(context);
    return show.call(this, context, params);
  };
  const record = Recorder.prototype._recordAction;
  Recorder.prototype._recordAction = async function(progress, frame, action) {
    action = withoutGuids(action);
    if (action.about?.type === 'file')
      action.files = await chosenFiles(frame, action.selector).catch(() => []);
    return record.call(this, progress, frame, action);
  };
  tellAnswers(recorded);
}

/** A page may call the recorder, too. What has a guid is an object of the protocol to
 *  playwright-go, which ends with one that it doesn't know. */
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

/** The paths of the files that were chosen in an input, which no page gets to know; their
 *  names where the browser does not tell. */
async function chosenFiles(frame, selector) {
  const input = await frame.selectors.query(selector);
  const paths = [];
  for (let i = 0, n = await input.evaluate(e => e.files.length); i < n; i++) {
    const file = await input.evaluateHandle((e, i) => e.files[i], i);
    const info = await file._context.delegate._client?.send('DOM.getFileInfo', { objectId: file._objectId }); // Chromium's
    paths.push(info?.path || await file.evaluate(f => f.name));
  }
  return paths;
}
