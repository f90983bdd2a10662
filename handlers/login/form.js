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
  // Where a form would send what is typed: a button may have a target of its own.
  const abroad = (e, button) => {
    for (const to of [e.form ? of(e.form, 'action') : '', button?.hasAttribute('formaction') ? button.formAction : '']) {
      if (!to || /^(javascript|about):/i.test(to)) continue;
      const origin = URL.canParse(to) ? new URL(to).origin : to;
      if (!job.origins.includes(origin)) return origin;
    }
    return '';
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
  const done = { origin: self.origin, ours, ready: document.readyState === 'complete' };
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
      if (list.length > 1) list.forEach((e, i) => type(e, job.value[i] ?? ''));
      else type(target, job.value);
      return { ...done, did: true };
    }
    case 'send': {
      if (!target) return done;
      const b = button(target);
      done.abroad = abroad(target, b);
      if (done.abroad || b?.disabled) return done;
      if (b) b.click();
      else if (target.form) HTMLFormElement.prototype.requestSubmit.call(target.form);
      else for (const name of ['keydown', 'keypress', 'keyup']) {
        target.dispatchEvent(new KeyboardEvent(name, { key: 'Enter', code: 'Enter', keyCode: 13, which: 13, bubbles: true, composed: true }));
      }
      return { ...done, did: true };
    }
  }
  return done;
}
