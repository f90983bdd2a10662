(el, all) => {
  // Puts the caret of an element that is edited in place after its contents, or selects them
  // all. Answers 'placed' if it is so already, 'moved' if it was not, and 'plain' for other elements.
  el = el.localName === 'label' ? el.control ?? el : el;
  if (!el.isContentEditable) return 'plain';
  const root = el.getRootNode(), selection = root.getSelection?.() ?? el.ownerDocument.getSelection();
  const has = (node) => node === el || el.contains(node);
  const inside = () => {
    for (let a = el.ownerDocument.activeElement; a; a = a.shadowRoot?.activeElement) if (has(a) || a.contains(el)) return a !== el.ownerDocument.body || a === el;
    return false;
  };
  const isBlank = (from, to) => {
    const range = el.ownerDocument.createRange();
    range.setStart(...from);
    range.setEnd(...to);
    return !/\S/.test(range.toString());
  };
  const { anchorNode, focusNode, rangeCount } = selection;
  if (inside() && rangeCount && has(anchorNode) && has(focusNode)) {
    const now = selection.getRangeAt(0), start = [now.startContainer, now.startOffset], end = [now.endContainer, now.endOffset];
    if (isBlank(end, [el, el.childNodes.length]) && (all ? isBlank([el, 0], start) : now.collapsed)) return 'placed';
  }
  el.focus();
  if (all) {
    selection.selectAllChildren(el);
    return 'moved';
  }
  let at = el;
  const last = (e) => [...e.childNodes].reverse().find((n) => n.nodeType === 3 || n.nodeType === 1 && n.isContentEditable);
  for (let next = last(at); next && next.localName !== 'br'; next = last(at)) at = next;
  const end = last(at);
  if (at.nodeType === 3) selection.collapse(at, at.data.length);
  else selection.collapse(at, end ? [...at.childNodes].indexOf(end) : at.childNodes.length);
  return 'moved';
}
