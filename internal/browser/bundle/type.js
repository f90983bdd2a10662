// Types a text character by character at the focus of an element's document, with the events of its
// keys. The page can tell them from a person's.
async (el, { text, delay, end }) => {
  const insert = INSERT_TEXT;
  const active = () => {
    let a = el.ownerDocument.activeElement;
    while (a?.shadowRoot?.activeElement || a?.contentDocument) a = (a.shadowRoot ?? a.contentDocument).activeElement;
    return a ?? el;
  };
  // A task of its own lets the page answer, and move on to its next field.
  const pause = () => new Promise((done) => {
    if (delay) return setTimeout(done, delay);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  });
  let field = el; // and then what the page moves the focus to, but no frame
  for (const key of text) {
    if (Date.now() > end) return false;
    const now = active();
    if (!/^(IFRAME|FRAME|OBJECT|EMBED|FENCEDFRAME|BODY)$/.test(now.nodeName) || now.isContentEditable) field = now;
    const press = (type) => field.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true, composed: true }));
    if (press('keydown') && press('keypress') && !insert(field, key)) return false;
    press('keyup');
    await pause();
  }
  return true;
}
