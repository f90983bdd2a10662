(() => globalThis[Symbol.for('pwpipe.pierced')] ??= (() => {
  // This object keeps what DevTools tells and no script can see: which elements have listeners,
  // and the closed shadow roots. refs.js opens these roots while it makes a tree.
  const most = 100; // elements that are asked about at once
  const maxPlain = 300; // elements that are not custom, before a snapshot
  const heard = new Map(); // DevTools id -> WeakRef of an element with a listener
  const fresh = new Set(), hosts = new WeakSet(); // elements that are news; hosts of shadow roots
  let listens = new WeakSet(), above = new WeakSet();
  const roots = new Map(), cleared = new WeakSet(); // host -> its closed root; custom elements that have none
  let asked = new WeakSet(), plain = 0; // other elements that were asked about before this snapshot
  const native = 'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=tab], [role=option], [role^=menuitem]';

  // A node that DevTools hands over for the first time may have another world's prototype, whose
  // methods answer with that world's objects. It is read with our own getters until it has our
  // prototype.
  const get = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (o) => get.call(o);
  };
  const typeOf = get(Node, 'nodeType'), documentOf = get(Node, 'ownerDocument'), nameOf = get(Element, 'localName'), spaceOf = get(Element, 'namespaceURI');
  // A form's fields may hide these properties by their names.
  const parentOf = get(Node, 'parentNode'), shadowOf = get(Element, 'shadowRoot'), rootOf = (e) => Node.prototype.getRootNode.call(e);
  const own = (e) => {
    if (e instanceof Element) return;
    const name = nameOf(e), custom = name.includes('-'); // a custom element of ours would run its author's code
    Object.setPrototypeOf(e, custom ? HTMLElement.prototype : Object.getPrototypeOf(document.createElementNS(spaceOf(e), name)));
  };

  const upOf = (n) => parentOf(n) || n instanceof ShadowRoot && n.host;
  const add = (host, root) => {
    if (!(root instanceof ShadowRoot)) Object.setPrototypeOf(root, ShadowRoot.prototype);
    if (!roots.has(host)) roots.set(host, root);
    fresh.add(host);
  };
  // enclosing notes the closed roots that an element is in.
  const enclosing = (e) => {
    for (let root = rootOf(e); root instanceof ShadowRoot; root = rootOf(root.host)) if (root.mode === 'closed') add(root.host, root);
  };

  // hear takes elements with listeners, and the ids of elements that have none any more.
  const hear = (ids, gone, ...elements) => {
    for (const id of gone) {
      const e = heard.get(id)?.deref();
      if (e) fresh.add(e);
      heard.delete(id);
    }
    elements.forEach((e, i) => {
      if (typeOf(e) !== Node.ELEMENT_NODE || documentOf(e) !== document) return;
      own(e);
      heard.set(ids[i], new WeakRef(e));
      fresh.add(e);
      enclosing(e);
    });
  };

  // suspects returns the elements that may have a closed root: custom elements, and elements that
  // have a size and nothing in them.
  const mayHost = /^(ARTICLE|ASIDE|BLOCKQUOTE|DIV|FOOTER|H[1-6]|HEADER|MAIN|NAV|P|SECTION|SPAN)$/;
  const suspect = (e) => e instanceof HTMLFormElement ? false : e.localName.includes('-') ? !cleared.has(e) && !asked.has(e)
    : mayHost.test(e.nodeName) && !asked.has(e) && !e.firstElementChild && !e.textContent.trim() && e.offsetHeight > 7 && e.offsetWidth > 7;
  // elements goes through what may have a shadow root, in the document and in its shadow trees.
  // Chromium compares the names in this order, so the most frequent ones come first.
  const noHost = ':not(td,a,li,tr,option,path,button,i,b,br,th,label,input,img,em,strong,code,canvas,dd,dl,dt,form,g,iframe,' +
    'link,meta,ol,pre,script,select,small,style,svg,table,tbody,textarea,thead,ul,use)';
  const elements = function* (within, which = noHost) {
    for (const e of within.querySelectorAll(which)) {
      yield e;
      const root = roots.get(e) || shadowOf(e);
      if (root) yield* elements(root, which);
    }
  };
  const gather = (what) => {
    const found = [];
    for (const e of elements(document)) {
      const one = found.length < most && what(e, roots.get(e) || shadowOf(e));
      if (one) found.push(one);
    }
    return found.length ? found : null;
  };
  const suspects = (first) => {
    if (first) [asked, plain] = [new WeakSet(), 0];
    return gather((e, root) => {
      if (root || !suspect(e)) return;
      if (e.localName.includes('-')) {
        if (!e.matches(':defined')) asked.add(e); // it may get a root when it is defined
        return e;
      }
      if (plain >= maxPlain) return;
      asked.add(e);
      plain++;
      return e;
    });
  };
  // A custom element may say by its ElementInternals what it is, which no other script can see. unasked returns those
  // to ask DevTools about: some of each name, and all where one of that name has a role.
  const meanings = new WeakMap(), kinds = new Map(); // element -> its role and states; name -> elements asked, or Infinity
  const tries = 3;
  const mayMean = (e) => e.localName.includes('-') && !e.hasAttribute('role') && !(kinds.get(e.localName) >= tries && kinds.get(e.localName) < Infinity) && e.matches(':defined');
  const unasked = () => {
    const now = new Map();
    return gather((e) => {
      if (!mayMean(e)) return undefined;
      const n = (now.get(e.localName) || 0) + 1;
      now.set(e.localName, n);
      return kinds.get(e.localName) === Infinity || n <= tries ? e : undefined;
    });
  };
  const roles = /^(alert|alertdialog|article|banner|button|cell|checkbox|columnheader|combobox|dialog|grid|gridcell|group|heading|img|image|link|list|listbox|listitem|log|menu|menubar|menuitem|menuitemcheckbox|menuitemradio|meter|navigation|option|progressbar|radio|radiogroup|region|row|rowheader|scrollbar|search|searchbox|slider|spinbutton|status|switch|tab|table|tablist|tabpanel|textbox|timer|toolbar|tooltip|tree|treegrid|treeitem)$/;
  const mean = (told, ...elements) => elements.forEach((e, i) => {
    const m = told[i], has = roles.test(m.role), now = has ? JSON.stringify(m) : undefined;
    if (has) kinds.set(e.localName, Infinity);
    else if (kinds.get(e.localName) !== Infinity) kinds.set(e.localName, (kinds.get(e.localName) || 0) + 1);
    if (now === meanings.get(e)) return;
    fresh.add(e);
    if (has) meanings.set(e, now);
    else meanings.delete(e);
  });
  // meaning is the node of such an element.
  const meaning = (e) => {
    const told = meanings.get(e);
    if (!told) return undefined;
    const { role, name, value, states } = JSON.parse(told);
    const state = (v) => v === 'true' || v === true ? true : v === 'mixed' ? 'mixed' : v === 'false' || v === false ? false : undefined;
    const node = { role: role === 'image' ? 'img' : role, name: name || '', children: value !== null && value !== undefined && value !== '' ? [String(value)] : [], props: {} };
    for (const part of ['checked', 'pressed', 'expanded', 'selected', 'disabled']) if (part in states) node[part] = state(states[part]);
    if (role === 'heading') node.level = states.level;
    return node;
  };
  const shadows = () => gather((e, root) => root);
  // touch gives each element its object here, before DevTools makes one.
  const touch = () => { for (const e of elements(document, '*')) e.localName; };
  // look reports which of the two would answer anything.
  const look = () => {
    [asked, plain] = [new WeakSet(), 0];
    let suspected = false, shadowed = false, custom = false;
    for (const e of elements(document)) {
      const root = roots.get(e) || shadowOf(e);
      custom ||= mayMean(e);
      if (root) {
        shadowed = true;
        if (!hosts.has(e)) fresh.add(e);
        hosts.add(e);
      } else if (!suspected && suspect(e)) suspected = true;
    }
    return (suspected ? 's' : '') + (shadowed ? 'r' : '') + (custom ? 'c' : '');
  };
  const clear = (...hosts) => { for (const e of hosts) if (e.localName.includes('-') && e.matches(':defined')) cleared.add(e); };

  // open lets Playwright's walker see closed roots, and what a canvas holds for screen readers,
  // until the function that it returns is called. The page's own world sees neither.
  const open = () => {
    const undo = [];
    const define = (o, name, value) => { // fails for a form with a field of that name
      if (Reflect.defineProperty(o, name, { value, configurable: true })) undo.push(() => delete o[name]);
    };
    const painted = (root) => {
      for (const e of root.querySelectorAll('canvas *')) if (getComputedStyle(e).visibility === 'visible') define(e, 'checkVisibility', () => true);
    };
    painted(document);
    for (const [host, root] of roots) {
      if (!host.isConnected) roots.delete(host);
      else {
        define(host, 'shadowRoot', root);
        for (const slot of root.querySelectorAll('slot')) for (const n of slot.assignedNodes()) define(n, 'assignedSlot', slot);
        painted(root);
      }
    }
    listens = new WeakSet();
    above = new WeakSet();
    inners = new WeakMap();
    for (const [id, ref] of heard) {
      const e = ref.deref();
      if (!e) heard.delete(id);
      else if (e.isConnected) {
        listens.add(e);
        for (let up = upOf(e); up && !above.has(up); up = upOf(up)) above.add(up);
      }
    }
    return () => undo.forEach((f) => f());
  };

  // usable reports whether an element has a listener and no control in it that is used instead.
  // It holds for the items of a list whose listener is on the list, too.
  const maxText = 80;
  let inners = new WeakMap(); // element that listens -> whether it has no control in it: each item of a long list asks that of the list
  const inner = (e) => {
    if (!listens.has(e) || above.has(e) || e instanceof HTMLFormElement || /^(HTML|BODY)$/.test(e.nodeName)) return false;
    if (!inners.has(e)) inners.set(e, !e.querySelector(native));
    return inners.get(e);
  };
  // alike tells the items of a list by their class, or else by what their data is called.
  const alike = (a, b) => a.classList[0] || b.classList[0] ? a.classList[0] === b.classList[0]
    : Object.keys(a.dataset).length > 0 && Object.keys(a.dataset).join() === Object.keys(b.dataset).join();
  // twins tells the two items of a short list from an icon and its label.
  const says = (e) => !!e.textContent.trim();
  const twins = (a, b) => !!a.classList[0] && a.classList.value === b.classList.value && says(a) && says(b);
  const delegates = (e) => {
    const first = e.firstElementChild, last = e.lastElementChild;
    if (!first || first === last || first.nodeName !== last.nodeName) return false;
    if (/^(LI|TR|TD|DT)$/.test(first.nodeName)) return true;
    return e.childElementCount > 2 ? alike(first, last) : twins(first, last);
  };
  const usable = (e) => {
    if (!e) return false;
    if (inner(e)) {
      if (delegates(e)) return false;
      if (e.firstElementChild && e.textContent.trim().length > maxText) return false; // its texts are to be read, each on a line
      const r = e.getBoundingClientRect();
      return r.width > 0 && r.height > 0 && (!e.firstElementChild || r.width * r.height < innerWidth * innerHeight / 2 || !!e.ownerSVGElement);
    }
    const up = e.parentElement;
    return !!up && inner(up) && delegates(up);
  };
  // wraps reports whether an element has no listener, but something in it has.
  // news returns the elements with other listeners or roots than when it was asked last.
  const news = () => {
    const list = [...fresh];
    fresh.clear();
    return list;
  };
  const wraps = (e) => above.has(e) && !listens.has(e);
  return { hear, touch, look, suspects, unasked, mean, meaning, shadows, clear, add, open, usable, wraps, news, heard: (e) => listens.has(e) };
})())()
