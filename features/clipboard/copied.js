(() => {
  const { slice } = String.prototype, { dispatchEvent } = EventTarget.prototype, Tells = CustomEvent; // the page may replace them
  // Reports what the page copies to pwpipe, which keeps a clipboard for each
  // session. The browser's own clipboard is shared, so nobody gets its content.
  // told.js hears it, in a world that the page can't reach.
  const tell = (text) => { dispatchEvent.call(window, new Tells('pwpipecopied', { detail: slice.call(text, 0, 1 << 20) })); };
  const selected = () => {
    let el = document.activeElement;
    while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
    if (/^(input|textarea)$/.test(el?.localName) && el.type !== 'password' && el.selectionStart !== null) return slice.call(el.value, el.selectionStart, el.selectionEnd);
    return String(getSelection() ?? '');
  };
  // Pages get nothing from a clipboard or a selection that others share: what pwpipe pastes is another event.
  addEventListener('paste', (e) => {
    if (!e.isTrusted) return;
    e.preventDefault();
    e.stopImmediatePropagation();
  }, true);
  const listen = (e) => {
    if (!e.isTrusted) return;
    const text = selected(), data = e.clipboardData;
    let own;
    if (data) data.setData = function (type, value) {
      if (/^text(\/plain)?$/i.test(type)) own = value;
      return DataTransfer.prototype.setData.call(this, type, value);
    };
    // Runs after the page's own listeners.
    setTimeout(() => { if (e.defaultPrevented) { if (own !== undefined) tell(own); } else if (text) tell(text); });
  };
  addEventListener('copy', listen, true);
  addEventListener('cut', listen, true);
  const proto = globalThis.Clipboard?.prototype;
  if (!proto) return;
  const { write, writeText } = proto;
  Object.assign(proto, {
    async writeText(text) { await writeText.apply(this, arguments); tell(text); },
    async write(items) {
      await write.apply(this, arguments);
      for (const item of items) if (item.types.includes('text/plain')) tell(await (await item.getType('text/plain')).text());
    },
  });
})()
