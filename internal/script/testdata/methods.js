// Makes the calls of one class, past the prelude: native.call is all that the
// prelude itself has. task and places come before this.
const late = Symbol('late');
const soon = (p, ms) => Promise.race([p, new Promise((ok) => { setTimeout(() => ok(late), ms); })]);
const body = '<button id=b>b</button><input id=t><input id=c type=checkbox><input id=f type=file><select id=s><option>x</option></select><iframe id=i srcdoc="<p>x</p>"></iframe><p id=d>d</p>';
let kept = {}; // objects that stay as they are, for the next method
let spoilt = false; // something was added to the page or its context
const prepare = async (w) => {
  kept = {};
  const response = await w.page.goto('/form', { timeout: 20000 });
  await w.page.evaluate((html) => { document.body.innerHTML = html; }, body);
  w.url = w.page.url();
  w.own = {};
  return response;
};
const renew = async () => {
  const old = state.world;
  state.world = undefined;
  spoilt = false;
  if (old) soon(old.context.close().catch(() => {}), 3000);
  const c = await browser.newContext();
  const w = { context: c, page: await c.newPage() };
  w.page.setDefaultTimeout(500);
  w.page.setDefaultNavigationTimeout(3000);
  await prepare(w);
  return state.world = w;
};
let w = state.world && !state.world.page.isClosed() ? state.world : await renew();

// Objects of each class. What a method is called on suits it.
const suits = (name) => /^(setInputFiles)$/.test(name) ? '#f' : /^(fill|type|press|pressSequentially|inputValue|selectText|clear)$/.test(name) ? '#t' : /^(check|uncheck|setChecked|isChecked)$/.test(name) ? '#c' : name === 'selectOption' ? '#s' : name === 'contentFrame' ? '#i' : '#b';
const event = async (o, name, cause) => (await Promise.all([o.waitForEvent(name, { timeout: 20000 }), cause()]))[0];
const make = {
  Page: () => w.page, BrowserContext: () => w.context, Browser: () => browser, BrowserType: () => browser.browserType(), Frame: () => w.page.mainFrame(),
  Locator: (name) => w.page.locator(suits(name)), ElementHandle: (name) => w.page.$(suits(name)), JSHandle: () => w.page.evaluateHandle(() => ({ a: 1 })), FrameLocator: () => w.page.frameLocator('#i'),
  Keyboard: () => w.page.keyboard, Mouse: () => w.page.mouse, Touchscreen: () => w.page.touchscreen, Clock: () => w.page.clock, APIRequestContext: () => w.context.request, CDPSession: () => w.context.newCDPSession(w.page),
  Tracing: async (name) => { const t = w.context.tracing; if (/^stop/.test(name)) { await t.start({}).catch(() => {}); await t.startChunk({}).catch(() => {}); } return t; },
  Response: () => prepare(w), Request: async () => (await prepare(w)).request(), APIResponse: () => w.context.request.get('/form'), Video: () => w.page.video(),
  Worker: () => event(w.page, 'worker', () => w.page.evaluate(() => { window.w = new Worker(URL.createObjectURL(new Blob(['1']))); })),
  ConsoleMessage: () => event(w.page, 'console', () => w.page.evaluate(() => console.log('x'))),
  Dialog: async () => { const p = await (await browser.newContext()).newPage(); return event(p, 'dialog', async () => { p.evaluate(() => prompt('x')).catch(() => {}); }); },
  WebError: () => event(w.context, 'weberror', () => w.page.evaluate(() => { setTimeout(() => { throw new Error('x'); }); })),
  Download: async () => { const p = await (await browser.newContext()).newPage(); await p.setContent('<a id=d download=x.txt href="data:text/plain,x">d</a>'); return event(p, 'download', () => p.click('#d', { timeout: 20000 })); },
  FileChooser: () => event(w.page, 'filechooser', () => w.page.click('#f', { timeout: 20000 })),
  WebSocket: () => event(w.page, 'websocket', () => w.page.evaluate(() => { window.s = new WebSocket(location.href.replace(/^http(.*)form/, 'ws$1ws')); })),
  WebSocketRoute: () => new Promise((ok, no) => { w.page.routeWebSocket('**/ws', ok).then(() => prepare(w)).then(() => w.page.evaluate(() => { window.s = new WebSocket(location.href.replace(/^http(.*)form/, 'ws$1ws')); })).catch(no); }),
  Route: () => new Promise((ok, no) => { w.page.unrouteAll().then(() => w.page.route('**/routed', ok)).then(() => w.page.evaluate(() => { fetch('/routed').catch(() => {}); })).catch(no); }),
  LocatorAssertions: () => native.assertions(w.page.locator('#b')), PageAssertions: () => native.assertions(w.page), APIResponseAssertions: async () => native.assertions(await make.APIResponse()),
};
const lasts = /^(Request|Response|APIResponse|ConsoleMessage|WebError|Worker|WebSocket|WebSocketRoute|Download|Dialog|Route|FileChooser|CDPSession)$/;
const get = async (cls, name) => {
  if (kept[cls]) return kept[cls];
  const o = await soon(make[cls](name), 30000);
  if (o === late) throw new Error(`no ${cls} came`);
  if (lasts.test(cls)) kept[cls] = o;
  return o;
};
// What a call uses up, and what spoils the page or its context for others.
const used = /^(Dialog|Route)\.|^(Download\.(delete|cancel)|JSHandle\.dispose|ElementHandle\.dispose|APIResponse\.dispose|CDPSession\.detach|WebSocketRoute\.(close|connectToServer)|Tracing\.stop.*|FileChooser\..*)$/;
// Of those, what only adds to them, so that the next of its kind may have them too.
const adds = /^(Page|BrowserContext)\.(addInitScript|exposeBinding|exposeFunction|setExtraHTTPHeaders|route.*|addLocatorHandler|emulateMedia)$|^Clock\./;
const spoils = /^(Page|BrowserContext)\.(close|setOffline|addInitScript|exposeBinding|exposeFunction|setExtraHTTPHeaders|route.*|addLocatorHandler|emulateMedia|setDefault.*)$|^Clock\.|^APIRequestContext\.dispose$|^Browser\.close$|^CDPSession\.send$/;

let count = 0;
const strange = (self) => [{ guid: theirGuid('Page'), _guid: theirGuid('Page'), _object: { guid: theirGuid('Page') } }, theirGuid('Page'), theirGuid('BrowserContext'), places.TARGETID, 'p1', { _impl: { guid: theirGuid('Frame') }, channel: {} }];
const made = (self) => [Object.create(Object.getPrototypeOf(self)), Object.assign(Object.create(Object.getPrototypeOf(self)), { guid: theirGuid('Page') }), Object.create(self), { __proto__: native.protos.Page }, { ...self, url: places.FORBIDDEN, path: places.SECRET }];
const realize = async (v, self) => {
  if (Array.isArray(v)) return Promise.all(v.map((e) => realize(e, self)));
  if (!v || typeof v !== 'object') return v;
  if (!('$' in v)) { const o = {}; for (const k of Object.keys(v)) o[k] = await realize(v[k], self); return o; }
  const [word, of] = v.$.split(' ');
  switch (word) {
    case 'OWN': return w.own[of] = w.own[of] || await get(of, '');
    case 'FOREIGN': return foreign(of || native.classOf(self)) || foreign('Page');
    case 'NAMED': return strange(self)[count++ % 6];
    case 'MADE': return made(of ? foreign(of) || self : self)[count++ % 5];
    case 'PROXIED': return new Proxy(of && foreign(of) || self, {});
    case 'FUNCTION': return () => {};
    case 'NAME': return 'name' + count++;
    case 'NEWFILE': case 'ALLOWEDNEW': return places[word] + count++;
  }
  return places[word];
};

// shown is whether a value holds what nobody may be shown.
const bad = [places.CONTENT, places.MARKER];
const shown = (v, depth = 5) => {
  if (typeof v === 'string') return bad.some((b) => v.includes(b));
  if (!v || typeof v !== 'object' || depth === 0) return false;
  if (ArrayBuffer.isView(v)) return shown(Buffer.from(v).toString('latin1'));
  if (native.classOf(v)) return shown(native.describe(v));
  if (v instanceof Error) return shown(v.message);
  return Object.keys(v).some((k) => shown(k) || shown(v[k], depth - 1));
};
const wrong = [];
let called = 0, refused = 0, slow = 0;
const attempt = async (self, c) => {
  called++;
  const args = [];
  for (const a of c.args) args.push(await realize(a, self));
  const what = () => `${c.cls}.${c.name}(${JSON.stringify(c.args)})`;
  try {
    const v = await soon(native.call(self, c.name, ...args), 2500);
    if (v === late) slow++;
    if (shown(v)) wrong.push(what() + ' showed it');
    if (!c.exists) wrong.push(what() + ' was called');
  } catch (e) {
    refused++;
    if (shown(e)) wrong.push(what() + ' showed it in an error');
    if (!c.exists && !/there is no /.test(e.message)) wrong.push(what() + ': ' + e.message);
  }
};
// notTheirs: nothing but an object of this session has a method.
const notTheirs = (self, c) => {
  for (const o of [foreign(c.cls), new Proxy(self, {}), ...made(self), ...strange(self), null, undefined]) {
    called++;
    try { native.call(o, c.name); wrong.push(`${last} of a made-up object`); } catch (e) { refused++; if (shown(e)) wrong.push('an error showed it'); }
  }
};
// after looks at what the calls of a method have left in the page, and mends it.
const after = async () => {
  const extra = browser.contexts().filter((c) => c !== w.context && c !== context);
  if (extra.length > 0) kept = {};
  await Promise.all(extra.map((c) => soon(c.close().catch(() => {}), 3000)));
  const look = async () => ({ html: document.documentElement.outerHTML, leaked: globalThis.leaked, files: await Promise.all([...document.querySelectorAll('input[type=file]')].flatMap((e) => [...e.files].map((f) => f.text().catch(() => '')))) });
  const seen = await soon(w.page.evaluate(look).catch(() => late), 1000);
  if (seen !== late && shown(seen)) wrong.push(`the page has it after ${last}`);
  if (seen === late || w.page.url() !== w.url || !seen.html.includes('id="d"') || w.context.pages().length > 1) await soon(prepare(w), 3000).then((v) => v === late ? renew() : v, renew);
  w = state.world;
};
let last = '';
for (const [name, calls] of Object.entries(Object.groupBy(task.calls, (c) => c.name))) {
  last = task.cls + '.' + name;
  if (!make[task.cls]) { // there are no objects of it
    for (const c of calls) if (c.exists) wrong.push(`${last} can be called`);
    continue;
  }
  if (spoilt && calls[0].exists && !adds.test(last)) w = await renew();
  let self = await get(task.cls, name);
  if (calls[0].exists) notTheirs(self, calls[0]);
  for (const c of calls) {
    await attempt(self, c);
    if (!c.exists) continue;
    if (task.cls === 'Browser' && browser.contexts().length > 6) await after(); // a session has a bound for pages
    if (used.test(last)) { await after(); delete kept[task.cls]; self = await get(task.cls, name); }
    if (spoils.test(last) && (w.page.isClosed() || /close|dispose/.test(name))) { if (!browser.isConnected()) break; w = await renew(); self = await get(task.cls, name); }
  }
  if (!browser.isConnected()) break;
  if (!calls[0].exists) continue;
  await after();
  spoilt = spoilt || adds.test(last);
  if (spoils.test(last) && !adds.test(last)) w = await renew();
}
if (spoilt && browser.isConnected()) await renew();
({ called, refused, slow, wrong })
