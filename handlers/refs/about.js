(selectorOf) => {
  // What an element is known by: about describes it, so that again can find the one that
  // it became once its selector finds it no longer. getAriaRole and others are
  // Playwright's own functions.
  const longest = 200, maxNames = 2000, maxLooked = 20000;
  const flat = (s) => (s ?? '').replace(/\s+/g, ' ').trim();
  const short = (s) => flat(s).slice(0, longest);
  const textOf = (e) => short(elementText(new Map(), e).normalized);
  const nameOf = (e) => short(getElementAccessibleName(e, false));
  const labelOf = (e) => short(getElementLabels(new Map(), e)[0]?.normalized);

  const walk = function* (root) {
    let looked = 0;
    const within = function* (node) {
      for (const e of node.querySelectorAll('*')) {
        if (++looked > maxLooked) return;
        yield e;
        if (e.shadowRoot?.nodeType === 11) yield* within(e.shadowRoot);
      }
    };
    yield* within(root);
  };

  // others counts the elements of the same role and name, itself among them.
  const others = (e, role, name) => {
    let same = 0, names = 0;
    for (const o of walk(e.ownerDocument)) {
      if (!role || getAriaRole(o) !== role) continue;
      if (++names > maxNames) return maxNames;
      if (nameOf(o) === name) same++;
    }
    return same;
  };

  // Where an element stands: the words around it, and the heading above it.
  const around = (e, own) => {
    let up = e.parentElement, within = '';
    for (let i = 0; up && i < 6 && !within && up !== document.body; i++, up = up.parentElement) {
      within = short(elementText(new Map(), up).normalized.replace(own, ' '));
    }
    let heading = '';
    for (let n = e; n && !heading; n = n.parentElement) {
      for (let s = n.previousElementSibling; s && !heading; s = s.previousElementSibling) {
        const h = s.matches('h1,h2,h3,h4,h5,h6,legend') ? s : [...s.querySelectorAll('h1,h2,h3,h4,h5,h6,legend')].pop();
        if (h) heading = textOf(h);
      }
    }
    const beside = (next) => {
      for (let n = e, i = 0; n && i < 3; n = n.parentElement, i++) {
        for (let s = n[next]; s; s = s[next]) {
          const t = textOf(s);
          if (t) return t;
        }
      }
      return '';
    };
    return { within, heading, before: beside('previousElementSibling'), after: beside('nextElementSibling') };
  };

  const tagOf = (e) => e.nodeName.toLowerCase();
  const roleOf = (e) => getAriaRole(e) ?? '';
  const typeOf = (e) => e.nodeName === 'INPUT' ? e.type : '';
  // srcOf is what a frame shows, without what may be another one each time.
  const srcOf = (e) => {
    const src = e.getAttribute('src');
    if (!src || !/^I?FRAME$/.test(e.nodeName)) return '';
    try {
      const url = new URL(src, document.baseURI);
      return /^https?:/.test(url) ? short((url.origin === location.origin ? '' : url.origin) + url.pathname) : '';
    } catch {
      return '';
    }
  };
  const identity = (e) => ({
    tag: tagOf(e), role: roleOf(e), type: typeOf(e),
    testid: short(e.getAttribute('data-testid')), name: nameOf(e), label: labelOf(e), placeholder: short(e.getAttribute('placeholder')),
    text: textOf(e), id: short(e.getAttribute('id')), attr: short(e.getAttribute('name')),
    src: srcOf(e),
  });

  const about = (e) => {
    const d = identity(e);
    return { ...d, ...around(e, d.text), same: others(e, d.role, d.name) };
  };

  // alike is 1 for equal texts, else the share of words that two texts have in common.
  const words = (s) => new Set(s.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [s]);
  const alike = (a, b) => {
    if (a === b) return 1;
    const x = words(a), y = words(b);
    const common = [...x].filter((w) => y.has(w)).length;
    return Math.min(0.99, 2 * common / (x.size + y.size));
  };
  const near = 0.6; // less in common is another text

  // weights: what an equal part speaks for, and what one that became another speaks against.
  const weights = { testid: [6, 4], name: [4, 4], label: [3, 3], placeholder: [3, 2], text: [2, 2], id: [3, 0], attr: [3, 1], src: [5, 2] };

  const judge = (was, e) => {
    if (roleOf(e) !== (was.role ?? '') || typeOf(e) !== (was.type ?? '')) return null;
    if (!was.role && tagOf(e) !== was.tag) return null;
    const is = identity(e);
    let score = 0, core = false;
    for (const [part, [plus, minus]] of Object.entries(weights)) {
      if (!was[part] || !is[part]) continue;
      const like = alike(was[part], is[part]);
      if (part === 'src' && like >= near && like < 1) continue; // another of its kind
      if (like >= near) {
        score += plus * like;
        core = true;
      } else score -= minus;
    }
    return { e, is, score, core };
  };

  // standing compares where a candidate stands with where the recorded element did.
  const standing = (was, c) => {
    const now = around(c.e, c.is.text);
    let known = 0, same = 0;
    for (const part of ['within', 'heading', 'before', 'after']) {
      if (!was[part]) continue;
      known++;
      if (now[part] && alike(was[part], now[part]) >= near) same++;
    }
    return { now, known, same };
  };

  // renamed: the recorded element has other words. It has its id or test id, and all around
  // it is as it was.
  const renamed = (was, c) => {
    if (!c || !['id', 'testid'].some((part) => was[part] && was[part] === c.is[part])) return false;
    const { known, same } = standing(was, c);
    return known > 2 && same === known;
  };

  // place judges where a candidate stands. Of several that had one name only that counts.
  const place = (was, c) => {
    const { now, known, same } = standing(was, c);
    c.score += same;
    c.same = same;
    const strong = was.testid && was.testid === c.is.testid;
    c.placed = strong || !known || same > 0;
    if (was.same > 1 && was.within && !strong) c.placed = alike(was.within, now.within) >= near;
    return c;
  };

  const least = 5, margin = 2, maxNamed = 3;

  // again finds the one element that was described; matched is what the selector finds,
  // if anything. It answers {selector} for another element, {} where the selector is
  // right, and {why} where none or several may be meant, with those that are most like it.
  const again = (root, was, matched) => {
    const list = [];
    for (const e of walk(root)) {
      const c = judge(was, e);
      if (c && c.core && c.score > 0) list.push(c);
    }
    for (const c of list) place(was, c);
    list.sort((a, b) => b.score - a.score);
    const good = list.filter((c) => c.placed && c.score >= least && isElementVisible(c.e) || c.e === matched);
    const own = matched && list.find((c) => c.e === matched);
    const doubt = (why) => {
      const seen = list.filter((c) => isElementVisible(c.e)).slice(0, maxNamed);
      return { why, like: seen.map((c) => selectorOf(c.e)) };
    };
    const first = good[0], best = own ?? first;
    // It was the only one of its name, and now there is another at the same place, or beside it.
    const twin = (c) => c !== best && c.is.name === best.is.name && c.same >= best.same - 1 && isElementVisible(c.e);
    if (was.same === 1 && was.name && best && list.some(twin)) return doubt('more than one element is like it');
    if (own && own.placed && (first === own || own.score > first.score - margin)) return {};
    if (matched && !own && !first && !was.name && !was.text && !was.label && judge(was, matched)?.score >= 0) return {};
    if (matched && list.every((c) => c.e === matched) && renamed(was, judge(was, matched))) return {};
    const rival = list.find((c) => c !== first && c.score > (first?.score ?? 0) - margin);
    if (first && first.e !== matched && first.score >= least && !rival) return { selector: selectorOf(first.e) };
    if (rival && first) return doubt('more than one element is like it');
    return doubt(matched ? 'the selector finds another element now' : 'no element is enough like it');
  };
  return { about, again };
}
