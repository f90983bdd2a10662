// --- Playwright's recorder, as the recordings of pwpipe take it.

/** The recorder runs in a page without regard to its policy, tells the element of each
 *  action (the selector that stands by itself, and what the element is known by) in the
 *  place of an outline of the whole page, and goes on where it was stopped. */
function readyRecorder() {
  const { Frame } = own('server/frames.ts'), { Recorder } = own('server/recorder.ts');
  const { RecorderApp } = own('server/recorder/recorderApp.ts');
  Frame.prototype.extendInjectedScript = async function(source, arg) {
    const context = await this.context('main');
    const [injected, make] = await Promise.all([context.injectedScript(),
      context.rawEvaluateHandle(`(() => { const module = {}; ${toldElements(source)}; return (injected, arg) => { new (module.exports.default())(injected, arg); }; })()`)]);
    await injected.evaluate((injected, { make, arg }) => make(injected, arg), { make, arg });
  };
  const show = RecorderApp.show;
  RecorderApp.show = async (context, params) => {
    const there = await Recorder.existingForContext(context);
    return there ? there.setMode(params.mode) : show(context, params);
  };
  const record = Recorder.prototype._recordAction;
  Recorder.prototype._recordAction = async function(progress, frame, action) {
    if (action.about?.type === 'file')
      action.files = await chosenFiles(frame, action.selector).catch(() => []);
    return record.call(this, progress, frame, action);
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

/** The paths of the files that were chosen in an input, which no page gets to know. */
async function chosenFiles(frame, selector) {
  const input = await frame.selectors.query(selector);
  const paths = [];
  for (let i = 0, n = await input.evaluate(e => e.files.length); i < n; i++) {
    const file = await input.evaluateHandle((e, i) => e.files[i], i);
    const { path } = await file._context.delegate._client.send('DOM.getFileInfo', { objectId: file._objectId });
    paths.push(path || await file.evaluate(f => f.name));
  }
  return paths;
}
