// Types a text at the caret of an element's document, as Input.insertText does in Chromium. That
// one types into the document that has the focus by then, which a frame of another origin can take
// at any time; nothing here leaves the element's document. Answers false where nothing takes the text.
(element, text) => {
  const document = element.ownerDocument, view = document.defaultView;
  const active = () => {
    let a = element.getRootNode().activeElement ?? document.activeElement; // a closed root alone tells its own
    while (a?.shadowRoot?.activeElement) a = a.shadowRoot.activeElement;
    return a;
  };
  const takes = (e) => !!e && (e.isContentEditable || document.designMode === 'on' ||
    (e.localName === 'textarea' || e.localName === 'input' && !/^(button|checkbox|radio|submit|reset|file|image|range|color|hidden)$/.test(e.type)) &&
    !e.readOnly && !e.disabled);
  // The page's own scripts may have passed the focus on. A frame that has it took it.
  if (!takes(active())) {
    if (!element.isConnected) return true; // it has gone as it got the focus: then nothing takes the text
    element.focus();
  }
  const at = active();
  if (!takes(at)) return false;
  // An element that can't get the focus leaves it where it was: that field is somebody else's.
  const focusable = element.tabIndex >= 0 || element.hasAttribute('tabindex') || takes(element);
  if (!focusable && !element.contains(element.getRootNode().activeElement)) return false;
  const selection = document.getSelection();
  const ranges = at.isContentEditable && selection.rangeCount ? [new StaticRange(selection.getRangeAt(0))] : [];
  const typed = document.createEvent('TextEvent');
  typed.initTextEvent('textInput', true, true, view, text);
  // These two the command does not send.
  if (!EventTarget.prototype.dispatchEvent.call(at, new InputEvent('beforeinput', { bubbles: true, cancelable: true, composed: true,
    inputType: 'insertText', data: text, targetRanges: ranges })) || !EventTarget.prototype.dispatchEvent.call(at, typed)) return true;
  if (!takes(active())) return true; // the page answered by going elsewhere
  Document.prototype.execCommand.call(document, 'insertText', false, text);
  return true;
}
