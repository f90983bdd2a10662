// A tour of all that a script can get hold of: each(path, value) is called with
// what it finds; variants are how many sorts of objects calls are tried with.
const tour = async (each, variants = 8) => {
  const take = async (path, fn, most = 3000) => {
    try { const v = await Promise.race([fn(), new Promise((ok) => { setTimeout(ok, most); })]); each(path, v); return v; } catch (e) { each(path + ' threw', e); each(path + ' threw: stack', e && e.stack); }
  };
  // What is given to functions of the script's.
  const fn = (path, result) => function (...args) { each(path + ' this', this); args.forEach((a, i) => each(`${path} argument ${i}`, a)); return typeof result === 'function' ? result.apply(this, args) : result; };
  // What is given to an object that tells of all that is asked of it.
  const told = (path, target = {}) => new Proxy(target, Object.fromEntries(Reflect.ownKeys(Reflect).filter((k) => typeof k === 'string').map((k) => [k, (...args) => { args.forEach((a, i) => each(`${path} ${k} ${i}`, a)); return Reflect[k](...args); }])));

  page.setDefaultNavigationTimeout(2000);
  await page.goto('/form');
  await page.setContent(`<iframe srcdoc="<p>in</p>"></iframe><input type=file><button onclick="console.log('hi', {a: 1}, document)">b</button>
    <a id=d download=x.txt href="data:text/plain,x">d</a><a id=p target=_blank href="about:blank">p</a><select><option>o</option></select><input id=t>`);
  const all = { page, context, browser };
  for (const name of ['keyboard', 'mouse', 'touchscreen', 'request', 'clock', 'accessibility', 'coverage']) all[name] = await take('page.' + name, () => page[name]);
  all.tracing = await take('context.tracing', () => context.tracing);
  all.type = await take('browserType', () => browser.browserType());
  all.frame = await take('mainFrame', () => page.mainFrame());
  all.locator = await take('locator', () => page.locator('button'));
  all.frameLocator = await take('frameLocator', () => page.frameLocator('iframe'));
  all.element = await take('$', () => page.$('button'));
  all.handle = await take('evaluateHandle', () => page.evaluateHandle(() => ({ a: [1, { b: 2 }] })));
  all.properties = await take('getProperties', () => all.handle.getProperties());
  all.cdp = await take('cdp', () => getCDPSession({ page }));
  all.video = await take('video', () => page.video());
  all.response = await take('goto', () => page.goto('/form'));
  all.navigation = await take('request of a response', () => all.response.request());
  all.api = await take('fetched', () => context.request.get('/form'));
  all.fetched = await take('fetch', () => fetch('/form'));
  all.headers = await take('allHeaders', () => all.response.allHeaders());
  all.security = await take('securityDetails', () => all.response.securityDetails());
  all.timing = await take('timing', () => all.navigation.timing());
  all.state = await take('storageState', () => context.storageState());
  all.cookies = await take('cookies', () => context.cookies());
  all.box = await take('boundingBox', () => page.locator('form').first().boundingBox());
  all.shot = await take('screenshot', () => page.screenshot());
  all.expect = await take('expect', () => expect(page.locator('h1')));
  await take('expect.not', () => all.expect.not);
  await take('expect of a page', () => expect(page));
  await take('expect of an answer', () => expect(all.api));
  await take('expect of a value', () => expect(1));
  await take('a failing expect', () => expect(1).toBe(2));
  await take('expect.any', () => expect.any(fn('expect.any')));
  await take('asymmetric', () => expect({ a: 1 }).toEqual({ a: { $asymmetric: fn('asymmetric', true) } }));
  await take('poll', () => expect.poll(fn('poll', 1), { timeout: 50 }).toBe(1));
  await take('toPass', () => expect(fn('toPass')).toPass({ timeout: 50 }));
  await take('snapshot', () => accessibilitySnapshot({}));
  await take('debugger', () => createDebugger({ page }));
  await take('editor', () => createEditor({ page }));
  await take('a debugger of another session', () => createDebugger({ cdp: {} }));

  // Events and what they bring.
  for (const o of [page, context]) for (const e of ['console', 'dialog', 'download', 'filechooser', 'frameattached', 'framenavigated', 'load', 'pageerror', 'popup', 'page', 'request', 'response', 'requestfinished', 'requestfailed', 'websocket', 'weberror', 'worker', 'nothing', '__proto__', 'constructor']) {
    await take(`on ${e}`, () => o.on(e, fn(`event ${e}`, (v) => { if (v && v.dismiss) v.dismiss(); })));
  }
  await page.setContent(`<button onclick="console.log('hi', {a: 1})">b</button><input type=file><a id=d download=x.txt href="data:text/plain,x">d</a><a id=p target=_blank href="about:blank">p</a>`);
  await take('click', () => page.click('button'));
  await take('console', () => Promise.all([page.waitForEvent('console', { timeout: 5000 }), page.evaluate(() => console.log([1], { a: {} }, window))]));
  await take('dialog', () => page.evaluate(() => { alert('x'); }));
  await take('pageerror', () => Promise.all([page.waitForEvent('pageerror', { timeout: 5000 }), page.evaluate(() => { setTimeout(() => { throw new TypeError('boom'); }); })]));
  const [chooser] = await Promise.all([page.waitForEvent('filechooser', { timeout: 30000 }), page.click('input')]);
  await take('chooser', () => chooser);
  await take('setFiles', () => chooser.setFiles(told('setFiles', [{ name: 'a', mimeType: 'b', buffer: Buffer.from('x') }])));
  const [download] = await take('downloaded', () => Promise.all([page.waitForEvent('download', { timeout: 30000 }), page.click('#d')]), 30000);
  each('download', download);
  await take('download.path', () => download.path());
  const [popup] = await take('opened', () => Promise.all([page.waitForEvent('popup', { timeout: 30000 }), page.click('#p')]), 30000);
  await take('popup.opener', () => popup.opener());
  await take('popup.close', () => popup.close());
  await take('worker', () => Promise.all([page.waitForEvent('worker', { timeout: 5000 }), page.evaluate(() => { window.w = new Worker(URL.createObjectURL(new Blob(['1']))); })]));
  await take('workers', () => page.workers());
  await take('routeWebSocket', () => page.routeWebSocket(/ws/, fn('websocket route', (r) => { r.onMessage(fn('onMessage')); r.send('x'); })));
  await take('a websocket', () => page.evaluate(() => new Promise((ok) => { const s = new WebSocket('ws://127.0.0.1:9/ws'); s.onmessage = () => { s.send('y'); setTimeout(() => { s.close(); ok(); }, 50); }; s.onclose = ok; })));
  await take('exposeFunction', () => page.exposeFunction('given' + Date.now(), fn('exposed', 1)));
  await take('exposeBinding', () => page.exposeBinding('bound', fn('bound', 1)).then(() => page.evaluate(() => bound({ a: 1 }, [2]))));
  await take('addLocatorHandler', () => page.addLocatorHandler(page.locator('#never'), fn('handler')));
  await page.goto('/form');
  await take('route', () => page.route('**/there', fn('route', async (r) => { await take('route.fetch', () => r.fetch({ url: page.url() })); await r.fulfill(told('fulfill', { status: 200, headers: told('headers', { a: 'b' }), body: 'x' })); })));
  await take('routed', () => page.evaluate(() => fetch('/there').then((r) => r.text())));
  await take('a predicate', () => page.route(fn('predicate', () => false), () => {}));
  await take('unroute', () => page.unrouteAll());
  await take('waitForURL', () => page.waitForURL(fn('waitForURL', () => true), { timeout: 500 }));
  await take('waitForRequest', () => Promise.all([page.waitForRequest(fn('waitForRequest', () => true)), page.evaluate(() => { fetch('/x'); })]));
  await take('waitForEvent', () => page.waitForEvent('console', { predicate: fn('accept', () => true), timeout: 50 }));

  page.setDefaultTimeout(100);
  // Objects that are asked for their members while they are converted.
  for (const [name, call] of Object.entries({
    goto: (o) => page.goto(o), gotoOptions: (o) => page.goto('/form', o), click: (o) => page.click(o, o), evaluate: (o) => page.evaluate((v) => v, o), locator: (o) => page.locator('a', o),
    newContext: (o) => browser.newContext(o), cookies: (o) => context.addCookies(o), cookie: (o) => context.addCookies([o]), role: (o) => page.getByRole(o, o), text: (o) => page.getByText(o), fetch: (o) => fetch(o, o), request: (o) => context.request.fetch(o, o), post: (o) => context.request.post('/form', { data: o, headers: o }),
    send: (o) => all.cdp.send(o, o), send2: (o) => all.cdp.send('Runtime.evaluate', o), screenshot: (o) => page.screenshot(o), setInputFiles: (o) => page.setInputFiles('input', o), route: (o) => page.route(o, o), on: (o) => page.on(o, o), once: (o) => page.once('console', o), waitForEvent: (o) => page.waitForEvent(o, o), geo: (o) => context.setGeolocation(o),
    select: (o) => page.locator('select').first().selectOption(o), init: (o) => page.addInitScript(o, o), tag: (o) => page.addScriptTag(o), viewport: (o) => page.setViewportSize(o), log: (o) => console.log(o, '%s', o), table: (o) => console.table(o), timeout: (o) => setTimeout(o, o), clear: (o) => clearTimeout(o), clone: (o) => structuredClone(o), atob: (o) => atob(o), encoder: (o) => new TextEncoder().encode(o), decoder: (o) => new TextDecoder().decode(o),
    fsRead: (o) => require('fs').readFileSync(o, o), fsWrite: (o) => require('fs').writeFileSync('x', o), hash: (o) => require('crypto').createHash(o).update(o), hash2: (o) => require('crypto').createHash('md5').update(o), hmac: (o) => require('crypto').createHmac('md5', o), random: (o) => require('crypto').randomBytes(o), zip: (o) => require('zlib').gzipSync(o), gunzip: (o) => require('zlib').gunzipSync(o), require: (o) => require(o), import: (o) => $import(o), all: (o) => $import.all(o), collate: (o) => 'a'.localeCompare(o, o, o), compare: (o) => ''.localeCompare.call(o, o), number: (o) => (1).toLocaleString(o, o), number2: (o) => Number.prototype.toLocaleString.call(o), date: (o) => new Date(0).toLocaleString('en-US', o), intl: (o) => new Intl.NumberFormat('en-US', o).format(o),
    expect: (o) => expect(o).toEqual(o), text2: (o) => expect(page.locator('h1')).toHaveText(o, { timeout: 50 }), pass: (o) => expect(o).toPass({ timeout: 50 }), poll: (o) => expect.poll(o, { timeout: 50 }).toBe(1), options: (o) => expect(page.locator('h1')).toHaveText('Form', Object.assign(o, { timeout: 50 })), snapshot: (o) => accessibilitySnapshot(o), logs: (o) => getLatestLogs(o), clean: (o) => getCleanHTML(o), styles: (o) => getStylesForLocator(o), format: (o) => formatStylesAsText(o), react: (o) => getReactSource(o), dbg: (o) => createDebugger(o), breakpoint: (o) => createDebugger({ page }).setBreakpoint(o), editor: (o) => createEditor(o), read: (o) => createEditor({ page }).read(o), edit: (o) => createEditor({ page }).edit(o), getCDP: (o) => getCDPSession(o), newCDP: (o) => context.newCDPSession(o), dollar: (o) => $(o), json: (o) => JSON.stringify(o), buffer: (o) => Buffer.from(o), concat: (o) => Buffer.concat(o), url: (o) => new URL(o, o), params: (o) => new URLSearchParams(o), headers: (o) => new Headers(o), form: (o) => new FormData().append(o, o, o), blob: (o) => new Blob(o, o), file: (o) => new File(o, o, o), response: (o) => new Response(o, o), abort: (o) => AbortSignal.any(o), tick: (o) => process.nextTick(o), micro: (o) => queueMicrotask(o), promisify: (o) => { require('util').promisify(o)(); }, inspect: (o) => require('util').inspect(o), assert: (o) => require('assert').throws(o, o), events: (o) => { require('events').once(o, o); }, stream: (o) => { require('stream').pipeline(o, o); }, http: (o) => { require('http').get(o, o); }, qs: (o) => require('querystring').stringify(o), path: (o) => require('path').join(o), group: (o) => Object.groupBy(o, o), fromAsync: (o) => Array.fromAsync(o, o), tryIt: (o) => Promise.try(o, o),
    state: (o) => Promise.resolve(o), thrown: (o) => { throw o; }, applied: (o) => Page.prototype.goto.call(o), foreign: (o) => page.goto.call(o, '/x'), foreign2: (o) => page.evaluate.call(o, '1'), foreign3: (o) => page.on.call(o, 'x', () => {}), foreign4: (o) => all.locator.dragTo(o), foreign5: (o) => page.evaluate((v) => v, [o, { o }]),
  })) {
    for (const [how, o] of Object.entries({ object: told(name, {}), list: told(name, [1, {}]), function: told(name, function () {}), 'a method': fn(name, 1), error: Object.assign(new Error('x'), { name: told(name) }), pattern: Object.assign(/x/, { exec: fn(name + ' exec', null) }), thenable: { then: fn(name + ' then', (ok) => typeof ok === 'function' && ok(1)) },
      primitive: { [Symbol.toPrimitive]: fn(name + ' toPrimitive', '1'), toString: fn(name + ' toString', 'a'), valueOf: fn(name + ' valueOf', 1), toJSON: fn(name + ' toJSON', 1), get length() { each(name + ' length this', this); return 1; } } }).slice(0, variants)) await take(`${name} of ${how}`, () => call(o));
  }

  // What functions of the engine are given.
  await take('callbacks', () => [[2, 1].sort(fn('sort', 0)), [1].map(fn('map')), 'a'.replace(/a/, fn('replace', '')), JSON.parse('{"a":[1]}', fn('reviver')), JSON.stringify({ a: 1 }, fn('replacer')), fn('tag')`x${1}`, new Promise(fn('executor')), Array.from({ length: 1 }, fn('from')), Reflect.construct(function () { each('new.target', new.target); each('new this', this); }, [], Object)]);
  await take('timers', () => new Promise((ok) => { setTimeout(fn('timer', ok), 1, {}); setImmediate(fn('immediate')); const i = setInterval(fn('interval', () => clearInterval(i)), 1); queueMicrotask(fn('microtask')); process.nextTick(fn('tick')); }));
  await take('a promise', () => Promise.reject(told('rejected')).catch(fn('catch')).finally(fn('finally')));
  await take('species', () => { class L extends Array { constructor(...a) { super(...a); each('species', this); } static get [Symbol.species]() { each('species this', this); return L; } } return new L(1, 2, 3).map((x) => x); });
  for (const id of ['path', 'url', 'querystring', 'buffer', 'util', 'assert', 'events', 'stream', 'zlib', 'crypto', 'os', 'fs', 'fs/promises', 'path/posix', 'timers/promises', 'http', 'https', 'playwright']) { await take('require ' + id, () => require(id)); await take('import ' + id, () => $import(id)); }
  for (const [name, o] of Object.entries(all)) {
    each(name, o);
    for (let p = o; p && typeof p === 'object' && !ArrayBuffer.isView(o); p = Object.getPrototypeOf(p)) for (const k of Reflect.ownKeys(p)) await take(`${name}.${String(k)}`, () => o[k]);
  }
  // Errors of all kinds. The page has been through much: some navigations end by time.
  page.setDefaultNavigationTimeout(300);
  for (const [name, bad] of Object.entries({ native: () => { native.call(); }, syntax: () => { (0, eval)('('); }, 'bad option': () => page.click('x', { no: 1 }), refused: () => page.goto('file:///etc/passwd'), path: () => page.screenshot({ path: '/etc/x' }), fs: () => require('fs').readFileSync('/etc/passwd'), 'no file': () => require('fs').readFileSync('none'), digest: () => require('crypto').createHash('x').digest(), random: () => require('crypto').randomBytes(-1), zip: () => require('zlib').gunzipSync('x'), collate: () => 'a'.localeCompare('b', '!!'), url: () => new URL('x'), json: () => JSON.parse('{'), timeout: () => page.click('nope', { timeout: 10 }), evaluate: () => page.evaluate(() => { throw new Error('in the page'); }), refs: () => $('e99').click({ timeout: 10 }), selector: () => page.locator('>>>').count(), command: () => all.cdp.send('Browser.close'), unknown: () => all.cdp.send('No.such'), refusal: () => all.type.launch(), module: () => require('child_process'), symbol: () => page.goto(Symbol('x')), bigint: () => page.goto(1n), any: () => Promise.any([Promise.reject(1)]), closed: () => popup.title(), caller: () => tour.caller, callee: () => (function () { return arguments.callee; })(), arguments: () => (function () { return arguments; })(1, 2) })) await take('error ' + name, bad, 1000);
};
