(() => {
  // A selector engine of Playwright's, beside the engine ref: it answers what
  // could be meant by a selector that matches nothing, as an element that holds
  // a list as JSON. getAriaRole, getElementAccessibleName, getElementLabels and
  // elementText are Playwright's own functions, so what is told is what its
  // engines go by.
  //   names=role textbox        the accessible names of that role
  //   names=label               the labels of fields
  //   names=text                texts of elements that hold nothing else
  //   names=attr placeholder    values of an attribute
  const maxLooked = 5000, maxTold = 300, longest = 1000;

  const walk = function* (root) {
    for (const e of root.querySelectorAll('*')) {
      yield e;
      if (e.shadowRoot?.nodeType === 11) yield* walk(e.shadowRoot);
    }
  };
  const cache = () => new Map();
  const kinds = {
    role: (e, role) => getAriaRole(e) === role && !isElementHiddenForAria(e) ? [getElementAccessibleName(e, false)] : [],
    label: (e) => e.matches('input, textarea, select, button, meter, output, progress, [aria-label], [aria-labelledby]')
      ? getElementLabels(cache(), e).map((l) => l.normalized) : [],
    text: (e) => e.firstElementChild ? [] : [elementText(cache(), e).normalized],
    attr: (e, name) => [e.getAttribute(name)],
  };
  const names = (root, kind, arg) => {
    const found = new Set();
    let looked = 0;
    for (const e of walk(root)) {
      if (++looked > maxLooked || found.size >= maxTold) break;
      for (const name of kinds[kind](e, arg)) {
        const text = (name ?? '').replace(/\s+/g, ' ').trim();
        if (text) found.add(text.slice(0, longest)); // shortened for good once secrets are masked
      }
    }
    return [...found];
  };
  return {
    queryAll(root, body) {
      const [kind, arg] = body.split(' ');
      const e = document.createElement('pre');
      e.textContent = JSON.stringify(names(root, kind, arg));
      return [e];
    },
  };
})()
