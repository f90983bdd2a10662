// kept.js keeps what a walk of the document found, and says before the next what of it may be
// something else now: KEPT in refs.js stands for what this function makes. The rest is not
// walked again. Where that can't be told, nothing is kept (docs/agent.md says when).
(childrenOf) => {
  const piercedOf = () => globalThis[Symbol.for('pwpipe.pierced')]; // handlers/agent/pierce.js
  const maxRecords = 200, maxRemoved = 50, maxFar = 200, maxNames = 1000, maxElements = 100_000;
  let used = 0; // walks that had a part of the one before
  let keep; // undefined while nothing is kept

  const parentNodeOf = Object.getOwnPropertyDescriptor(Node.prototype, 'parentNode').get;
  const parentOf = (n) => {
    const parent = parentNodeOf.call(n);
    return parent?.nodeType === 11 ? parent.host : parent;
  };

  // up has an element and what it is in be made again, own its role and style as well, and deep
  // all that is in it.
  const up = (e) => {
    keep.same = false;
    for (let p = e; p; p = parentOf(p)) {
      const f = keep.facts.get(p);
      if (f) f.items = f.told = f.content = undefined;
    }
  };
  const own = (e) => { keep.facts.delete(e); up(e); };
  const forget = (root) => {
    for (const e of root.querySelectorAll('*')) {
      keep.facts.delete(e);
      if (e.shadowRoot?.nodeType === 11) forget(e.shadowRoot);
    }
  };
  const deep = (e) => {
    own(e);
    forget(e);
    if (e.shadowRoot?.nodeType === 11) forget(e.shadowRoot);
  };

  // kindred: what an element is called may depend on its siblings' kinds.
  const kindred = (parent) => {
    const asked = keep.kinds.delete(parent);
    if (!asked && parent.childElementCount < 4) return;
    for (const e of childrenOf(parent)) if (asked || e.nodeName === 'DIV' || e.nodeName === 'SECTION') own(e);
  };

  // whole are elements whose parts depend on each other.
  const whole = /^(FIELDSET|DETAILS|TABLE|SELECT|OPTGROUP|DATALIST|PICTURE|OBJECT|VIDEO|AUDIO|MAP|CANVAS|SLOT)$/;
  const around = (e) => Element.prototype.closest.call(e, 'svg, canvas, select, datalist, [contenteditable]');
  const hasLabel = (n) => n.nodeType === 1 && (n.nodeName === 'LABEL' || !!n.querySelector('label, [aria-owns]'));
  const listening = (e) => {
    for (let p = e; p; p = parentOf(p)) if (piercedOf().heard(p)) return p;
  };
  // mark takes one change; false where no more can be told.
  const mark = (r) => {
    let t = r.target;
    if (r.type === 'characterData') t = parentOf(t);
    if (!t || t.nodeType !== 1) return t?.nodeType !== 9;
    if (!t.isConnected) return true;
    const listens = listening(t), scope = around(t);
    if (listens) deep(listens);
    if (scope) deep(scope);
    if (r.type === 'characterData') up(t);
    else if (r.type === 'attributes') {
      if (t.nodeName === 'LABEL' || t instanceof HTMLFormElement || r.attributeName === 'aria-owns' || t === document.body) return false;
      deep(t);
      if (r.attributeName === 'class') kindred(parentOf(t));
    } else {
      if ([...r.addedNodes, ...r.removedNodes].some(hasLabel)) return false;
      if (whole.test(t.nodeName)) deep(t);
      else own(t);
      kindred(t);
      for (const n of r.addedNodes) if (n.nodeType === 1 && n.isConnected) deep(n);
    }
    return true;
  };

  const relinedFrom = (n, relined) => {
    const e = n.nodeType === 1 ? n : parentOf(n), other = e?.nodeType === 1 && e.isConnected && relined(e, keep.lines);
    if (other) deep(other);
  };

  // What style sheets say that a walk asks for. Which elements a rule is for changes with their
  // attributes, which are observed, unless its selector is far: it names siblings, what is
  // in an element, or states.
  const telling = /(^|[{;\s])(display|visibility|content|content-visibility|cursor|pointer-events|position|float|overflow|overflow-[xy]|overflow-(block|inline)|all|-webkit-user-modify|--[^:;{]+)\s*:/;
  const far = (selector) => {
    const s = selector.replace(/\\./g, '').replace(/"[^"]*"|'[^']*'/g, '').replace(/\[[^\]]*\]/g, '').replace(/::[\w-]+|:(before|after|first-line|first-letter)\b/gi, '');
    return /[+~]|:(?!(not|is|where|root|link|any-link)\b)[a-z-]/i.test(s);
  };
  const bare = (selector) => selector.replace(/(^|[\s>+~,(])::?(before|after)/gi, '$1*').replace(/::?(before|after)/gi, '');
  // registered reports whether CSS.registerProperty was called for a custom property, which
  // changes what var() of it is. The syntax is invalid, so nothing is registered here.
  const registered = (name) => {
    try { CSS.registerProperty({ name, syntax: '<none>', inherits: false }); } catch (e) { return e.name === 'InvalidModificationError'; }
  };
  // environment is what all elements depend on; it throws where that can't be told.
  const environment = () => {
    const texts = [innerWidth, innerHeight, devicePixelRatio, document.designMode, document.documentElement.className], selectors = [], names = new Set();
    const properties = (text) => { for (const [, name] of text.matchAll(/var\(\s*(--[^\s,()]+)/gi)) names.add(name); };
    let count = 0;
    const media = (list) => { if (list?.mediaText) texts.push(list.mediaText, matchMedia(list.mediaText).matches); };
    const look = (rules) => {
      for (const rule of rules) {
        count++;
        if (rule.styleSheet || rule instanceof CSSMediaRule) {
          media(rule.media);
          look(rule.styleSheet ? rule.styleSheet.cssRules : rule.cssRules);
        } else if (rule.selectorText) {
          const text = rule.cssText;
          if (!telling.test(text)) continue;
          texts.push(text);
          properties(text);
          if (rule.cssRules?.length) throw new Error('nested');
          if (/\bif\(/i.test(text)) throw new Error('conditional');
          if (!far(rule.selectorText)) continue;
          const selector = bare(rule.selectorText);
          if (selector.includes('::')) throw new Error('a part of an element');
          selectors.push(selector);
        } else if (rule instanceof CSSSupportsRule || rule instanceof CSSLayerBlockRule) look(rule.cssRules);
        else if (rule.cssRules && !(rule instanceof CSSKeyframesRule) && (telling.test(rule.cssText) || /@function\b/i.test(rule.cssText))) throw new Error('conditional');
        else if (!rule.cssRules && !(rule instanceof CSSFontFaceRule)) texts.push(rule.cssText); // layers, properties
      }
    };
    const sheets = [...document.styleSheets, ...document.adoptedStyleSheets];
    if (sheets.reduce((n, sheet) => n + sheet.cssRules.length, 0) > 20 + keep.elements / 4) throw new Error('more rules than it takes to walk');
    for (const sheet of sheets) {
      texts.push('sheet', sheet.disabled);
      media(sheet.media);
      if (!sheet.disabled) look(sheet.cssRules);
    }
    for (const e of document.querySelectorAll('[style*="var(" i]')) properties(Element.prototype.getAttribute.call(e, 'style'));
    if (names.size > maxNames || selectors.length > maxFar || keep.elements > maxElements) throw new Error('too many');
    for (const name of names) if (registered(name)) texts.push(name);
    return { text: texts.join('\n'), selectors: [':popover-open', ':modal', ':fullscreen', 'select:open', ...selectors] };
  };
  const compareFar = (selectors) => {
    for (const selector of selectors) {
      const now = new Set(document.querySelectorAll(selector)), was = keep.far.get(selector);
      keep.far.set(selector, now);
      if (!was) continue;
      for (const e of now.symmetricDifference(was)) if (e.isConnected) deep(e);
    }
  };
  const moves = /^(display|visibility|contentVisibility|cursor|pointerEvents|content|position|cssFloat|overflow|--)/;
  const compareMoving = () => {
    for (const e of keep.moving) if (e.isConnected) deep(e);
    keep.moving = new Set();
    for (const a of document.getAnimations()) {
      const e = a.effect?.target;
      if (e && a.effect.getKeyframes().some((k) => Object.keys(k).some((name) => moves.test(name)))) keep.moving.add(e);
    }
    for (const e of keep.moving) deep(e);
  };

  // Which field a label is for may change without a record of either.
  const compareLabels = () => {
    const now = new Map();
    for (const label of document.querySelectorAll('label')) {
      if (label.control) now.set(label.control, [...now.get(label.control) || [], label]);
    }
    const same = (a = [], b = []) => a.length === b.length && a.every((label, i) => label === b[i]);
    for (const e of new Set([...now.keys(), ...keep.labels.keys()])) {
      if (e.isConnected && !same(now.get(e), keep.labels.get(e))) own(e);
    }
    keep.labels = now;
  };

  // A field's state is no attribute.
  const stateOf = (e) => e.nodeName === 'SELECT' ? [...e.selectedOptions].map((o) => o.index).join() : `${e.checked} ${e.indeterminate} ${e.value} ${e.files?.length}` +
    (e.nodeName === 'TEXTAREA' && e === document.activeElement ? ` ${e.selectionStart} ${e.selectionEnd}` : '');
  const hasState = /^(INPUT|TEXTAREA|SELECT)$/;

  const fresh = () => {
    drop(keep);
    keep = { facts: new WeakMap(), noted, kinds: new WeakMap(), gazed: new Set(), states: new Map(), looked: new Map(), linked: new Set(), lines: new WeakMap(), always: new Set(),
      far: new Map(), labels: new Map(), moving: new Set(), records: [], removed: 0, focus: null, covering: [], blocking: undefined, same: false, elements: document.getElementsByTagName('*').length };
    const mine = keep;
    keep.observer = new MutationObserver((records) => {
      mine.records = mine.records.concat(records);
      for (const r of records) mine.removed += r.removedNodes.length; // a record holds them in memory
      if (mine.records.length > maxRecords || mine.removed > maxRemoved) drop(mine);
    });
    keep.observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  const drop = (mine) => {
    mine?.observer.disconnect();
    if (mine) mine.records = [];
    if (keep === mine) keep = undefined;
  };

  const each = (set, connected) => { for (const e of set.keys()) e.isConnected ? connected(e) : set.delete(e); };

  // changed marks what may have changed since the last walk.
  const changed = (face, covering, blocking, relined) => {
    const pierced = piercedOf();
    const records = keep.records.splice(0).concat(keep.observer.takeRecords());
    keep.removed = 0;
    if (records.length > maxRecords) return false; // marking costs more than a walk
    for (const r of records) if (!mark(r)) return false;
    for (const e of new Set(records.map((r) => r.target))) relinedFrom(e, relined);
    for (const e of pierced.news()) if (e.isConnected) deep(e);
    const { text, selectors } = environment();
    if (keep.environment !== undefined && keep.environment !== text || document.querySelector('[aria-owns]')) return false;
    keep.environment = text;
    compareFar(selectors);
    compareMoving();
    compareLabels();
    each(keep.states, (e) => {
      const now = stateOf(e);
      if (now === keep.states.get(e)) return;
      keep.states.set(e, now);
      if (e.nodeName === 'SELECT') deep(e);
      else own(e);
    });
    each(keep.always, deep);
    each(keep.looked, (e) => { if (keep.facts.get(e) && keep.looked.get(e) !== face(e, keep.facts)) own(e); });
    for (const e of new Set(covering).symmetricDifference(new Set(keep.covering))) own(e);
    if (blocking !== keep.blocking) for (const e of [blocking, keep.blocking]) if (e?.isConnected) own(e);
    const focus = document.activeElement;
    if (focus !== keep.focus) for (const e of [focus, keep.focus]) if (e?.isConnected) up(e);
    [keep.covering, keep.blocking, keep.focus] = [covering, blocking, focus];
    if (!keep.same) each(keep.linked, own); // what is elsewhere may have changed
    return true;
  };

  // known returns what is kept, undefined where nothing can be. face is how an element looks,
  // covering what hides the page, blocking what keeps a person from the rest of it, relined which part has other lines (lines.js).
  const known = (face, covering, blocking, relined) => {
    if (!piercedOf() || document.contentType !== 'text/html') return undefined;
    try {
      if (keep) {
        keep.same = true;
        keep.elements = document.getElementsByTagName('*').length;
        if (changed(face, covering, blocking, relined)) {
          used++;
          return keep;
        }
      }
      fresh();
      if (changed(face, covering, blocking, relined)) return keep;
    } catch { /* what can't be told */ }
    drop(keep);
    return undefined;
  };
  const noted = (e) => { if (hasState.test(e.nodeName)) keep.states.set(e, stateOf(e)); };
  // done has the walk's result kept, with how those look that may change so.
  const done = (face) => {
    for (const e of [...keep.gazed]) if (e.isConnected) keep.looked.set(e, face(e, keep.facts));
    keep.gazed.clear();
    if (!keep.linked.size) return;
    for (const e of document.querySelectorAll('input, textarea, select')) if (!keep.states.has(e)) noted(e); // a hidden one may name another
  };
  return { known, done, drop: () => drop(keep), used: () => used };
}
