// What React's development build keeps about an element: the component that
// rendered it, and that component's owners. React 18 keeps file and line
// (_debugSource); React 19 keeps an Error created with the element
// (_debugStack).
(element) => {
  const fiberOf = (node) => {
    const key = Object.keys(node).find((k) => k.startsWith('__reactFiber$') || k.startsWith('__reactInternalInstance$'));
    return key && node[key];
  };
  const isRoot = (node) => '_reactRootContainer' in node || Object.keys(node).some((k) => k.startsWith('__reactContainer$'));
  let fiber, node = element;
  for (; node && !fiber; node = node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null)) fiber = fiberOf(node);
  if (!fiber) {
    const root = [...document.querySelectorAll('*')].some((e) => isRoot(e) || fiberOf(e));
    return { found: root || isRoot(document) ? 'outside' : 'none' };
  }
  if (!('_debugOwner' in fiber)) return { found: 'production' };
  const nameOf = (o) => {
    if (o.elementType && o.elementType.displayName) return o.elementType.displayName; // set on a wrapper, such as memo's
    let t = o.type === undefined ? o : o.type; // a fiber, or the trace of a server component
    for (let i = 0; t && typeof t === 'object' && i < 5; i++) {
      if (t.displayName) break;
      t = t.render || t.type || (typeof t.name === 'string' ? t : null);
    }
    return (t && (t.displayName || t.name)) || (typeof t === 'string' ? t : '') || '(anonymous)';
  };
  const placeOf = (o) => {
    const stack = o._debugStack || o.debugStack;
    return { source: o._debugSource || null, stack: stack ? String(stack.stack || stack) : '' };
  };
  const ownerOf = (o) => o._debugOwner || o.owner || null;
  const chain = [{ name: nameOf(fiber), ...placeOf(fiber) }];
  for (let o = ownerOf(fiber); o && chain.length < 30; o = ownerOf(o)) chain.push({ name: nameOf(o), ...placeOf(o) });
  return { found: 'development', chain };
}
