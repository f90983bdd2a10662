// form finds the form of a log-in in one document, and types into it. It runs in a world of our
// own there, whose built-ins no page can change. It looks, checks and types in one go, so no
// other code runs in between.
function form(job) {
  const visible = (e) => {
    const r = e.getBoundingClientRect();
    return r.width > 1 && r.height > 1 && r.right + scrollX > 0 && r.bottom + scrollY > 0 &&
      e.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true });
  };
  const roots = [];
  const collect = (root) => {
    roots.push(root);
    for (const e of root.querySelectorAll('*')) if (e.shadowRoot) collect(e.shadowRoot);
  };
  collect(document);
  const all = (css) => roots.flatMap((root) => [...root.querySelectorAll(css)]);
  const words = (e) => [e.name, e.id, e.autocomplete, e.placeholder, e.getAttribute('aria-label'),
    ...[...(e.labels ?? [])].map((l) => l.textContent)].join(' ').toLowerCase();
  // A field's name can hide what its form has by the same name: action, for example.
  const of = (form, name) => Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, name).get.call(form);
  const fields = all('input').filter((e) => visible(e) && !e.disabled && !e.readOnly);
  const home = (e) => e.form ?? e.closest('[role=form], dialog, [role=dialog], main, section') ?? e.getRootNode();
  const texts = new Set(['text', 'email', 'tel', 'number', 'search', 'url']);
  const isCode = (e) => e.autocomplete === 'one-time-code' ||
    /\b(otp|totp|2fa|mfa)\b|one[ _-]?time|(verification|security|auth\w*|6-digit|six-digit|login)[ _-]?code|authenticator|passcode/.test(words(e));
  const isUser = (e) => texts.has(e.type) && e.type !== 'search' && !isCode(e) &&
    /user|e-?mail|login|account|identifier|phone|member/.test(words(e));

  // A form with one password logs in; a form with more sets a new password.
  const passwords = fields.filter((e) => e.type === 'password' && e.autocomplete !== 'new-password' && !isCode(e));
  const password = passwords.find((e) => fields.filter((o) => o.type === 'password' && home(o) === home(e)).length === 1);
  let user = null;
  if (password) {
    const before = fields.filter((e) => texts.has(e.type) && e.type !== 'search' && home(e) === home(password) &&
      e.compareDocumentPosition(password) & Node.DOCUMENT_POSITION_FOLLOWING);
    user = before.find(isUser) ?? before.at(-1) ?? null;
  } else if (!fields.some((e) => e.type === 'password')) {
    user = fields.find((e) => e.autocomplete.startsWith('username')) ?? fields.find(isUser) ?? null;
  }
  const short = fields.filter((e) => texts.has(e.type) || e.type === 'password');
  let codes = password ? [] : short.filter(isCode).slice(0, 1);
  // A code may have a field for each of its characters.
  const single = short.filter((e) => e.maxLength === 1);
  if (!password && single.length >= 4 && single.length <= 8) codes = single;
  const found = { user: user ? [user] : [], password: password ? [password] : [], code: codes };
  if (job.css) found[job.kind] = all(job.css).filter((e) => e instanceof HTMLInputElement && visible(e)).slice(0, 1);

  const ours = job.origins.includes(self.origin);
  // Where a form would send what is typed: a button may have a target and a method of its own.
  const action = (f, b) => b?.hasAttribute('formaction') ? b.formAction : of(f, 'action');
  const method = (f, b) => b?.hasAttribute('formmethod') ? b.formMethod : of(f, 'method');
  const elsewhere = (to) => {
    if (!to || /^(javascript|about):/i.test(to)) return '';
    const origin = URL.canParse(to) ? new URL(to).origin : to;
    return job.origins.includes(origin) ? '' : origin === 'null' ? to : origin;
  };
  const abroad = (e, b) => (e.form ? elsewhere(of(e.form, 'action')) : '') || (b?.hasAttribute('formaction') ? elsewhere(b.formAction) : '');
  // What was typed in this document, and why a form was kept from sending it.
  const kept = self.pwpipeTyped ??= { fields: new Map(), passwords: new Set(), judged: new WeakMap(), why: null };
  const holds = (e) => kept.fields.has(e) && e.value !== '';
  const clear = () => {
    for (const e of kept.fields.keys()) Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(e, '');
  };
  // A click activates what the page makes of it: the button around the element, or that of its label.
  // So the submission is judged where it happens, with the submitter that it has.
  const submits = (e) => {
    const f = e.target, b = e.submitter, typed = [...kept.fields.keys()].filter((i) => i.form === f && holds(i));
    if (!typed.length) return;
    const own = b && ['formaction', 'formmethod', 'formtarget', 'formenctype'].some((name) => b.hasAttribute(name));
    const away = elsewhere(action(f, b));
    if (away) kept.why = { abroad: away };
    else if (own && !kept.steps && kept.judged.get(f) !== b) kept.why = { other: true };
    else return;
    e.preventDefault();
    e.stopImmediatePropagation();
    clear();
  };
  // A script that sends the form itself has prevented the default by now.
  const submitted = (e) => {
    const f = e.target;
    if (e.defaultPrevented || method(f, e.submitter) !== 'get') return;
    if (![...kept.fields].some(([i, kind]) => kind === 'password' && i.form === f && holds(i))) return;
    kept.why = { get: true };
    e.preventDefault();
    clear();
  };
  // What is typed leaves its field neither by the clipboard nor with the mouse, and a password no
  // text of the document that has it: a part of it would not be recognised later.
  const stays = (e) => {
    const from = e.composedPath().find((i) => i instanceof HTMLInputElement);
    const text = (from ? from.value : e.composedPath()[0].textContent) ?? '';
    if (!(from && holds(from)) && ![...kept.passwords].some((p) => text.includes(p))) return;
    e.preventDefault();
    e.stopImmediatePropagation();
  };
  const watch = (root) => {
    root.addEventListener('submit', submits, true);
    if (root !== document) root.addEventListener('submit', submitted); // after all of the page's
    for (const type of ['copy', 'cut', 'dragstart']) root.addEventListener(type, stays, true);
  };
  const button = (e) => {
    const near = e.form ? [...of(e.form, 'elements'), ...Element.prototype.querySelectorAll.call(e.form, '[role=button], input[type=image]')]
      : [...(home(e).querySelectorAll?.('button, [role=button], input[type=submit]') ?? [])];
    const shown = near.filter((b) => b.matches('button, input[type=submit], input[type=image], [role=button]') &&
      visible(b) && b.type !== 'reset');
    const says = (b) => /log ?(in|on)|sign ?in|continue|next|submit|verify|confirm|anmelden|einloggen|weiter|connexion|connecter|suivant|iniciar|entrar|acceder|accedi|avanti/i
      .test(b.value + ' ' + b.textContent + ' ' + (b.getAttribute('aria-label') ?? ''));
    const submits = shown.filter((b) => b.type === 'submit' || b.type === 'image');
    return submits.find(says) ?? shown.find(says) ?? submits[0] ?? null;
  };
  const type = (e, value) => {
    e.focus();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(e, value);
    e.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText' }));
    e.dispatchEvent(new Event('change', { bubbles: true }));
    // Pictures show dots, whatever the page makes of the field.
    if (job.kind === 'password') e.style.setProperty('-webkit-text-security', 'disc', 'important');
  };
  const look = () => {
    const frames = all('iframe').filter((f) => { const r = f.getBoundingClientRect(); return visible(f) && r.width > 60 && r.height > 40; });
    const widget = frames.some((f) => /recaptcha|hcaptcha|turnstile|challenges\.cloudflare|arkoselabs|funcaptcha|geetest/.test(f.src) &&
      !/size=invisible/.test(f.src));
    const answers = all('[name=g-recaptcha-response], [name=h-captcha-response], [name=cf-turnstile-response]');
    const typed = fields.some((e) => texts.has(e.type) && /captcha/.test(words(e)) && !e.value);
    const text = (document.body?.innerText ?? '').slice(0, 20000);
    const wrong = all('[role=alert], [aria-live=assertive], .error, .alert, .flash-error, [class*=error-message]')
      .filter((e) => visible(e) && e.textContent.trim()).map((e) => e.innerText.trim())[0] ?? '';
    return { user: !!user, password: !!password, code: codes.length > 0, wrong: wrong.slice(0, 200),
      captcha: typed || widget && !answers.some((a) => a.value),
      push: /(approve|confirm|accept|tap)\b[^.]{0,80}\b(phone|app|device|notification|sign-?in)|check your (phone|device|authenticator)|sent (a|you a) (push|notification)/i.test(text) };
  };
  const done = { origin: self.origin, ours, ready: document.readyState === 'complete', ...kept.why };
  if (job.op === 'clear') clear();
  if (!ours) return done;
  const target = found[job.kind]?.at(-1);
  switch (job.op) {
    case 'look':
      return { ...done, ...look() };
    case 'type': {
      if (!target) return done;
      done.abroad = abroad(target, button(target));
      if (done.abroad) return done;
      const list = found[job.kind];
      if (!kept.watched) roots.concat(window).forEach(watch);
      kept.watched = true;
      kept.steps = !!job.css; // whoever keeps the log-ins has chosen what is clicked
      for (const e of list) kept.fields.set(e, job.kind);
      if (job.kind === 'password') kept.passwords.add(job.value);
      if (list.length > 1) list.forEach((e, i) => type(e, job.value[i] ?? ''));
      else type(target, job.value);
      return { ...done, did: true };
    }
    case 'send': {
      if (!target) return done;
      const b = button(target);
      done.abroad = abroad(target, b);
      if (done.abroad) clear();
      if (done.abroad || b?.disabled) return done;
      if (target.form) kept.judged.set(target.form, b);
      if (b) b.click();
      else if (target.form) HTMLFormElement.prototype.requestSubmit.call(target.form);
      else for (const name of ['keydown', 'keypress', 'keyup']) {
        target.dispatchEvent(new KeyboardEvent(name, { key: 'Enter', code: 'Enter', keyCode: 13, which: 13, bubbles: true, composed: true }));
      }
      return { ...done, ...kept.why, did: true };
    }
  }
  return done;
}
