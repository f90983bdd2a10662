// facts.js knows of each element its role, whether it is hidden, how it is displayed and which
// texts CSS puts before and after it: FACTS in walk.js stands for what this function makes.
// Each is asked of the browser once in a walk. While one is on, Playwright's own functions share
// what is known.
() => {
  const ignored = new Set(['STYLE', 'SCRIPT', 'NOSCRIPT', 'TEMPLATE']);
  const asked = ['hasAttribute', 'getAttribute', 'closest', 'matches', 'querySelector', 'querySelectorAll', 'getBoundingClientRect',
    'getClientRects', 'checkVisibility', 'assignedSlot', 'shadowRoot', 'parentElement', 'nodeName', 'firstChild', 'firstElementChild',
    'childElementCount', 'textContent', 'classList', 'localName', 'nodeType', 'ownerDocument', 'isConnected'];
  let theirs; // known from the first walk: without DRIVER_PARTS this is not where Playwright's functions are
  const getter = (of, name) => { const { get } = Object.getOwnPropertyDescriptor(of, name); return (e) => get.call(e); };
  // A form may have fields of these names.
  const childrenOf = getter(Node.prototype, 'childNodes');
  // Such a form can't be asked anything: its fields stand for what every element has, in every world.
  const isHijacked = (e) => e instanceof HTMLFormElement && asked.some((name) => Object.hasOwn(e, name));
  const parentNodeOf = getter(Node.prototype, 'parentNode'), rootOf = (e) => Node.prototype.getRootNode.call(e);
  const nextOf = getter(Node.prototype, 'nextSibling'), nextElementOf = getter(Element.prototype, 'nextElementSibling');
  const parentOf = (e) => {
    const parent = parentNodeOf(e);
    return parent?.nodeType === 1 ? parent : parent instanceof ShadowRoot ? parent.host : null;
  };
  let facts, presenting, tables, ariaHidden, pseudo;
  const begin = (kept) => {
    theirs ??= { role: getAriaRole, hidden: isElementHiddenForAria, css: getCSSContent };
    facts = kept || new Map();
    presenting = new Map(); // parent -> the role that its presentational role gives to its parts
    tables = new Map(); // parent -> whether it is in a grid
    ariaHidden = new Map();
    pseudo = new Map(); // root -> what may have text by CSS
    getAriaRole = (e) => roleOf(factsOf(e));
    isElementHiddenForAria = (e) => isHidden(factsOf(e));
  };

  const factsOf = (e, root) => {
    let f = facts.get(e);
    if (!f) {
      f = { e, root: root || rootOf(e), tag: elementSafeTagName(e), style: getElementComputedStyle(e),
        hidden: undefined, role: undefined, told: undefined, content: undefined, display: undefined, items: undefined };
      facts.set(e, f);
    }
    return f;
  };
  const displayOf = (f) => f.display ??= f.style?.display || 'inline';

  // Roles.

  const presentedBy = (e, tag) => {
    const parents = kPresentationInheritanceParents[tag];
    if (!parents) return null;
    const parent = parentOf(e);
    if (!parent) return null;
    const parentTag = elementSafeTagName(parent);
    if (!parents.includes(parentTag)) return null;
    let role = presenting.get(parent);
    if (role === undefined) {
      role = getExplicitAriaRole(parent);
      if (role !== 'none' && role !== 'presentation' || hasPresentationConflictResolution(parent, role)) role = presentedBy(parent, parentTag);
      presenting.set(parent, role);
    }
    return role;
  };
  const cellRole = (e) => {
    const parent = e.parentElement;
    if (!parent) return kImplicitRoleByTagName.TD(e);
    let role = tables.get(parent);
    if (!role) tables.set(parent, role = kImplicitRoleByTagName.TD(e));
    return role;
  };
  const roleOf = (f) => {
    if (f.role !== undefined) return f.role;
    if (isHijacked(f.e)) return f.role = null;
    if (f.e.hasAttribute('role')) return f.role = theirs.role(f.e);
    const role = f.tag === 'TD' ? cellRole(f.e) : kImplicitRoleByTagName[f.tag]?.(f.e) || '';
    return f.role = role ? presentedBy(f.e, f.tag) || role : null;
  };

  // Visibility.

  const isAriaHidden = (e) => {
    let hidden = ariaHidden.get(e);
    if (hidden === undefined) {
      const parent = parentOf(e);
      hidden = getAriaBoolean(Element.prototype.getAttribute.call(e, 'aria-hidden')) === true || !!parent && isAriaHidden(parent);
      ariaHidden.set(e, hidden);
    }
    return hidden;
  };
  const checks = () => Element.prototype.checkVisibility && globalOptions.browserNameForWorkarounds !== 'webkit';
  // areaHidden is that of the picture that an area is a part of; the area itself has no box.
  const areaHidden = (e) => {
    const map = e.closest('map');
    const picture = map?.name && [...rootOf(e).querySelectorAll('img[usemap]')].find((img) => img.useMap === '#' + map.name);
    return !picture || isHidden(factsOf(picture));
  };
  const isHidden = (f) => f.hidden ??= f.tag === 'AREA' ? areaHidden(f.e) : f.tag === 'OPTGROUP' ? theirs.hidden(f.e.firstElementChild || f.e) : ignored.has(f.tag) ||
    (checks() && Element.prototype.checkVisibility.call(f.e, { visibilityProperty: true }) ? isAriaHidden(f.e) : theirs.hidden(f.e));

  const ghosts = ['placeholder', 'data-placeholder', 'aria-placeholder'];
  // Texts by CSS: reading them costs most of all, so only what a rule gives a content is asked.

  const rulesIn = (rules, found) => {
    for (const rule of rules) {
      if (rule.styleSheet) rulesIn(rule.styleSheet.cssRules, found);
      if (rule.cssRules?.length) {
        if (rule.selectorText && /:(before|after)/.test(rule.cssText.slice(rule.selectorText.length))) throw new Error('nested');
        if (!rule.selectorText) rulesIn(rule.cssRules, found);
      }
      if (rule.selectorText && /:(before|after)/i.test(rule.selectorText) && rule.style.content) found.push(rule.selectorText);
    }
  };
  // pseudoIn is the set of elements below a root that a rule gives a text, null for all.
  const pseudoIn = (root) => {
    if (pseudo.has(root)) return pseudo.get(root);
    let set = new Set();
    try {
      const found = [];
      for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets || []]) if (!sheet.disabled) rulesIn(sheet.cssRules, found);
      for (const selector of found) {
        if (/:(host|slotted|part)/.test(selector)) throw new Error('across roots');
        for (const e of root.querySelectorAll(selector.replace(/(^|[\s>+~,(])::?(before|after)/gi, '$1*').replace(/::?(before|after)/gi, ''))) set.add(e);
      }
    } catch { // a style sheet of elsewhere, or what can't be told
      set = null;
    }
    pseudo.set(root, set);
    return set;
  };
  const css = (f, which) => {
    const set = pseudoIn(f.root);
    let text = !set || set.has(f.e) ? theirs.css(f.e, which) || '' : '';
    if (text && ghosts.some((name) => f.e.getAttribute(name) === text)) text = ''; // an editor without content shows it
    if (text) f.linked = true; // it may count others
    return text;
  };

  const end = () => {
    getAriaRole = theirs.role;
    isElementHiddenForAria = theirs.hidden;
  };
  return { begin, end, factsOf, displayOf, roleOf, isHidden, css, ownCss: (e, which) => theirs.css(e, which), parentOf, rootOf, nextOf, nextElementOf, childrenOf, isHijacked };
}
