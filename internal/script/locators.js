(native, scope) => {
  'use strict';
  // Locators with a RegExp, written as Playwright writes them: playwright-go
  // would take it through RE2, which lacks some of the language's, and leaves
  // quotes and flags as they are.
  const { protos, call, describe } = native, { define } = scope;
  const pattern = (re) => re.unicode ? `/${slashed(re)}/${re.flags}`
    : `/${slashed(re)}/${re.flags}`.replace(/(^|[^\\])(\\\\)*(["'`])/g, '$1$2\\$3').replace(/>>/g, '\\>\\>');
  const slashed = (re) => re.source.replace(/\\u002f/g, '\\/'); // the engine's own word for a slash
  const is = (v) => v instanceof RegExp;

  const attribute = (name) => (re) => `internal:attr=[${name}=${pattern(re)}]`;
  const byText = {
    getByText: (re) => `internal:text=${pattern(re)}`, getByLabel: (re) => `internal:label=${pattern(re)}`,
    getByAltText: attribute('alt'), getByTitle: attribute('title'), getByPlaceholder: attribute('placeholder'),
    // Only playwright-go knows which attribute is the test's.
    getByTestId: (re) => describe(call(native.page(), 'getByTestId', 'x')).replace(/^Locator@/, '').replace(/"x"\w/, () => pattern(re)),
  };
  const roleOptions = { checked: 'checked', disabled: 'disabled', expanded: 'expanded', includeHidden: 'include-hidden', level: 'level', pressed: 'pressed', selected: 'selected' };
  const byRole = (role, { name, exact, ...options }) => {
    let selector = `internal:role=${role}`;
    for (const [k, v] of Object.entries(options)) {
      if (!(k in roleOptions)) throw new TypeError(`getByRole: there is no option "${k}" here`);
      if (v !== undefined) selector += `[${roleOptions[k]}=${v}]`;
    }
    return `${selector}[name=${pattern(name)}]`;
  };
  // without takes the patterns out of a filter's options.
  const without = ({ hasText, hasNotText, ...options }) => {
    const selectors = [];
    if (is(hasText)) selectors.push(`internal:has-text=${pattern(hasText)}`); else if (hasText !== undefined) options.hasText = hasText;
    if (is(hasNotText)) selectors.push(`internal:has-not-text=${pattern(hasNotText)}`); else if (hasNotText !== undefined) options.hasNotText = hasNotText;
    return { selectors, options };
  };
  for (const c of ['Page', 'Frame', 'Locator', 'FrameLocator']) {
    const made = {};
    for (const [name, selector] of Object.entries(byText)) {
      const other = protos[c][name];
      made[name] = function (text, ...rest) { return is(text) ? locator.call(this, selector(text)) : other.call(this, text, ...rest); };
    }
    const { getByRole, locator, filter } = protos[c];
    made.getByRole = function (role, options) {
      return options && is(options.name) ? locator.call(this, byRole(role, options)) : getByRole.call(this, role, ...(options ? [options] : []));
    };
    const filtered = (first) => function (...args) {
      const last = args.length - 1;
      const { selectors, options } = without(args[last] && typeof args[last] === 'object' && !native.classOf(args[last]) ? args[last] : {});
      if (!selectors.length) return first.apply(this, args);
      return selectors.reduce((l, s) => protos.Locator.locator.call(l, s), first.call(this, ...args.slice(0, last), options));
    };
    made.locator = filtered(locator);
    if (filter) made.filter = filtered(filter);
    define(c, made);
  }
  // Routes take a predicate instead of what RE2 can't hold.
  const matching = (url) => is(url) && !native.re2(url) ? (u) => { url.lastIndex = 0; return url.test(u.href); } : url;
  scope.matching = matching;
}
