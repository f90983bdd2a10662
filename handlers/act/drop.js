(el, files) => {
  // Drops files as a drag from outside the browser does: at the element's
  // centre, on whatever is on top there.
  const box = el.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  let at = document.elementFromPoint(x, y);
  for (let inner; at?.shadowRoot && (inner = at.shadowRoot.elementFromPoint(x, y)) && inner !== at;) at = inner;
  const target = at && el.contains(at) ? at : el;
  const dataTransfer = new DataTransfer();
  for (const { name, type, data } of files) {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    dataTransfer.items.add(new File([bytes], name, { type, lastModified: Date.now() }));
  }
  const send = (kind) => target.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, dataTransfer }));
  send('dragenter');
  // An element that does not cancel dragover accepts no drop.
  if (send('dragover')) {
    send('dragleave');
    return false;
  }
  send('drop');
  return true;
}
