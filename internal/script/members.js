(native, scope) => {
  'use strict';
  // Members whose arguments, or results, the two order or name differently.
  const { call, classOf } = native, { define, urlMatches } = scope;
  const both = {
    routeFromHAR(har, options) { return call(this, 'routeFromHAR', har, ...(options ? [options] : [])); },
    exposeBinding(name, fn, options) { return call(this, 'exposeBinding', name, fn, ...(options && options.handle ? [true] : [])); },
  };
  for (const c of ['Page', 'BrowserContext']) define(c, both);
  define('Page', {
    setViewportSize(size) { return call(this, 'setViewportSize', size.width, size.height); },
    frames() { return native.frames(this); },
    frame(o) {
      const { name, url } = typeof o === 'string' ? { name: o } : o || {};
      if (!name && !url) throw new Error('page.frame: either name or url matcher should be specified');
      return this.frames().find((f) => name ? f.name() === name : urlMatches(f.url(), url, this.url())) || null;
    },
  });
  define('Frame', { childFrames() { return this.page().frames().filter((f) => f.parentFrame() === this); } });
  define('BrowserContext', {
    cookies(urls) { return call(this, 'cookies', ...(urls === undefined ? [] : [].concat(urls))); },
    storageState(options) { return call(this, 'storageState', ...(options && options.path ? [options.path] : [])); },
    setGeolocation(g) { return call(this, 'setGeolocation', g); },
  });
  // contextOptions spells the options of a context as playwright-go does.
  const contextOptions = ({ storageState, recordHar, ...o } = {}) => {
    if (typeof storageState === 'string') o.storageStatePath = storageState;
    else if (storageState) o.storageState = storageState;
    if (recordHar) {
      const { path, content, mode, omitContent, urlFilter } = recordHar;
      Object.assign(o, { recordHarPath: path, recordHarContent: content, recordHarMode: mode, recordHarOmitContent: omitContent, recordHarURLFilter: urlFilter });
    }
    return o;
  };
  define('Browser', {
    newContext(o) { return call(this, 'newContext', contextOptions(o)); },
    newPage(o) { return call(this, 'newPage', contextOptions(o)); },
  });
  define('APIRequestContext', {
    storageState(options) { return call(this, 'storageState', ...(options && options.path ? [options.path] : [])); },
    fetch(urlOrRequest, options) { return call(this, 'fetch', urlOrRequest, ...(options ? [options] : [])); },
  });
  const choices = (values) => {
    if (values === null || values === undefined) return { valuesOrLabels: [] };
    const list = [].concat(values), out = {};
    const put = (k, v) => { (out[k] = out[k] || []).push(v); };
    for (const v of list) {
      if (typeof v === 'string') put('valuesOrLabels', v);
      else if (classOf(v) === 'ElementHandle') put('elements', v);
      else if (v.value !== undefined) put('values', v.value);
      else if (v.label !== undefined) put('labels', v.label);
      else put('indexes', v.index);
    }
    return out;
  };
  // getAttribute tells a missing attribute from an empty one.
  const attribute = (el, name) => el.getAttribute(name);
  for (const c of ['Page', 'Frame']) define(c, {
    selectOption(sel, values, o) { return this.locator(sel).first().selectOption(values, o); },
    setInputFiles(sel, files, o) { return this.locator(sel).first().setInputFiles(files, o); },
    getAttribute(sel, name, o) { return this.locator(sel).first().getAttribute(name, o); },
    dispatchEvent(sel, type, init, o) { return this.locator(sel).first().dispatchEvent(type, init, o); },
  });
  for (const c of ['Locator', 'ElementHandle']) define(c, {
    async selectOption(values, o) { return call(this, 'selectOption', choices(values), ...(o ? [o] : [])); },
    async setInputFiles(files, o) { return call(this, 'setInputFiles', files, ...(o ? [o] : [])); },
  });
  define('Locator', {
    getAttribute(name, o) { return this.evaluate(attribute, name, o); },
    dispatchEvent(type, init, o) { return call(this, 'dispatchEvent', type, init, ...(o ? [o] : [])); },
    page() { return call(this, 'page') },
    toString() { return native.describe(this); },
  });
  define('ElementHandle', { getAttribute(name) { return this.evaluate(attribute, name); } });
  // keyboard.type of playwright-go puts the text in, and the page hears no keys.
  define('Keyboard', {
    async type(text, options) {
      for (const c of String(text)) await (/[ -~\n\r]/.test(c) ? this.press(c, ...(options ? [options] : [])) : this.insertText(c));
    },
  });
  define('FileChooser', {
    async setFiles(files, o) { return call(this, 'setFiles', files, ...(o ? [o] : [])); },
  });
  define('Download', {
    async saveAs(path) { return call(this, 'saveAs', path); },
  });
  const stopTracing = (member) => async function (o) { return call(this, member, ...(o && o.path ? [o.path] : [])); };
  define('Tracing', { stop: stopTracing('stop'), stopChunk: stopTracing('stopChunk') });
  define('Video', { async saveAs(path) { return call(this, 'saveAs', path); } });

  // ---- Requests and replies.
  const json = { async json() { return JSON.parse(await this.text()); } };
  define('APIResponse', json);
  define('Response', {
    ...json,
    finished() { return call(this, 'finished').then(() => null, (e) => e); },
  });
  define('Request', {
    failure() { try { call(this, 'failure'); return null; } catch (e) { return { errorText: e.message }; } },
    postData() { const s = call(this, 'postData'); return s === '' ? null : s; },
    postDataBuffer() { const b = call(this, 'postDataBuffer'); return b && b.length ? b : null; },
    postDataJSON() {
      const s = this.postData();
      if (s === null) return null;
      return /application\/x-www-form-urlencoded/.test(this.headers()['content-type'] || '') ? Object.fromEntries(new URLSearchParams(s)) : JSON.parse(s);
    },
    headerValue(name) { return this.allHeaders().then((h) => h[name.toLowerCase()] ?? null); },
  });
  define('WebSocketRoute', {});
}
