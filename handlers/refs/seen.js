// seen.js finds what a person sees and can use, and Playwright's tree leaves out or leaves
// unnamed: SEEN in refs.js stands for what this function makes.
(own, childrenOf, parentOf, drawnFor) => {
  const style = (e) => getElementComputedStyle(e);
  const inControl = 'a[href], button, label, summary, option, [role=button], [role=link], [role=tab], [role=option], ' +
    '[role^=menuitem], [role=checkbox], [role=switch], [role=radio], [role=treeitem]';
  const handled = ['onclick', 'onmousedown', 'onmouseup', 'onpointerdown', 'onpointerup', 'ontouchstart', 'ondblclick', 'ng-click',
    '(click)', '@click', 'v-on:click', 'data-handler'];
  // These attributes say what happens, some of them on which event: "load->list#fill", "keydown@window->menu#close".
  // Without an event, a click is meant.
  const byHand = /^(click|dblclick|mousedown|mouseup|pointerdown|pointerup|touchstart|touchend|dragstart|drop|contextmenu)\b/;
  const presses = (value, eventIn) => value.trim().split(/[\s;]+/).some((one) => {
    const event = eventIn.exec(one)?.[1];
    return event === undefined ? !!one : byHand.test(event) && !/@(document|window)/.test(event);
  });
  const opens = (v) => !/^(tooltip|popover)$/.test(v); // those come by hovering
  const asks = (v, e) => e.nodeName !== 'FORM' && (e.getAttribute('hx-trigger') || 'click').split(',').some((one) => byHand.test(one.trim()));
  const meant = { 'data-action': (v) => presses(v, /^(.*)(?:->|:(?=[\w-]+#))/), jsaction: (v) => presses(v, /^(.*):/), 'data-toggle': opens, 'data-bs-toggle': opens,
    'hx-get': asks, 'hx-post': asks };
  const isHandled = (e) => handled.some((name) => e.hasAttribute(name)) ||
    Object.keys(meant).some((name) => e.hasAttribute(name) && meant[name](e.getAttribute(name), e));
  const calledButton = /(^|[\s_-])(btn|button|swatch|toggler?|expander|close|star|reply|trash|delete|remove|prev|next|handle|draggable)([\s_-]|$)/i;
  // lookAt returns an element that is asked for its box or its paint, which change without a mutation.
  const lookAt = (e) => {
    if (!e.ownerSVGElement) own.keep?.gazed.add(e);
    return e;
  };
  const rect = (e) => Element.prototype.getBoundingClientRect.call(e); // of a form whose fields have such names, too
  const hand = (e) => /^(pointer|grab|grabbing)$/.test(e && style(e)?.cursor || '');
  const text = (s) => (s || '').replace(/\s+/g, ' ').trim();
  // Letters of icon fonts say nothing: their code points are for private use.
  const glyphs = /[\ue000-\uf8ff\u{f0000}-\u{10fffd}]/gu, hasGlyph = /[\ue000-\uf8ff\udb80-\udbff]/;
  const glyphless = (s) => hasGlyph.test(s) ? text(s.replace(glyphs, ' ')) : s;
  const brief = (s) => text(s).slice(0, 1 << 16); // Go masks secrets in it, and cuts it then

  // isSummary tells what opens and closes a <details>.
  const isSummary = (e) => e.nodeName === 'SUMMARY' && e.parentElement?.nodeName === 'DETAILS' &&
    e === e.parentElement.querySelector(':scope > summary');

  // isWaiting tells a frame whose document has not come: it has only the empty one that each begins with.
  const isWaiting = (e) => {
    if (e.nodeName !== 'IFRAME' && e.nodeName !== 'FRAME' || e.hasAttribute('srcdoc') || !/^(?!about:|javascript:)./i.test(e.src)) return false;
    own.keep?.gazed.add(e);
    const d = e.contentDocument, body = d?.body;
    return !!d && d.URL === 'about:blank' && d.designMode !== 'on' && !body?.hasChildNodes() && !body?.attributes.length;
  };

  // isPlayer tells a video or a sound whose buttons the browser draws.
  const isPlayer = (e) => e instanceof HTMLMediaElement && e.controls;

  // isLive tells what speaks to the reader or stands in front of the page, whatever its role: a live region, a
  // popover, a toast. The outline of it is as ever; what an act tells begins with it.
  const calledToast = /(^|[\s_-])(toasts?|toaster|toastify|snackbar|flash|growl|noty|notification|notice)([\s_-]|$)/i;
  const isLive = (e) => {
    const live = e.getAttribute('aria-live'), called = e.getAttribute('class');
    return live ? live !== 'off' : e.hasAttribute('popover') || !!called && calledToast.test(called);
  };

  const isEditor = (e) => e.isContentEditable && !e.parentElement?.isContentEditable;

  // isRich tells an editor of words. In one of code, marks would be read as code. A rule of style changes formats
  // without a mutation, so it is always made again.
  const isRich = (e) => {
    if (!isEditor(e)) return false;
    own.keep?.always.add(e);
    return !/mono|courier|consol/i.test(style(e).fontFamily);
  };

  // marksOf are the marks of Markdown around what an element in a rich text sets off from the rest.
  const marksOf = (e) => {
    const tag = e.nodeName, s = style(e), around = parentOf(e) && style(parentOf(e));
    if (!s || !around || /^H[1-6]$/.test(tag) || !text(e.textContent)) return undefined;
    let before = '', after = '';
    const add = (open, close = open) => { before += open; after = close + after; };
    if (tag === 'BLOCKQUOTE') add('> ', '');
    if (s.display === 'list-item' && s.listStyleType !== 'none') add(s.listStyleType === 'decimal' ? `${nth(e)}. ` : '• ', '');
    if (s.fontWeight >= 600 && around.fontWeight < 600) add('**');
    if (s.fontStyle === 'italic' && around.fontStyle !== 'italic') add('*');
    if (s.textDecorationLine.includes('line-through')) add('~~');
    if (s.textDecorationLine.includes('underline') && tag !== 'A') add('<u>', '</u>');
    if (tag === 'PRE' || tag === 'CODE' && e.parentElement.nodeName !== 'PRE') add('`');
    return before && [before, after];
  };
  const nth = (e) => [...childrenOf(parentOf(e))].filter((o) => o.nodeName === e.nodeName).indexOf(e) + (parentOf(e).start || 1);

  // drawn is the text of a Monaco editor, whose lines are hidden from screen readers and stand beside
  // the field that takes what is typed.
  const drawn = (e) => {
    if (e.nodeName !== 'TEXTAREA' && e.getAttribute('role') !== 'textbox') return '';
    const editor = Element.prototype.closest.call(e, '.monaco-editor');
    if (!editor) return '';
    own.keep?.always.add(e);
    const lines = [...editor.querySelectorAll('.view-line')];
    return text(lines.sort((a, b) => rect(a).top - rect(b).top).map((l) => l.textContent).join('\n'));
  };

  // kin are the children of a parent that are of an element's kind: where the hand is the
  // parent's, each of them can be used.
  const kin = (e) => {
    const kind = (o) => o instanceof HTMLFormElement ? 'FORM ' : o.nodeName + ' ' + (o.getAttribute('class') || '').split(/\s+/)[0];
    const parent = e.parentElement, mine = kind(e);
    if (!parent || !/^(LI|TD|SPAN|I|A|IMG)$/.test(e.nodeName) && mine.endsWith(' ')) return false;
    own.keep?.kinds.set(parent, true);
    let kinds = kindsOf.get(parent);
    if (!kinds) {
      kindsOf.set(parent, kinds = new Map());
      for (const o of childrenOf(parent)) kinds.set(kind(o), (kinds.get(kind(o)) || 0) + 1);
    }
    return kinds.get(mine) > 1;
  };
  let kindsOf = new WeakMap(); // parent -> how often each kind is among its children
  const begin = () => {
    kindsOf = new WeakMap();
    drawings = new WeakMap();
    findGhosts();
  };

  // A ghost is the text that an editor without content shows. Some editors write it as an element, in the editor
  // or beside it.
  const fields = '[contenteditable]:not([contenteditable=false]), [role=textbox], textarea';
  const maxGhosts = 50;
  let ghosts = new Map(); // element -> its editor
  const findGhosts = () => {
    ghosts = new Map();
    for (const e of [...document.querySelectorAll('[class*=laceholder], [data-slate-placeholder]')].slice(0, maxGhosts)) {
      if (e instanceof HTMLFormElement || e.matches('input, textarea, select, ' + fields) || !text(e.textContent) || e.querySelector('a, button, input, textarea, ' + fields)) continue;
      let editor = e.closest(fields);
      for (let p = e.parentElement, n = 0; p && n < 3 && !editor; p = p.parentElement, n++) editor = p.querySelector(fields);
      if (editor) ghosts.set(e, editor);
    }
  };
  const isGhost = (e) => ghosts.has(e);
  const noWord = /^(true|false|null|undefined|none)$/;
  const ghostOf = (e) => {
    const own = ['placeholder', 'data-placeholder', 'aria-placeholder'].map((name) => e.getAttribute(name)).find((s) => s && !noWord.test(s));
    if (e.matches('input, textarea')) return e.value ? '' : own;
    let said = text(e.textContent), shown = '';
    for (const [ghost, editor] of ghosts) {
      if (editor !== e) continue;
      shown = text(ghost.textContent);
      if (e.contains(ghost)) said = text(said.replace(shown, ''));
    }
    return said.replace(/\u200b|\ufeff/g, '') ? '' : shown || own || e.querySelector(':scope > [data-placeholder]')?.getAttribute('data-placeholder');
  };

  // chosenIn is what is selected in an editor of several lines.
  const maxChosen = 80;
  const chosenIn = (e) => {
    const cut = (s) => s.length > maxChosen ? s.slice(0, maxChosen) + '…' : s;
    if (e.nodeName === 'TEXTAREA') return e === document.activeElement ? cut(text(e.value.slice(e.selectionStart, e.selectionEnd))) : '';
    const s = e.isContentEditable && getSelection();
    return s && !s.isCollapsed && e.contains(s.anchorNode) && e.contains(s.focusNode) ? cut(text(s.toString())) : '';
  };


  const clear = (colour) => !colour || colour === 'transparent' || /^rgba\(.*, 0\)$/.test(colour);

  // isPainted tells a box without a text that is drawn to be seen: a swatch, a square of a board.
  const isPainted = (e) => {
    if (e.childElementCount || text(e.textContent) || !/^(DIV|SPAN|I|LI|A|TD)$/.test(e.nodeName)) return false;
    const r = lookAt(e).getBoundingClientRect();
    if (r.width < 8 || r.height < 8 || r.width > 250 || r.height > 250 || Math.max(r.width / r.height, r.height / r.width) > 6) return false;
    const s = style(e);
    const icon = s.backgroundImage !== 'none' && e.getAttribute('class') && r.width <= 64 && r.height <= 64;
    if (!icon && !e.id && !Object.keys(e.dataset).length && !kin(e)) return false;
    return !clear(s.backgroundColor) || s.backgroundImage !== 'none' || parseFloat(s.borderTopWidth) > 0 && parseFloat(s.borderLeftWidth) > 0;
  };

  const isInControl = (e) => !!parentOf(e) && !!Element.prototype.closest.call(parentOf(e), inControl);

  // isDot reports whether a part of a drawing is too small to be seen, such as a slice of a closed pie.
  const isDot = (e) => {
    if (!e.ownerSVGElement) return false;
    const r = rect(e);
    return Math.max(r.width, r.height) < 2;
  };

  // isClickable tells elements that are made to be used, whatever their role.
  const isClickable = (e) => {
    if (isDot(e)) return false;
    if (isSummary(e) || isEditor(e)) return true;
    if (isHandled(e) || e.getAttribute('draggable') === 'true') return !lets(e);
    const tab = e.getAttribute('tabindex');
    if (tab !== null && (+tab >= 0 || e.closest('canvas'))) return !lets(e);
    if (e.nodeName === 'LABEL' || e.nodeName === 'OPTION') return false;
    const pierced = globalThis[Symbol.for('pwpipe.pierced')]; // handlers/agent/pierce.js
    return looksClickable(e, pierced) && !lets(e) && (pierced?.heard(e) || !isPlaceholder(e));
  };
  const looksClickable = (e, pierced) => {
    if (pierced?.heard(e) || pierced?.heard(e.parentElement)) lookAt(e);
    if (pierced?.usable(e) && !isInControl(e)) return true;
    if (hand(e)) return !hand(e.parentElement) && !pierced?.wraps(e) || kin(e) && !isInControl(e) && !isTile(e);
    if (e.nodeName === 'A' && !e.hasAttribute('href') && !e.name) return true;
    const named = e.childElementCount < 2 && text(e.textContent).length <= 40 && calledButton.test(e.getAttribute('class') || '');
    return (named && lookAt(e).getBoundingClientRect().width > 2 || isPainted(e) && !pierced?.usable(e.parentElement)) && !isInControl(e);
  };

  // lets reports whether an element lets clicks through. While a dialog is open, some pages have the body do so.
  const lets = (e) => style(e)?.pointerEvents === 'none' && style(document.body)?.pointerEvents !== 'none';

  // isTile tells a piece of a picture that is dragged as a whole, such as a map.
  const isTile = (e) => !e.childElementCount && !text(e.textContent) && !e.alt && style(e).position === 'absolute' &&
    (/^grab/.test(style(e).cursor) || Math.abs(rect(lookAt(e)).width - 256) < 2);

  // isPlaceholder tells what stands where something is still to come: nothing in it but boxes, which move, or are called so.
  const content = 'a[href], button, input, select, textarea, img, svg, canvas, video, audio, iframe, [role], [contenteditable]';
  const called = /(^|[\s_-])(skeleton|shimmer|placeholder)/i;
  const isPlaceholder = (e) => {
    if (text(e.textContent) || /^(CANVAS|VIDEO|AUDIO|IFRAME|IMG)$/.test(e.nodeName) || e.ownerSVGElement || e.shadowRoot || e.querySelector(content)) return false;
    if (Element.prototype.closest.call(e, '[aria-busy=true]')) return true;
    const parts = [e, ...[...e.querySelectorAll('*')].slice(0, 9)];
    for (let p = parentOf(e), n = 0; p && n < 4 && !text(p.textContent); p = parentOf(p), n++) parts.push(p);
    return parts.some((p) => called.test(p.getAttribute('class')) || p.matches('[data-slot=skeleton], [data-skeleton]') ||
      [undefined, '::before', '::after'].some((part) => pulses(getElementComputedStyle(p, part))));
  };
  const pulses = (s) => s?.animationName !== 'none' && s?.animationIterationCount === 'infinite';

  // shape says what kind of shape an element draws, that is there to be seen and nothing else: of
  // a drawing that is no icon, or a box of one colour.
  const graphics = /^(circle|ellipse|rect|line|polygon|polyline|path)$/;
  const maxShapes = 40, maxPaths = 24; // of a drawing; more paths are an illustration
  const shape = (e) => {
    const svg = e.ownerSVGElement, r = lookAt(e).getBoundingClientRect();
    if (svg && graphics.test(e.nodeName)) {
      let d = drawings.get(svg);
      if (!d) {
        const box = svg.getBoundingClientRect();
        d = { left: box.width < 48 || box.height < 48 || svg.closest(inControl) || isNamed(svg) ? 0 : maxShapes, paths: svg.querySelectorAll('path').length <= maxPaths };
        drawings.set(svg, d);
      }
      if (d.left < 1 || !d.paths && e.nodeName === 'path' || Math.max(r.width, r.height) < 2 || clear(paint(e))) return '';
      d.left--;
      return e.nodeName;
    }
    if (!/^(DIV|SPAN|I)$/.test(e.nodeName) || e.childElementCount || text(e.textContent)) return '';
    if (r.width < 8 || r.height < 8 || r.width > 250 || r.height > 250 || Math.max(r.width / r.height, r.height / r.width) > 6) return '';
    return clear(style(e).backgroundColor) || e.closest(inControl) || isPlaceholder(e) ? '' : 'box';
  };
  // isNamed reports whether a drawing has a name that says what it is, as a logo has.
  const isNamed = (svg) => !!svg.closest('[role=img][aria-label], [role=img][aria-labelledby], [role=img][title]') ||
    !!text(svg.getAttribute('aria-label')) || [...svg.children].some((c) => c.nodeName === 'title' && text(c.textContent)) ||
    !!svg.parentElement?.matches('[aria-label], [title]') && svg.parentElement.childElementCount === 1;
  let drawings = new WeakMap(); // SVG -> how many of its shapes are still shown
  const isFilled = (e, fill = style(e).fill) => e.nodeName !== 'line' && fill !== 'none' && !clear(fill);
  const paint = (e) => {
    const { fill, stroke } = style(e);
    return isFilled(e, fill) ? fill : stroke === 'none' ? '' : stroke;
  };
  // tint is the colour of a shape, and whether it is only that of its outline: then a person presses the line.
  const tint = (e) => (e instanceof SVGGeometryElement && e.nodeName !== 'line' && !isFilled(e) ? 'outline ' : '') + hex(paint(e));

  // The words of an element that has none: what its author called it.
  const told = ['data-testid', 'data-action', 'data-name', 'data-icon', 'data-value', 'data-color', 'data-index', 'data-id', 'data-tooltip', 'name', 'value'];
  const iconOf = (e) => {
    const use = e.querySelector('use'), href = use?.getAttribute('href') || use?.getAttribute('xlink:href') || '';
    if (href) return href.split('#').pop();
    const icon = e.matches('svg, i, img') ? e : e.querySelector('svg, i, img');
    if (!icon) return '';
    return icon.getAttribute('data-icon') || icon.getAttribute('title') || icon.querySelector('title')?.textContent ||
      (icon.getAttribute('src') || '').replace(/^data:.*/s, '').split(/[?#]/)[0].split('/').pop() || classHint(icon).join(' ');
  };
  // isMade tells a name that a program made: it says nothing, and is another one next time.
  const isMade = (name) => /^«|:r\w*:|_r_\w*_|^(react-aria|radix|headlessui|mui|mantine|ember|downshift|rc[-_]|ui-id).*\d/i.test(name) ||
    /^(css-[a-z\d]{4,8}(-|$)|sc-[a-z]+|jss\d+$|(jsx|svelte|emotion|astro|data-v|v|makeStyles-\w+|ng-c)-[\w-]*\d)/i.test(name) || isRandom(name);
  const isRandom = (name) => name.split(/[-_]+/).some((part) => part.length > 5 && (/^(?=.*\d)(?=.*[a-f])[\da-f]{7,}$/i.test(part) ||
    (part.match(/[a-z]\d(?=[a-z])|\d[a-z](?=\d)/gi) || []).length > 1 || part.length < 9 && (part.match(/[a-z][A-Z]/g) || []).length > 1));
  // Utility classes say how something looks, a property each.
  const utility = RegExp('[:[\\]/!@]|^-?([mpwhzgd]|[mp][xytrblse]|size|gap|space-[xy]|inset|top|left|right|bottom|order|col|row|(col|row)-span|basis|text|leading|' +
    'tracking|border|rounded|ring|opacity|duration|delay|scale|rotate|translate-[xy]|grid-cols|(min|max)-[wh]|fs|fw|lh)-\\d[\\w.%]*$|' +
    '-(px|auto|full|screen|fit|none|xs|sm|md|lg|xl|center|start|end|between|around|stretch|hidden|pointer|nowrap|wrap|transparent|current|white|black|inherit|' +
    'foreground|background|muted|(semi)?bold|medium|normal)$|^(text|bg|border|ring|fill|stroke)-[a-z]+-\\d+$');
  const utilities = new Set(/ /[Symbol.split]('flex grid block inline inline-block inline-flex hidden contents relative absolute fixed sticky static visible invisible truncate ' +
    'uppercase lowercase capitalize italic underline antialiased rounded border shadow ring outline transition transform filter grow shrink group peer ' +
    'flex-col flex-row transition-colors transition-all'));
  // classHint are the classes that say what an element is. Of a class of a CSS module that is its first part.
  const wordOf = (name) => name.replace(/^_([a-z][\w-]*?)_[\w-]{4,6}_\d+$/i, '$1').replace(/__(?=\w*(\d|[a-z][A-Z]))[\w-]{5,8}$/, '');
  const classHint = (e) => text(e.getAttribute('class')).split(' ').map(wordOf)
    .filter((one) => one && !utility.test(one) && !utilities.has(one) && !isMade(one)).slice(0, 3);
  const hex = (colour) => {
    const m = /^rgba?\((\d+), (\d+), (\d+)/.exec(colour);
    return m ? '#' + m.slice(1).map((n) => (+n).toString(16).padStart(2, '0')).join('') : colour;
  };
  // cellHint are those of an empty cell that another empty cell of its column lacks: they say what is drawn in it.
  const maxCompared = 24;
  const cellHint = (e) => {
    const own = classHint(e), row = parentOf(e), rows = childrenOf(parentOf(row)), cells = childrenOf(row), place = own.length ? [...cells].indexOf(e) : 0;
    const lacks = (o) => o && o !== e && !text(o.textContent) && own.some((one) => !o.classList.contains(one)) && classHint(o);
    const others = [];
    for (let i = 0; own.length && i < rows.length && i < maxCompared; i++) if (rows[i].childElementCount === cells.length) others.push(lacks(childrenOf(rows[i])[place]));
    return own.filter((one) => others.some((list) => list && !list.includes(one)));
  };
  const hint = (e, cell) => {
    const parts = [];
    const add = (s) => { if (s = brief(s)) parts.push(s); };
    if (e.ownerSVGElement) add(e.nodeName);
    if (e.id && !isMade(e.id)) add('#' + e.id);
    else {
      const name = told.find((n) => e.getAttribute(n) && !(n === 'value' && e.type === 'password'));
      if (name) add(name + '=' + e.getAttribute(name));
    }
    const icon = iconOf(e);
    if (icon) add('icon ' + icon);
    else if (parts.length < 2) add((cell ? cellHint(e) : classHint(e)).map((one) => '.' + one).join(''));
    const s = style(e);
    const colour = e.ownerSVGElement ? paint(e) : s.backgroundColor;
    lookAt(e);
    if (!clear(colour) && (e.ownerSVGElement || !e.childElementCount && !/^(BUTTON|INPUT|TEXTAREA|SELECT|CANVAS)$/.test(e.nodeName))) add(e.ownerSVGElement ? tint(e) : hex(colour));
    return parts.join(' ');
  };
  const box = (e) => boxOf(lookAt(e).getBoundingClientRect());
  const boxOf = (r) => `${Math.round(r.width)}x${Math.round(r.height)} at ${Math.round(r.x)},${Math.round(r.y)}`;

  // clipped says which part of an element can be seen if its ancestors hide its middle. A person
  // drags a handle by such an edge.
  const clipped = (e) => {
    const whole = rect(lookAt(e));
    let { left, top, right, bottom } = whole;
    for (let p = parentOf(e); p && p !== document.body; p = parentOf(p)) {
      const { overflowX, overflowY } = style(p), r = rect(p);
      if (/^(hidden|clip)$/.test(overflowX)) [left, right] = [Math.max(left, r.left), Math.min(right, r.right)];
      if (/^(hidden|clip)$/.test(overflowY)) [top, bottom] = [Math.max(top, r.top), Math.min(bottom, r.bottom)];
    }
    const x = (whole.left + whole.right) / 2, y = (whole.top + whole.bottom) / 2;
    const hidden = x < left || x > right || y < top || y > bottom;
    return hidden && right > left && bottom > top ? 'shows ' + boxOf(new DOMRect(left, top, right - left, bottom - top)) : '';
  };

  // ends are those of a line, whose box does not say which way it goes.
  const ends = (e) => {
    const at = e.getScreenCTM();
    const end = (n) => {
      const p = new DOMPoint(e[`x${n}`].baseVal.value, e[`y${n}`].baseVal.value).matrixTransform(at);
      return `${Math.round(p.x)},${Math.round(p.y)}`;
    };
    return at ? `${end(1)} to ${end(2)}` : box(e);
  };

  const formats = { date: 'date yyyy-mm-dd', time: 'time hh:mm', 'datetime-local': 'date and time yyyy-mm-ddThh:mm', month: 'month yyyy-mm',
    week: 'week yyyy-Www', color: 'colour #rrggbb', range: 'range', number: 'number', file: 'file' };
  const fieldNote = (e) => {
    const parts = [];
    if (e.nodeName === 'INPUT' && formats[e.type]) {
      const range = e.type === 'range', min = e.min || (range ? '0' : ''), max = e.max || (range ? '100' : '');
      const bounds = (min && max ? `${min} to ${max}` : min ? `from ${min}` : max ? `to ${max}` : '') + (e.step && e.step !== '1' ? ` step ${e.step}` : '');
      if (e.type !== 'number' || bounds) parts.push((formats[e.type] + ' ' + bounds).trim());
    }
    if (e.multiple) parts.push('several');
    if (e.accept) parts.push(brief(e.accept));
    if (e.readOnly && e.nodeName !== 'SELECT') parts.push('read only');
    return parts.join(', ');
  };

  const scrolls = (e) => {
    const s = style(e), overflow = s?.overflowY; // asked first: most elements have none
    if (overflow === 'hidden' ? !/^(auto|scroll)$/.test(s.overflowX) : overflow !== 'auto' && overflow !== 'scroll') return '';
    lookAt(e);
    const far = [];
    const add = (px, where) => { if (px > 4) far.push(`${Math.round(px)} px ${where}`); };
    if (overflow !== 'hidden' && e.scrollHeight - e.clientHeight >= 30 && e.clientHeight >= 30) {
      add(e.scrollHeight - e.clientHeight - e.scrollTop, 'below');
      add(e.scrollTop, 'above');
    }
    const left = Math.abs(e.scrollLeft); // it is negative where one reads from right to left
    if (/^(auto|scroll)$/.test(s.overflowX) && e.scrollWidth - e.clientWidth >= 30 && e.clientWidth >= 60 && !/^(PRE|CODE|TEXTAREA|INPUT)$/.test(e.nodeName) && !e.isContentEditable) {
      add(e.scrollWidth - e.clientWidth - left, 'further right');
      add(left, 'further left');
    }
    return far.length ? 'scrolls, ' + far.join(', ') : '';
  };

  // columns says how many columns of a grid are not in the document.
  const columnsOf = (e) => {
    const all = +e.getAttribute('aria-colcount');
    if (!(all > 0)) return '';
    const heads = e.querySelectorAll('[role=columnheader]').length || e.querySelector('[role=row]')?.childElementCount || 0;
    return heads && heads < all ? `${heads} of ${all} columns are in the document` : '';
  };

  // isSheet tells a drawing with parts, and what holds it alone: presses land beside the parts as well, and within it.
  const isSheet = (node) => node.children.some((c) => c.element?.ownerSVGElement || c.role === 'img' && node.children.length === 1 && isSheet(c));

  // note says of an element what its role and name don't.
  const note = (node, e, control) => {
    const parts = [];
    const add = (s) => { if (s) parts.push(s); };
    if (e.nodeName === 'CANVAS' || isPlayer(e)) add(box(e));
    else if (e.nodeName === 'PROGRESS' || e.nodeName === 'METER') add(e.hasAttribute('value') ? `${e.value} of ${e.max}` : '');
    else if (/^(progressbar|meter|slider|scrollbar)$/.test(node.role) && !('value' in e)) add(brief(e.getAttribute('aria-valuetext') || e.getAttribute('aria-valuenow')));
    if ('value' in e) add(fieldNote(e));
    if (e.nodeName === 'TEXTAREA' && !node.name) add('several lines');
    const ghost = control && brief(ghostOf(e));
    if (ghost && ghost !== node.name) add(`placeholder: ${ghost}`);
    const chosen = control && chosenIn(e);
    if (chosen) add(`selected: ${brief(chosen)}`);
    add(columnsOf(e));
    if (control && !node.name && !text(glyphless(e.textContent)) && !e.value && !node.children.some((c) => text(typeof c === 'string' ? c : c.name))) {
      add(hint(e, node.role === 'cell'));
      if (!e.ownerSVGElement) add(clipped(e));
    } else if (control && e.ownerSVGElement && paint(e) !== 'rgb(0, 0, 0)') add(tint(e));
    if (control && !e.ownerSVGElement && isSheet(node)) add(box(e));
    if (node.role === 'shape') add(e.ownerSVGElement ? `${e.nodeName} ${tint(e)}` : `box ${hex(style(e).backgroundColor)}`);
    if (control && e.ownerSVGElement || node.role === 'shape') add(e instanceof SVGLineElement ? ends(e) : box(e));
    const popup = e.getAttribute('aria-haspopup');
    if (control && popup && popup !== 'false' && node.role !== 'combobox') add(`opens a ${popup === 'true' ? 'menu' : popup}`);
    if (control && lets(e) && !node.disabled && !node.stand) add('takes no clicks');
    if (isWaiting(e)) add(e.loading === 'lazy' ? 'no document yet, it loads in view' : 'no document yet');
    add(scrolls(e));
    return parts.join(', ');
  };

  // named is what an element without a role is called, by what nobody reads off the page.
  const named = (e) => text(e.getAttribute('aria-label') || e.getAttribute('title') || e.getAttribute('alt') ||
    e.ownerSVGElement && [...e.children].find((c) => c.nodeName === 'title')?.textContent);

  // standIn is the label that a person clicks for a box to tick that has no size, or is out of the page or hidden. One
  // that has a line of its own, or holds something else to press, is none: an act on the box finds where to press.
  const standIn = (e, roleless) => {
    const s = e.nodeName === 'INPUT' && style(e);
    if (!s) return undefined;
    const hidden = !Element.prototype.checkVisibility.call(e, { visibilityProperty: true });
    if (hidden) own.keep?.always.add(e);
    else if (s.opacity !== '0' && s.position === 'static') return undefined; // boxes cost more than styles
    else if (hasSize(e) && rect(e).right + scrollX > 0 && rect(e).bottom + scrollY > 0) return undefined;
    const stand = drawnFor(e);
    const fits = stand?.nodeName === 'LABEL' && hasSize(stand) && !stand.hasAttribute('role') && !roleless(stand);
    return fits && !stand.querySelector('a[href], button, select, textarea') ? stand : undefined;
  };
  const hasSize = (e) => { const { width, height } = rect(e); return width > 0 && height > 0; };

  // isParked tells a menu or a drawer that waits where no scrolling leads to. What is used without being seen stays: a
  // field that takes keys or files, a text for screen readers.
  const used = 'input[type=file], input[type=checkbox], input[type=radio], textarea, [contenteditable], [aria-live], [role=status], [role=alert], [role=log]';
  const isParked = (e) => {
    const position = style(e)?.position;
    if (position !== 'fixed' && position !== 'absolute') return false;
    const alike = (o) => !!o && !!e.classList[0] && o.nodeName === e.nodeName && o.classList[0] === e.classList[0]; // a slide, a node that is panned
    if (alike(e.previousElementSibling) || alike(e.nextElementSibling)) return false;
    const r = rect(lookAt(e)), fixed = position === 'fixed', [x, y] = fixed ? [0, 0] : [scrollX, scrollY];
    const out = r.right + x <= 0 && style(document.documentElement).direction !== 'rtl' || r.bottom + y <= 0 || fixed && (r.left >= innerWidth || r.top >= innerHeight);
    if (!out || !r.width || !r.height || Node.prototype.contains.call(e, document.activeElement)) return false;
    if (!e.querySelector('a[href], button, [role=button], [role=tab], [role^=menuitem]') || e.querySelector(used)) return false;
    for (let p = parentOf(e); p && p !== document.body; p = parentOf(p)) if (p.scrollTop || p.scrollLeft) return p === document.documentElement;
    return true;
  };

  // isOnTop tells what is drawn above the rest, at its middle.
  const isOnTop = (e) => {
    const r = rect(e);
    if (r.width < 20 || r.height < 20 || e.nodeName === 'PWPIPE-LABELS') return false;
    const within = (v, size) => Math.max(0, Math.min(v, size - 1));
    const top = document.elementFromPoint(within(r.x + r.width / 2, innerWidth), within(r.y + r.height / 2, innerHeight));
    return !!top && Node.prototype.contains.call(e, top);
  };

  // covers finds what hides the page: an open modal dialog, or a fixed layer over most of it.
  const covers = () => {
    let list = [];
    try {
      list = [...document.querySelectorAll('dialog:modal, [aria-modal=true], :popover-open')];
    } catch { // a browser without popovers
      list = [...document.querySelectorAll('dialog[open], [aria-modal=true]')];
    }
    list = list.slice(0, 50).filter(isOnTop).slice(0, 5);
    if (list.length) return list;
    for (let e = document.elementFromPoint(innerWidth / 2, innerHeight / 2); e && e !== document.body; e = parentOf(e)) {
      const r = rect(e);
      if (style(e).position === 'fixed' && r.width >= innerWidth * 0.9 && r.height >= innerHeight * 0.9) return hides(e) ? [e] : [];
    }
    return [];
  };

  // hides tells a layer that stands over something from one that is all of the page.
  const hides = (layer) => {
    const stands = (e) => {
      const r = rect(e);
      return r.width > 1 && r.height > 1 && style(e).visibility === 'visible' && (!!text(e.textContent) || !!e.querySelector('a, button, input, img, svg, canvas, video'));
    };
    for (let e = layer; e && e !== document.body; e = parentOf(e)) {
      for (const o of parentOf(e) ? [...childrenOf(parentOf(e))].slice(0, 300) : []) if (o !== e && o.nodeName !== 'SCRIPT' && stands(o)) return true;
    }
    return false;
  };

  // blocks finds the one of them that keeps a person from the rest of the page, and what is above it all the same, such as
  // a message: a modal dialog, or one that is called so and, by looks, is.
  const blocks = (list) => {
    const box = list.find((e) => e.matches('dialog:modal')) || list.find((e) => e.getAttribute('aria-modal') === 'true' && veils(e));
    if (!box) return { above: [] };
    const inert = box.matches('dialog:modal'), above = [];
    for (let p = box; p && p !== document.body; p = parentOf(p)) {
      for (const o of parentOf(p) ? [...childrenOf(parentOf(p))].slice(0, 300) : []) {
        if (o === p || !/^(fixed|absolute)$/.test(style(o)?.position) || isVeil(o, box) || inert && !o.matches(':popover-open')) continue;
        if ([o, ...childrenOf(o)].slice(0, 9).some(isOnTop)) above.push(o);
      }
    }
    return { box, above };
  };
  const isVeil = (e, box) => {
    const r = rect(e);
    return e !== document.body && e !== document.documentElement && /^(fixed|absolute)$/.test(style(e).position) && r.width >= innerWidth * 0.95 && r.height >= innerHeight * 0.95 &&
      (e.contains(box) || !text(e.textContent));
  };
  // veils reports whether nearly all of the window is the dialog, or what is laid behind it.
  const veils = (box) => {
    let hits = 0;
    for (let i = 0; i < 25; i++) {
      let e = document.elementFromPoint(innerWidth * (0.1 + i % 5 * 0.2), innerHeight * (0.1 + Math.floor(i / 5) * 0.2));
      while (e && e !== box && !isVeil(e, box)) e = parentOf(e);
      if (e) hits++;
    }
    return hits >= 20;
  };

  // why says when the document began, and why there is nothing to see, or not all of it yet.
  const why = () => Math.floor(performance.timeOrigin) + ' ' + reason();
  const reason = () => {
    const body = document.body, loading = document.readyState === 'loading' ? 'the document is still loading' : '';
    if (!body) return loading || (document.documentElement ? 'the document has no body' : 'the document has no root element');
    if (loading || document.readyState !== 'complete') return loading || 'the document is there, and parts of it are still loading';
    if (location.href === 'about:blank' && !body.childElementCount) return 'the page is blank';
    const all = body.querySelectorAll('*').length;
    return all ? `none of the ${all} elements of the document can be seen` : 'the document is empty';
  };

  // loading says by what a document with scripts shows that it is only about to show something, '' if by nothing.
  const waitingWords = /\b(loading|initiali[sz]ing|please wait|one moment|just a (moment|second)|starting up|fetching|connecting)\b|\b\w+ing(\.\.\.|…)/i;
  const waitingClass = /(^|[-_ ])(skeletons?|spinner|shimmer|loader|loading|preloader)([-_ ]|$)/i;
  const loading = () => {
    const body = document.body;
    if (!body || !document.scripts.length) return '';
    const words = text(body.innerText);
    if (words.length < 300 && waitingWords.test(words)) return `it says "${words.slice(0, 60)}"`;
    const shown = (e) => Element.prototype.checkVisibility.call(e, { visibilityProperty: true, opacityProperty: true }) && hasSize(e);
    const busy = [...body.querySelectorAll('[aria-busy=true], [role=progressbar]:not([aria-valuenow]), progress:not([value]), ' +
      ['skeleton', 'spinner', 'shimmer', 'loader', 'loading'].map((name) => `[class*=${name} i]`).join())].slice(0, 200);
    const isField = (e) => e.closest('[class*=spinner i]:is(input, :has(input))'); // a spinner can also be a number with arrows
    const of = busy.find((e) => shown(e) && !isField(e) && (!e.hasAttribute('class') || e.matches('[aria-busy=true], [role=progressbar], progress') ||
      waitingClass.test(e.getAttribute('class')) && text(e.innerText).length < 40));
    if (of) return 'it shows ' + (/skeleton|shimmer/i.test(of.getAttribute('class')) ? 'skeletons' : of.matches('[aria-busy=true]') ? 'a part that is busy' : 'a spinner');
    const main = body.querySelector('main, [role=main], #root, #app, #__next') || !words && body;
    const drawn = 'img, svg, canvas, video, audio, input, textarea, select, button, iframe, frame, object, embed, [contenteditable], [tabindex]';
    return main && !text(main.innerText) && !main.querySelector(drawn) && !(main.shadowRoot || [...main.children].some((e) => e.localName.includes('-'))) ? 'its main part is empty' : '';
  };

  // suggests reports whether a field says that it offers suggestions.
  const maxTyping = 450; // milliseconds until they are there
  const suggests = (e) => !!e?.value && e.matches('input:is([autocomplete=off], [list], [role=combobox], [aria-autocomplete], [aria-controls], [aria-haspopup], [aria-owns])');

  // watch counts what changes in the document from now on; changed says whether anything did:
  // "no", "yes", or "new" of another document, "not yet" where the page may be about to, and
  // "not soon" of one that has drawn some frames since and may change later. Where the focus is
  // does not count. changes is how much changed that is rendered, in which document, and unwatch
  // ends it.
  // shows reports whether one of some changes is of something rendered: a hidden clock is no news.
  const rendered = (n) => {
    const e = n.nodeType === 1 ? n : n.parentElement ?? n.host;
    return !e || e.checkVisibility() || getComputedStyle(e).display === 'contents';
  };
  const shows = (records) => records.length > 20 || records.some((r) => rendered(r.target));

  const fewestFrames = 5, maxDrawing = 500;
  const watch = () => {
    own.watched?.end();
    const w = { count: 0, shown: 0, frames: 0 }, ending = new AbortController();
    const note = () => { w.count++; w.shown++; };
    w.take = (records) => { w.count += records.length; w.shown += shows(records); };
    w.observer = new MutationObserver(w.take);
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    const observe = (root) => {
      w.observer.observe(root, all);
      for (const e of root.querySelectorAll('*')) if (e.shadowRoot?.nodeType === 11) observe(e.shadowRoot); // a form may have a field of that name
    };
    observe(document);
    if (document.querySelector('canvas, video, embed, object')) w.count++; // what is painted there is not seen
    for (const kind of ['input', 'change', 'scroll', 'submit', 'toggle', 'play', 'pause']) {
      document.addEventListener(kind, note, { capture: true, passive: true, signal: ending.signal });
    }
    // Suggestions for what was typed come after a pause.
    const typed = (e) => { if (suggests(e.composedPath()[0])) w.typed = performance.now(); };
    document.addEventListener('input', typed, { capture: true, passive: true, signal: ending.signal });
    // What a link does begins outside of the page: only time tells.
    const clicked = (e) => {
      w.leads ||= e.composedPath().some((n) => n.localName === 'a' || n.localName === 'area');
      w.rest();
      w.draw();
    };
    // On a busy machine frames come late, and what a page does in them, too.
    const asks = (what) => own.asksFrame ? own.asksFrame(what) : requestAnimationFrame(what); // it is no frame of the page's
    const frame = () => ++w.frames < fewestFrames && asks(frame);
    w.draw = () => { w.drawn ??= performance.now(); if (!w.frames) asks(frame); };
    // An idle task comes after all others, and has fifty milliseconds, less where a timer or a
    // frame is due before.
    w.rest = () => { w.idle ??= globalThis.requestIdleCallback?.((t) => { w.rests = t.timeRemaining() > 45; w.idle = undefined; }); };
    document.addEventListener('click', clicked, { capture: true, passive: true, signal: ending.signal });
    const takes = (e) => { if (e.isTrusted) w.taken = e.composedPath()[0]; };
    for (const kind of ['pointerdown', 'click']) document.addEventListener(kind, takes, { capture: true, passive: true, signal: ending.signal });
    w.end = () => { w.observer.disconnect(); ending.abort(); own.watched = undefined; };
    own.watched = w;
    return '';
  };
  const changes = () => {
    if (!own.watched) {
      watch();
      if (suggests(document.activeElement)) own.watched.typed = performance.now(); // a script may have typed just now
    }
    own.watched.take(own.watched.observer.takeRecords());
    const typing = performance.now() - own.watched.typed < maxTyping ? ' ' + performance.now() : ''; // no two are the same
    return performance.timeOrigin + ' ' + own.watched.shown + typing;
  };
  const unwatch = () => { own.watched?.end(); return ''; };
  const changed = () => {
    const w = own.watched;
    if (!w) return 'new';
    w.take(w.observer.takeRecords());
    if (w.count) return 'yes';
    if (w.rests && !w.leads) return 'no';
    w.rest();
    w.draw();
    return w.frames < fewestFrames && performance.now() - w.drawn < maxDrawing ? 'not yet' : 'not soon';
  };

  // taker says on which element the last press of the mouse landed, and whether it asks for another act. takers are
  // that element and those around it: DevTools knows their listeners.
  const taker = (given, controls, asked) => {
    const e = own.watched?.taken;
    if (!e?.isConnected) return '';
    const known = (at) => { const g = given.get(at); return g && (controls.has(g.role) || g.clickable) ? g : undefined; };
    let at = e;
    while (at && !known(at)) at = parentOf(at);
    const plain = (s, most) => text(s).slice(0, most).replaceAll('[ref', '[ref ');
    const g = known(at) || given.get(e), name = g && plain(g.name, 80), words = plain(e.textContent, 40), id = plain(e.getAttribute('id'), 40);
    const said = g ? g.role + (name ? ` "${name}"` : '') + ` [ref=${g.ref}]` : `<${e.localName}${id ? ` id="${id}"` : ''}>` + (words ? ` "${words}"` : '');
    const up = (sel) => Element.prototype.closest.call(e, sel);
    const slides = up('input[type=range], [role=slider], [role=scrollbar]');
    const wants = slides ? 'slide' : up('[draggable=true]') && !up('a[href], button, [role=button]') ? 'drag' : '';
    let one;
    try { one = asked && document.querySelectorAll(asked); } catch { one = undefined; } // of Playwright's own kind
    return JSON.stringify({ said, wants, meant: one?.length === 1 && (one[0] === e || one[0] === at) });
  };
  const takers = () => {
    const list = [];
    for (let e = own.watched?.taken; e && !/^(BODY|HTML)$/.test(e.nodeName) && list.length < 5; e = parentOf(e)) list.push(e);
    return list;
  };
  own.takers ??= takers;

  return { begin, drawn, isLive, loading, taker, marksOf, isRich, isClickable, isEditor, isPlayer, isSummary, isWaiting, note, named, scrolls, shape, standIn, glyphless, isGhost, noWord, covers, blocks, isParked, why, watch, changed, changes, unwatch };
}
