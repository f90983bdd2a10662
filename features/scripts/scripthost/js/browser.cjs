// --- Playwright, connected to the session's browser.

const client = playwright._connection; // the client, which scripts use
const { CRBrowser, CRBrowserContext } = core('server/chromium/crBrowser.ts');
const { Browser } = core('server/browser.ts');
// Messages from the server to the client run listeners of scripts. A promise comes
// between, so that the listeners can be stopped (see zones.cjs).
const wired = client.toImpl(client); // the server's dispatcher connection
const existingDispatcher = (object) => wired.existingDispatcher(object);
wired.onmessage = (message) => setImmediate(() => Promise.resolve().then(() => client.dispatch(message)));
const serverOf = (object) => client.toImpl(object);
const worldName = '__playwright_utility_world__';

// Line is the transport to the virtual browser: messages ended by a NUL. The part of
// an incomplete message stays for the next Line, which discards that message.
class Line {
  static last = [];
  constructor() {
    this.stale = Line.last.length > 0;
    this.next = core('utils/task.ts').makeWaitForNextTask();
    Line.current = this;
    this.input = Line.input ??= pipe(3, true);
    this.output = Line.output ??= pipe(4, false);
    this.input.removeAllListeners('data').on('data', outside((chunk) => this.read(chunk)));
    this.output.removeAllListeners('error').on('error', () => {});
  }
  read(chunk) {
    let start = 0;
    for (let end; (end = chunk.indexOf(0, start)) >= 0; start = end + 1) {
      const message = Buffer.concat([...Line.last, chunk.subarray(start, end)]);
      Line.last = [];
      if (this.stale) this.stale = false; else this.take(message.toString());
    }
    if (start < chunk.length) Line.last.push(chunk.subarray(start));
  }
  take(message) {
    const m = JSON.parse(message);
    this.next(() => { if (this.onmessage) this.onmessage(m); });
  }
  send(message) {
    const answer = Line.instead(message);
    if (answer) this.next(() => this.onmessage({ id: message.id, sessionId: message.sessionId, result: answer }));
    else put(this.output, JSON.stringify(message) + '\0');
  }
  // instead answers messages that are not sent. To Playwright, isolated worlds of one
  // name are the same, whoever created them. So the driver's world is used here as
  // well, and with it its refs.
  static instead({ method, params }) {
    if (method === 'Page.createIsolatedWorld' && params.worldName === worldName) return { executionContextId: 0 };
    if (method === 'Page.addScriptToEvaluateOnNewDocument' && params.worldName === worldName && !params.source) return { identifier: '0' };
    if (method === 'Emulation.setEmulatedMedia') return {}; // the driver sets what a new page emulates
  }
  close() {
    this.closed ??= ask('leave', {}).catch(() => {}).then(() => this.left());
  }
  left() {
    const { onclose } = this;
    this.onclose = undefined;
    if (onclose) onclose();
  }
  async closeAndWait() { this.close(); await this.closed; }
}

// The virtual browser has closed by itself, as when a client asks it to close.
answers.left = () => { if (Line.current && !Line.current.closed) Line.current.left(); };
// probe checks whether the browser still answers.
answers.probe = async () => { if (server && server.isConnected()) await server._session.send('Browser.getVersion'); };

let server;  // Playwright's server object
let browser; // its client object, for scripts

// until waits for a value that other code in this process provides.
async function until(find, ms = 30000) {
  for (const end = Date.now() + ms; ;) {
    const v = find();
    if (v) return v;
    if (Date.now() > end) throw new Error('the page did not come up in time');
    await new Promise((next) => Date.now() > end - ms + 20 ? real.setTimeout(next, 5) : real.setImmediate(next));
  }
}
const known = (object) => client._objects.get(object.guid);
const clientOf = (object) => until(() => known(object));

// connect connects to the browser, or again after it was closed.
let connecting;
const connect = () => connecting ??= join().finally(() => { connecting = undefined; });
async function join() {
  await ask('join', {});
  const artifacts = path.join(settings.scratch, 'artifacts');
  fs.mkdirSync(artifacts, { recursive: true });
  const { RecentLogsCollector } = core('utils/debugLogger.ts'), line = new Line();
  const close = () => ask('closeBrowser', {}).catch(() => {}).then(() => line.closeAndWait());
  const options = {
    name: 'chromium', browserType: 'chromium', browserProcess: { close, kill: close }, protocolLogger: () => {}, browserLogsCollector: new RecentLogsCollector(),
    artifactsDir: artifacts, downloadsPath: settings.downloads, tracesDir: artifacts, originalLaunchOptions: {},
  };
  server = await CRBrowser.connect(serverOf(playwright), line, options);
  const { BrowserDispatcher } = core('server/dispatchers/browserDispatcher.ts');
  new BrowserDispatcher(existingDispatcher(serverOf(playwright.chromium)), server);
  browser = await clientOf(server);
  browser._connectToBrowserType(playwright.chromium, {});
}

// The session's contexts, each created here when it is first needed. The driver applies
// its emulation, so only options that are read back are needed here.
const contexts = new Map(); // Chromium's id -> promise
let creating = Promise.resolve();

async function contextOf(on, id) {
  await creating;
  if (on._contexts.has(id)) return on._contexts.get(id);
  if (!contexts.has(id)) contexts.set(id, makeContext(on, id).finally(() => contexts.delete(id)));
  return contexts.get(id);
}

async function makeContext(on, id) {
  const { head: { options } } = await ask('context', { context: id });
  const context = new CRBrowserContext(on, id, reported(options));
  await context.initialize();
  on._contexts.set(id, context);
  await until(() => existingDispatcher(on));
  on.emit(Browser.Events.Context, context);
  await clientOf(context);
  return context;
}

// reported returns the options that Playwright reads and that send nothing to the
// browser.
function reported(o) {
  const all = { viewport: o.viewport, screen: o.screen, baseURL: o.baseURL, isMobile: o.isMobile, hasTouch: undefined, userAgent: undefined, extraHTTPHeaders: o.extraHTTPHeaders,
    ignoreHTTPSErrors: o.ignoreHTTPSErrors, proxy: o.proxy, acceptDownloads: o.acceptDownloads === 'deny' ? 'deny' : 'internal-browser-default', noDefaultViewport: !o.viewport, strictSelectors: o.strictSelectors, recordHar: o.recordHar, recordVideo: o.recordVideo,
    selectorEngines: o.selectorEngines ?? playwright.selectors._selectorEngines, testIdAttributeName: o.testIdAttributeName ?? playwright.selectors._testIdAttributeName,
    serviceWorkers: o.serviceWorkers };
  return Object.fromEntries(Object.entries(all).filter(([, v]) => v !== null)); // the server omits what is null in a client
}

const attached = CRBrowser.prototype._onAttachedToTarget;
CRBrowser.prototype._onAttachedToTarget = function(event) {
  const { type, browserContextId, targetId } = event.targetInfo;
  if (type === 'browser') return;
  // The target waits for each client that is attached: nobody else can continue it.
  const leave = () => this._session.createChildSession(event.sessionId).detach().catch(() => {});
  if (coming.has(targetId) || this._crPages.has(targetId)) { // it was requested, and has also attached by itself
    leave();
    return;
  }
  if (this._contexts.has(browserContextId)) return attached.call(this, event);
  coming.add(targetId);
  contextOf(this, browserContextId).then(() => attached.call(this, event)).catch(leave).finally(() => coming.delete(targetId));
};
const coming = new Set(); // targets that wait for their context

{
  const { newContext } = Browser.prototype;
  Browser.prototype.newContext = function(progress, options) {
    if (options.clientCertificates?.length) throw new Error('clientCertificates: a context of a script has none; request.newContext() takes them');
    options.asGiven = { ...options };
    return newContext.call(this, progress, options);
  };
}
// parents lists the options that the parent applies. The others are applied here.
const parents = ['acceptDownloads', 'baseURL', 'bypassCSP', 'colorScheme', 'contrast', 'deviceScaleFactor', 'extraHTTPHeaders', 'forcedColors', 'geolocation', 'hasTouch',
  'httpCredentials', 'ignoreHTTPSErrors', 'isMobile', 'javaScriptEnabled', 'locale', 'noDefaultViewport', 'offline', 'permissions', 'proxy', 'reducedMotion', 'screen',
  'serviceWorkers', 'strictSelectors', 'timezoneId', 'userAgent', 'viewport'];
CRBrowser.prototype.doCreateNewContext = async function(options) {
  const { asGiven } = options, { recordVideo } = asGiven;
  if (recordVideo?.dir) await ask('file', { op: 'may', path: path.join(recordVideo.dir, 'film.webm') });
  const given = Object.fromEntries(parents.map((name) => [name, asGiven[name]]));
  const making = ask('newContext', { options: given });
  creating = making.catch(() => {});
  const { head } = await making;
  const context = new CRBrowserContext(this, head.context, reported({ ...options, ...head.options }));
  await context.initialize();
  this._contexts.set(head.context, context);
  return context;
};
CRBrowserContext.prototype.doClose = async function() {
  await ask('closeContext', { context: this._browserContextId });
  this._browser._contexts.delete(this._browserContextId);
};
answers.contextClosed = ({ context: id }) => {
  const context = server && server._contexts.get(id);
  if (!context || context.isClosingOrClosed()) return;
  server._contexts.delete(id);
  context.browserClosed();
};

// pageOf returns the page of a target. The virtual browser hides a target that it does
// not yet know to be the session's, so pageOf asks for it.
async function pageOf(target, ms) {
  const there = () => coming.has(target) || server._crPages.has(target);
  await until(there, 30).catch(async () => {
    await server._session.send('Target.getTargets');
    if (!there()) await server._session.send('Target.attachToTarget', { targetId: target, flatten: true });
  });
  const page = await until(() => { const p = server._crPages.get(target); return p && p._page.initializedOrUndefined(); }, ms);
  return until(() => known(page), ms);
}
// meet waits for pages that are still attaching, so that a script finds all open pages
// when it starts. It waits only once for a page that hangs.
const met = new WeakSet();
async function meet(ms) {
  await until(() => !coming.size, ms).catch(() => {});
  await Promise.all([...server._crPages.values()].filter((p) => !met.has(p)).map((p) => {
    met.add(p);
    const end = new Promise((done) => real.setTimeout(done, ms).unref?.());
    return Promise.race([end, p._page.waitForInitializedOrError().then((page) => page instanceof Error || until(() => known(page) || page.isClosed(), ms)).catch(() => {})]);
  }));
}
// targetOf returns a page's target id; undefined if the page is gone.
const targetOf = (page) => { try { return serverOf(page).delegate._targetId; } catch { return undefined; } };
