// --- Where elements of frames are, for both the driver and the scripts' process.

/** Puts coordinates of frames right. Chromium tells the places of elements in pixels of their own
 *  document, and below CSS zoom these are not the page's, in which the mouse moves. Playwright takes
 *  them for the page's, skips its check of what a click hits below transforms, and adds the wrong
 *  corner for frames of other processes. */
function placeInFrames({ ElementHandle }, { FrameSession }) {
  const identity = [1, 0, 0, 1, 0, 0];
  const times = ([a, b, c, d, e, f], [g, h, i, j, k, l]) =>
    [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
  const ratio = async frame => (await frame.utilityContext()).evaluate(() => devicePixelRatio);

  /** What takes points of a frame to points of the page, from what DevTools says of the frame. */
  const wayUp = async (session, frame) => {
    const page = session._page, root = page.frameManager.frame(session._targetId); // of this process
    if (!root)
      return null;
    let way = identity;
    if (frame !== root) {
      const [own, its] = await Promise.all([ratio(frame), ratio(root)]);
      way = [own / its, 0, 0, own / its, 0, 0];
    }
    for (let at = root; at.parentFrame(); at = at.parentFrame()) {
      const element = await at.frameElement(forever);
      const seat = await element.evaluateInUtility(inOwner, null);
      const box = !seat?.map && await element.boundingBox(forever); // in perspective: about there
      if (!seat?.map && !box)
        return null;
      way = times(seat?.map ?? [1, 0, 0, 1, box.x, box.y], way);
    }
    return way;
  };
  const forever = { race: promise => promise, log() {} };
  const quadOf = ([a, b, c, d, e, f], list) => [0, 2, 4, 6].map(i => (
    { x: a * list[i] + c * list[i + 1] + e, y: b * list[i] + d * list[i + 1] + f }));

  FrameSession.prototype._getContentQuads = async function(handle) {
    const told = await this._client._sendMayFail('DOM.getContentQuads', { objectId: handle._objectId });
    const way = told && await wayUp(this, handle._frame);
    return way ? told.quads.map(quad => quadOf(way, quad)) : null;
  };
  FrameSession.prototype._getBoundingBox = async function(handle) {
    const told = await this._client._sendMayFail('DOM.getBoxModel', { objectId: handle._objectId });
    const way = told && await wayUp(this, handle._frame);
    if (!way)
      return null;
    const quad = quadOf(way, told.model.border), xs = quad.map(p => p.x), ys = quad.map(p => p.y);
    const x = Math.min(...xs), y = Math.min(...ys);
    return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
  };

  /** Checks that a click at a point of the page hits each frame down to the element's. */
  const check = ElementHandle.prototype._checkFrameIsHitTarget;
  ElementHandle.prototype._checkFrameIsHitTarget = async function(progress, point) {
    if (this._page.browserContext._browser.options.name !== 'chromium')
      return check.call(this, progress, point);
    const down = [];
    for (let frame = this._frame; frame.parentFrame(); frame = frame.parentFrame())
      down.unshift(await frame.frameElement(progress));
    let at = point;
    for (const element of down) {
      const seat = await progress.race(element.evaluateInUtility(inOwner, at));
      if (!seat?.map && !seat?.bent)
        return seat ?? 'error:notconnected';
      if (seat.bent)
        return await progress.race(missed(this, point)) ?? { framePoint: undefined };
      const [a, b, c, d, e, f] = seat.map, x = at.x - e, y = at.y - f, size = a * d - b * c;
      at = { x: (d * x - c * y) / size, y: (a * y - b * x) / size };
    }
    return { framePoint: at };
  };

  /** Where no map can be told, the browser says which frame of its process is at a point. */
  const missed = async ({ _page: page, _frame: frame }, { x, y }) => {
    const { _mainFrameSession: session } = page.delegate;
    if (page.delegate._sessions.has(frame._id))
      return undefined;
    const [left, top] = await (await page.mainFrame().utilityContext()).evaluate(() => [scrollX, scrollY]);
    const hit = await session._client._sendMayFail('DOM.getNodeForLocation', { x: Math.round(x + left), y: Math.round(y + top) });
    return hit && hit.frameId !== frame._id ? { hitTargetDescription: 'something outside of its frame' } : undefined;
  };
}

/** Runs in the document that has a frame. It answers the map from the frame's pixels to the
 *  document's as DOMMatrix has it; bent where there is none, as in perspective. With a point,
 *  it checks first that a click there hits the frame, and answers what else it hits. */
function inOwner([injected, frame, point]) {
  if (point) {
    const hit = injected.expectHitTarget(point, frame);
    if (hit !== 'done')
      return hit;
  }
  let lines = new DOMMatrix();
  for (let e = frame; e; e = e.assignedSlot ?? e.parentElement ?? e.getRootNode().host) {
    const style = getComputedStyle(e), { transform, rotate, scale, display } = style;
    if (e !== frame && ['inline', 'contents'].includes(display))
      continue; // not transformed
    const own = new DOMMatrix(transform === 'none' ? '' : transform);
    if (!own.is2D || style.perspective !== 'none' || rotate.includes(' ') || style.offsetPath !== 'none' || e.namespaceURI.endsWith('/svg'))
      return { bent: true };
    if (scale !== 'none')
      own.preMultiplySelf(new DOMMatrix(`scale(${scale.split(' ').slice(0, 2)})`));
    if (rotate !== 'none')
      own.preMultiplySelf(new DOMMatrix(`rotate(${rotate})`));
    lines = own.multiply(lines);
  }
  // The middle stays the middle, whatever the transform. A computed style is not zoomed.
  const style = getComputedStyle(frame), zoom = frame.currentCSSZoom ?? 1, box = frame.getBoundingClientRect();
  const px = name => parseFloat(style.getPropertyValue(name)) || 0;
  const corner = (size, before, after) => {
    const edges = [`border-${before}-width`, `padding-${before}`, `padding-${after}`, `border-${after}-width`].map(px);
    const inner = style.boxSizing === 'border-box' ? edges.reduce((rest, edge) => rest - edge, px(size)) : px(size);
    return (edges[0] + edges[1] - edges[2] - edges[3] - inner) / 2 * zoom; // from the middle
  };
  const x = corner('width', 'left', 'right'), y = corner('height', 'top', 'bottom'), { a, b, c, d } = lines;
  if (Math.abs(a * d - b * c) < 1e-9)
    return { bent: true };
  return { map: [a * zoom, b * zoom, c * zoom, d * zoom,
    (box.left + box.right) / 2 + a * x + c * y, (box.top + box.bottom) / 2 + b * x + d * y] };
}
