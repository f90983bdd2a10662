// walk.js makes the tree that Playwright's generateAriaTree makes, in one pass: WALK in
// refs.js stands for what this function makes. Every element is asked once whether it is
// hidden, for its role and for what it adds to a name. What is rare (aria-labelledby,
// aria-owns, slots, SVG) Playwright's own functions tell, which share what is known.
// dress(element, node) gives an element its node, finish(node) changes one once its children
// are there, marksOf(element) is what stands around the content of one in a rich text, and captions
// (captions.js) parts the texts beside fields, if it is given.
(dress, finish, marksOf, captions) => {
  const unnamed = new Set(['caption', 'code', 'definition', 'deletion', 'emphasis', 'generic', 'insertion', 'mark', 'paragraph',
    'presentation', 'strong', 'subscript', 'suggestion', 'superscript', 'term', 'time']);
  const ranges = new Set(['progressbar', 'scrollbar', 'slider', 'spinbutton', 'meter']);
  const placeheld = new Set(['text', 'password', 'search', 'tel', 'email', 'url']);
  const elsewhere = null; // of a name: something else in the document tells it
  const { begin, end, factsOf, displayOf, roleOf, isHidden, css, ownCss, parentOf, rootOf, nextOf, nextElementOf, childrenOf, isHijacked } = FACTS();
  let disabling; // element -> whether aria-disabled of it or above says so
  let labels; // root -> labelled element -> its labels
  let visited;
  let editing = false; // in a rich text: its node has that mark
  let kept; // of kept.js, undefined where nothing is

  // Names.

  const labelsOf = (e) => {
    const root = rootOf(e);
    let of = labels.get(root);
    if (!of) {
      labels.set(root, of = new Map());
      for (const label of root.querySelectorAll?.('label') || []) {
        const control = label.control;
        if (control && of.get(control)?.push(label) === undefined) of.set(control, [label]);
      }
    }
    return of.get(e);
  };
  const namedByLabels = (e, list) => {
    const visitedElements = new Set([e]);
    return list.map((label) => getTextAlternativeInternal(label, { includeHidden: false, visitedElements,
      embeddedInLabel: { element: label, hidden: isElementHiddenForAria(label) } })).filter((name) => !!name).join(' ');
  };
  const attribute = (e, name) => Element.prototype.getAttribute.call(e, name) || ''; // also of a form around e, which may have such a field
  const titled = (e) => { const title = attribute(e, 'title'); return title.trim() ? title : ''; };

  // native is the name that an element has by HTML's rules, undefined if these give none.
  const native = (f, byLabels) => {
    const { e, tag } = f;
    switch (tag) {
      case 'INPUT':
        if (/^(button|submit|reset|file|image)$/.test(e.type)) return elsewhere;
      case 'TEXTAREA':
      case 'SELECT': {
        const list = labelsOf(e);
        if (list) return byLabels(e, list);
        const placeholder = tag === 'TEXTAREA' || tag === 'INPUT' && placeheld.has(e.type);
        return attribute(e, 'title') || (placeholder ? attribute(e, 'placeholder') : '');
      }
      case 'BUTTON': {
        const list = labelsOf(e);
        return list ? byLabels(e, list) : undefined;
      }
      case 'IMG': {
        const alt = attribute(e, 'alt');
        return alt.trim() ? alt : attribute(e, 'title');
      }
      case 'TABLE':
        for (let child = e.firstElementChild; child; child = nextElementOf(child)) if (child.nodeName === 'CAPTION') return elsewhere;
        return attribute(e, 'summary') || undefined;
      case 'OUTPUT': case 'FIELDSET': case 'FIGURE': case 'AREA': case 'SVG':
        return elsewhere;
    }
    return e.ownerSVGElement ? elsewhere : undefined;
  };

  // inLabel is what a labelled control adds to the name of what holds it: nothing where that
  // holds the label as well, which says it.
  const inLabel = (e, list) => {
    if (list.length > 1) return elsewhere;
    for (let p = parentOf(e); p; p = parentOf(p)) {
      if (p === list[0]) return '';
      if (roleOf(factsOf(p))) break;
    }
    return elsewhere;
  };

  // told is what an element adds to the name of one that holds it.
  const told = (f) => f.told === undefined ? f.told = tell(f) : f.told;
  const tell = (f) => {
    if (isHidden(f)) return '';
    const { e, tag } = f;
    if (e.hasAttribute('aria-labelledby')) return elsewhere;
    const role = roleOf(f) || '';
    if (role === 'textbox') return tag === 'INPUT' || tag === 'TEXTAREA' ? e.value : e.textContent || '';
    if (role === 'combobox' || role === 'listbox') return tag === 'SELECT' ? chosen(e) : elsewhere;
    if (ranges.has(role)) return attribute(e, 'aria-valuetext') || (e.hasAttribute('aria-valuetext') ? '' : attribute(e, e.hasAttribute('aria-valuenow') ? 'aria-valuenow' : 'value'));
    if (role === 'menu') return '';
    const label = attribute(e, 'aria-label');
    if (label.trim()) return label;
    const presentation = role === 'presentation' || role === 'none';
    if (!presentation) {
      const name = native(f, inLabel);
      if (name !== undefined) return name;
    }
    if (allowsNameFromContent(role, true) || tag === 'SUMMARY' && !presentation) {
      const content = contentOf(f);
      if (content || content === elsewhere) return content;
    }
    return !presentation || tag === 'IFRAME' ? titled(e) : '';
  };
  const chosen = (select) => {
    const options = [...select.selectedOptions];
    if (!options.length && select.options.length) options.push(select.options[0]);
    const texts = options.map((option) => told(factsOf(option)));
    return texts.includes(elsewhere) ? elsewhere : texts.join(' ');
  };

  // contentOf is the text in an element, as innerAccumulatedElementText has it.
  const contentOf = (f) => f.content === undefined ? f.content = gather(f) : f.content;
  const gather = (f) => {
    const { e } = f;
    if (f.tag === 'SLOT' || e.shadowRoot || e.hasAttribute('aria-owns')) return elsewhere;
    const own = f.style?.content;
    if (own && own !== 'normal' && own !== 'none' && ownCss(e) !== undefined) return elsewhere;
    let text = css(f, '::before');
    for (let child = e.firstChild; child; child = nextOf(child)) {
      if (child.nodeType === 3) {
        text += child.data;
      } else if (child.nodeType === 1) {
        const c = factsOf(child, f.root), token = told(c);
        if (token === elsewhere) return elsewhere;
        text += displayOf(c) !== 'inline' || c.tag === 'BR' ? ' ' + token + ' ' : token;
      }
    }
    return text + css(f, '::after');
  };

  // byElements is the name by elements that a script named, not by their ids: the attribute is empty then.
  const byElements = (e) => {
    const list = attribute(e, 'aria-labelledby') ? undefined : e.ariaLabelledByElements;
    return Array.isArray(list) && list.length ? list.map((o) => told(factsOf(o)) || o.textContent).join(' ') : elsewhere;
  };
  // inOption is the text of an option, which may not be drawn: a list that a page draws itself has elements in it.
  const inOption = (e) => {
    let text = '';
    for (const n of childrenOf(e)) {
      if (n.nodeType === 3) text += n.data;
      else if (n.nodeType === 1 && n.getAttribute('aria-hidden') !== 'true') text += n.getAttribute('aria-label') || (n.nodeName === 'IMG' ? n.alt : inOption(n)) + ' ';
    }
    return text;
  };

  const ownName = (f, role) => {
    const { e } = f;
    if (e.hasAttribute('aria-labelledby')) {
      f.linked = true;
      return byElements(e);
    }
    const label = attribute(e, 'aria-label');
    if (label.trim()) return label;
    const name = native(f, namedByLabels);
    if (name !== undefined) return name;
    if (allowsNameFromContent(role, false) || f.tag === 'SUMMARY') {
      const content = contentOf(f);
      if (content === elsewhere || content.trim()) return content;
      if (f.tag === 'OPTION' && e.firstElementChild) return inOption(e);
    }
    return titled(e);
  };
  const plain = /^(?:[!-~]+(?: [!-~]+)*)?$/; // has no spaces that flattening changes
  const nameOf = (f, role) => {
    if (unnamed.has(role)) return '';
    const name = ownName(f, role);
    if (name === elsewhere || labelsOf(f.e)) f.linked = true;
    if (name === elsewhere) return normalizeWhiteSpace(getElementAccessibleName(f.e, false));
    return plain.test(name) ? name : normalizeWhiteSpace(asFlatString(name));
  };

  // Nodes.

  const isDisabledAbove = (e) => {
    if (!e) return false;
    let disabled = disabling.get(e);
    if (disabled === undefined) {
      const own = attribute(e, 'aria-disabled').toLowerCase();
      disabled = own === 'true' || own !== 'false' && isDisabledAbove(parentOf(e));
      disabling.set(e, disabled);
    }
    return disabled;
  };

  const nodeOf = (f) => {
    const { e } = f;
    if (e.nodeName === 'IFRAME' || e.nodeName === 'FRAME') return { role: 'iframe', name: '', children: [], props: {} };
    const role = roleOf(f);
    if (!role || role === 'presentation' || role === 'none') return null;
    const node = { role, name: nameOf(f, role), children: [], props: {} };
    if (kAriaCheckedRoles.includes(role)) node.checked = getAriaChecked(e);
    if (kAriaDisabledRoles.includes(role)) node.disabled = isNativelyDisabled(e) || isDisabledAbove(e);
    if (kAriaExpandedRoles.includes(role)) node.expanded = getAriaExpanded(e);
    if (kAriaLevelRoles.includes(role)) node.level = getAriaLevel(e);
    if (kAriaPressedRoles.includes(role)) node.pressed = getAriaPressed(e);
    if (kAriaSelectedRoles.includes(role)) node.selected = getAriaSelected(e);
    if (f.tag === 'INPUT' || f.tag === 'TEXTAREA') {
      if ('value' in e && e.type !== 'checkbox' && e.type !== 'radio' && e.type !== 'file') node.children = [e.value];
    }
    return node;
  };

  const visit = (into, e, root) => {
    if (visited.has(e)) return;
    visited.add(e);
    if (e.nodeType === 3) {
      if (into.role !== 'textbox' && e.data) into.children.push(e.data);
      return;
    }
    if (e.nodeType !== 1) return;
    if (isHijacked(e)) {
      for (const child of childrenOf(e)) visit(into, child, root);
      return;
    }
    const f = factsOf(e, root);
    if (kept && f.items) {
      for (const item of f.items) into.children.push(item);
      return;
    }
    const before = into.children.length;
    look(into, f);
    if (!kept) return;
    f.items = into.children.slice(before);
    if (f.linked) kept.linked.add(e);
    kept.noted(e);
  };
  // boxOf is the box to tick that a label draws, where that stands in a part that is not drawn.
  const boxOf = (label) => {
    const e = label.control;
    if (e?.nodeName !== 'INPUT' || e.type !== 'checkbox' && e.type !== 'radio' || !parentOf(e) || !isHidden(factsOf(parentOf(e)))) return undefined;
    kept?.always.add(label);
    return isHidden(factsOf(e)) ? undefined : e;
  };
  const look = (into, f) => {
    const e = f.e;
    if (kept && (e.shadowRoot || /^(SLOT|MAP|OBJECT)$/.test(e.nodeName) || e.ownerSVGElement || e.nodeName === 'INPUT' && e.hasAttribute('list'))) kept.always.add(e.ownerSVGElement || e);
    if (isHidden(f)) {
      // What is in it may be visible all the same.
      if (f.style && f.style.visibility !== 'visible' && f.style.display !== 'none') {
        for (const root of [e, e.shadowRoot]) for (let child = root?.firstElementChild; child; child = nextElementOf(child)) visit(into, child, root === e ? f.root : root);
      }
      return;
    }
    const beside = f.tag === 'LABEL' && boxOf(e);
    if (beside) visit(into, beside);
    const node = dress(e, nodeOf(f));
    const was = editing, labels = captions && f.tag === 'LABEL' && e.control && !isHidden(factsOf(e.control));
    if (node) editing ||= node.rich;
    if (labels) into.children.push(captions.begin);
    fill(node || into, f, editing && was ? marksOf(e) : undefined);
    editing = was;
    if (node) {
      close(node);
      into.children.push(node);
    }
    if (labels) into.children.push(captions.end);
  };
  const fill = (node, f, marks) => {
    const { e } = f, display = displayOf(f), block = display !== 'inline' || e.nodeName === 'BR', edge = block && captions?.breaks(e, display) || ' ';
    if (block) node.children.push(edge);
    if (marks) node.children.push(marks[0]);
    const before = css(f, '::before');
    if (before) node.children.push(before);
    const slotted = e.nodeName === 'SLOT' ? e.assignedNodes() : [];
    for (const child of slotted) visit(node, child);
    if (!slotted.length) {
      for (let child = e.firstChild; child; child = nextOf(child)) if (!e.shadowRoot || !child.assignedSlot) visit(node, child, f.root);
      for (let child = e.shadowRoot?.firstChild; child; child = nextOf(child)) visit(node, child, e.shadowRoot);
    }
    if (e.hasAttribute('aria-owns')) {
      for (const id of e.getAttribute('aria-owns').split(/\s+/)) {
        const owned = document.getElementById(id);
        if (owned) visit(node, owned);
      }
    }
    const after = css(f, '::after');
    if (after) node.children.push(after);
    if (marks) node.children.push(marks[1]);
    if (block) node.children.push(edge);
    if (node.role === 'link' && e.hasAttribute('href')) node.props.url = e.getAttribute('href');
  };
  // close joins the texts among the children of a node; '\v' stands between two that are not one.
  const close = (node) => {
    const children = [];
    let text = '';
    let parted = false;
    const flush = () => {
      if (text && !plain.test(text)) text = normalizeWhiteSpace(text);
      if (text && parted && typeof children.at(-1) === 'string') children.push('\v');
      if (text) children.push(text);
      if (text) parted = false;
      text = '';
    };
    for (const child of captions ? captions.given(node.children) : node.children) {
      if (captions && (child === captions.begin || child === captions.end)) {
        flush();
        parted = true;
        continue;
      }
      if (typeof child === 'string') {
        text += child;
        continue;
      }
      flush();
      children.push(child);
    }
    flush();
    node.children = children.length === 1 && children[0] === node.name ? [] : children.filter((c) => c.role !== 'generic' || c.name || c.children.length);
    finish(node);
  };

  return (root, keeping) => {
    [kept, editing] = [keeping, false];
    begin(kept?.facts);
    disabling = new Map();
    labels = new Map();
    visited = new Set();
    const node = { role: 'fragment', name: '', children: [], props: {} };
    try {
      visit(node, root);
      close(node);
    } finally {
      end();
    }
    return node;
  };
}
