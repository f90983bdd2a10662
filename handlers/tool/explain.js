(elements, at, refOf) => {
  // refOf, where the document is asked past the driver, is the ref that an outline gave an element.
  const nth = at < 0 ? elements.length + at : at ?? 0;
  let el = elements[nth];
  if (!el) return document.documentElement ? 'absent' : 'absent\nthe document has no root element: a script removed it, or writes the document anew';
  // Pages may have replaced the methods of strings: none is used.
  // Formats an element as Playwright does, so that errors of both are the same.
  const cut = (s, most) => [...s].length > most ? [...s].slice(0, most - 1).join('') + '…' : s;
  const name = (e) => {
    const bare = /^(checked|selected|disabled|readonly|multiple)$/, empty = /^(area|base|br|col|command|embed|hr|img|input|keygen|link|menuitem|meta|param|source|track|wbr)$/;
    const given = [...e.attributes].filter((a) => a.name !== 'style').map((a) => ` ${a.name}` + (a.value || !bare.test(a.name) ? `="${a.value}"` : ''));
    const tag = e.localName, open = `<${tag}${cut(given.sort((a, b) => a.length - b.length).join(''), 500)}`;
    const plain = e.childNodes.length <= 5 && [...e.childNodes].every((n) => n.nodeType === 3);
    const all = empty.test(tag) ? `${open}/>` : `${open}>${plain ? cut(e.textContent, 50) : '…'}</${tag}>`;
    return /\t/g[Symbol.replace](/\n/g[Symbol.replace](all, '↵'), '⇆');
  };
  const shows = (e) => !e.checkVisibility || e.checkVisibility({ visibilityProperty: true });
  const boxOf = (e) => [...e.getClientRects()].find((r) => r.width && r.height);
  const other = elements.findIndex((e) => shows(e) && boxOf(e));
  const ref = other < 0 ? '' : refOf?.(elements[other]);
  const others = other < 0 ? '' : `\nof ${elements.length} matches this is nth=${nth}, and nth=${other} is visible${ref ? ` (${ref})` : ''}`;
  // What is pressed for a checkbox that is drawn by something else.
  const stand = (STAND_IN)(el), own = el;
  if (stand && !(shows(el) && boxOf(el))) el = stand;
  if (!shows(el)) return 'is not visible' + others;
  const box = boxOf(el);
  if (!box && !stand) return 'is not visible (it has no size)' + others;
  if (own.matches(':disabled') || own.closest('[aria-disabled="true"]')) return 'is disabled';
  if (el.readOnly) return 'is read-only';
  if (!box) return '';
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return '';

  // The element that Playwright would hit there. As in Playwright, it may be inside
  // el, or inside the button or link around it, or inside what stands for el.
  let hit = document.elementFromPoint(x, y);
  for (let inner; hit?.shadowRoot && (inner = hit.shadowRoot.elementFromPoint(x, y)) && inner !== hit;) hit = inner;
  const parent = (e) => e.parentElement ?? e.getRootNode().host;
  const within = (e, outer) => { while (e && e !== outer) e = parent(e); return !!e; };
  const target = el.closest('button, [role=button], a, [role=link]') ?? el;
  // The mouse is at no element then, whatever Playwright says.
  if (!hit || within(hit, target) || stand && within(hit, stand)) return document.pointerLockElement ? '\nthe page has locked the pointer (requestPointerLock)' : '';
  // What covers is named with its ref, and what in it would close it.
  const around = (e) => { for (let p = e; p; p = parent(p)) if (/^(fixed|absolute|sticky)$/.test(getComputedStyle(p).position) && !within(el, p)) return p; };
  const cover = () => {
    const dialog = Element.prototype.closest.call(hit, 'dialog, [role=dialog], [role=alertdialog], [aria-modal=true], :popover-open');
    const top = dialog && !within(el, dialog) ? dialog : around(hit) ?? hit;
    const called = (e) => cut(/\s+/g[Symbol.replace](e.getAttribute('aria-label') || e.innerText || e.title || e.value || '', ' ').trim(), 40);
    const at = (e) => { const ref = refOf?.(e); return ref ? ` (${ref})` : ''; };
    const closing = /^(close|dismiss|accept|accept all|agree|i agree|allow|allow all|got it|ok|okay|done|no thanks|not now|later|skip|cancel|reject|reject all|continue|hide|×|✕|✖|⨯|x)( |$)/i;
    const presses = [...top.querySelectorAll('button, [role=button], a, input[type=button], input[type=submit], [aria-label]')].filter((e) => shows(e) && boxOf(e));
    const closer = presses.find((e) => closing.test(called(e))) ?? presses.find((e) => /(^|[-_ ])(close|dismiss)([-_ ]|$)/i.test(e.className));
    const ways = [];
    if (closer) ways.push(`"${called(closer) || 'Close'}"${at(closer)}`);
    if (dialog) ways.push('Escape');
    const what = (dialog?.getAttribute('role') || dialog?.localName || 'layer') + (top.getAttribute('aria-label') ? ` "${cut(top.getAttribute('aria-label'), 40)}"` : '');
    const where = at(top) || (top === hit ? '' : at(hit));
    return (where || dialog ? `what covers it is the ${what}${where}` : '') + (ways.length ? `${where || dialog ? '; ' : ''}${ways.join(' or ')} may close it` : '');
  };
  let hint = '';
  try { hint = cover(); } catch { /* of a page that replaced the methods that it needs */ }
  return `is covered: ${name(hit)} intercepts pointer events` + (hint && '\n' + hint);
}
