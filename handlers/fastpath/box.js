// The box of an element that is visible and stands still without scrolling; undefined for any
// other. Where the document may move (quiet.js), the answer is true, and page.aimed returns the
// box after two frames.
(page, sel, id) => {
  const element = page.one(sel);
  if (!(element instanceof HTMLElement) || page.isScaled(element)) return undefined;
  const box = () => {
    const boxes = Element.prototype.getClientRects.call(element), r = boxes[0];
    if (boxes.length !== 1 || !r.width || !r.height || !page.isShown(element, r)) return undefined;
    if (!page.injected.elementState(element, 'visible').matches) return undefined;
    return { x: r.left + scrollX, y: r.top + scrollY, width: r.width, height: r.height };
  };
  if (page.still.quiet()) return box();
  if (!box()) return undefined;
  page.aims.set(id, page.isStable(element).then((yes) => yes ? box() : undefined));
  page.still.later(() => page.aimed(id), 5000); // the caller may have given up
  return true;
}
