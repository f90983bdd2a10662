// --- The driver, and the patches to it.

/** The driver's parts; undefined if Playwright's code has another shape. */
function parts() {
  const all = {};
  for (const [file, ...names] of [
    ['server/dispatchers/dispatcher.ts', 'DispatcherConnection', 'RootDispatcher'],
    ['server/dispatchers/playwrightDispatcher.ts', 'PlaywrightDispatcher'],
    ['server/playwright.ts', 'createPlaywright'],
    ['utils/pipeTransport.ts', 'PipeTransport'],
    ['utils/processLauncher.ts', 'gracefullyProcessExitDoNotHang'],
  ]) {
    for (const name of names)
      all[name] = own(file)[name];
  }
  return Object.values(all).every(part => typeof part === 'function') ? all : undefined;
}

/** Does what runDriver in cli/driver.ts does. */
function serve({ DispatcherConnection, RootDispatcher, PlaywrightDispatcher, createPlaywright, PipeTransport, gracefullyProcessExitDoNotHang }) {
  const connection = new DispatcherConnection();
  new RootDispatcher(connection, async (scope, { sdkLanguage }) => {
    return new PlaywrightDispatcher(scope, createPlaywright({ sdkLanguage }));
  });
  const transport = new PipeTransport(process.stdout, process.stdin);
  transport.onmessage = message => {
    calls++;
    connection.dispatch(JSON.parse(message));
  };
  // A lone surrogate is valid only inside JavaScript.
  const whole = String.prototype.toWellFormed ? (_, value) => typeof value === 'string' ? value.toWellFormed() : value : undefined;
  connection.onmessage = message => transport.send(JSON.stringify(message, whole));
  transport.onclose = () => {
    connection.onmessage = () => {};
    gracefullyProcessExitDoNotHang(0);
  };
  process.on('SIGINT', () => {});
}

/** The driver and its client keep an object with all headers for each request and response
 *  of a page, up to ten thousand of a kind: about 200 MB in a long-running service. One
 *  thousand of each is enough for all later lookups. Other kinds keep their limits. */
function keepFewRequests() {
  const { DispatcherConnection, setMaxDispatchersForTest } = own('server/dispatchers/dispatcher.ts');
  const dispose = DispatcherConnection.prototype.maybeDisposeStaleDispatchers;
  if (typeof dispose !== 'function' || typeof setMaxDispatchersForTest !== 'function')
    return;
  DispatcherConnection.prototype.maybeDisposeStaleDispatchers = function(bucket) {
    if (bucket !== 'Request' && bucket !== 'Response')
      return dispose.call(this, bucket);
    setMaxDispatchersForTest(1000);
    try {
      dispose.call(this, bucket);
    } finally {
      setMaxDispatchersForTest(undefined);
    }
  };
}

/** A page can call a binding with any payload. The driver parses it without a catch, so a
 *  bad payload would end Node, and with it the browser of all clients. Payloads that are
 *  not calls or are larger than a call can be are dropped. So are calls of bindings that
 *  another client on the page exposed, such as a script's own Playwright. */
function doubtBindings() {
  const { Page } = own('server/page.ts');
  const called = Page && Page.prototype.onBindingCalled;
  if (typeof called !== 'function')
    return;
  Page.prototype.onBindingCalled = async function(payload, context) {
    if (payload.length <= 1 << 26 && this.getBinding(nameIn(payload)))
      await called.call(this, payload, context).catch(() => {});
  };
}

/** The name of the function that a page calls; undefined if the payload is not a call. */
function nameIn(payload) {
  try {
    return JSON.parse(payload).name;
  } catch {
    return undefined;
  }
}

/** The driver sends the injected script (300 kB) to each document. If the fast path has
 *  already loaded it there, this creates an instance of that class, as the driver's own
 *  text does, with the registered engines, provided that all of them are there. Pages
 *  cannot reach that world. */
function shareInjectedScript() {
  engineInside(own('server/dom.ts'), own('generated/injectedScriptSource.ts'), () => true, (options, names) => `(() => {
    const named = name => globalThis[Symbol.for(name)], names = ${JSON.stringify(names)};
    if (!named('pwpipe')) named('pwpipe.library')?.();
    const { injected, engines } = named('pwpipe') ?? {};
    if (!injected || !names.every(name => engines[name]))
      return undefined;
    const made = new (injected())(globalThis, ${options});
    for (const name of names) made._engines.set(name, engines[name]);
    return made;
  })()`);
}

/** Gives the driver's isolated world a fixed name. The fast path and scripts share that
 *  world, and with it the known refs. 1.60 names it anew for each page. */
function nameWorld() {
  Object.defineProperty(own('server/chromium/crPage.ts').CRPage.prototype, 'utilityWorldName', { get: () => '__playwright_utility_world__', set() {} });
}

/** A dialog that a script or another client has answered is closed here too. Otherwise a
 *  later answer to it would go to the next dialog. */
function forgetAnsweredDialogs() {
  const { Dialog, DialogManager } = own('server/dialog.ts');
  const opened = DialogManager && DialogManager.prototype.dialogDidOpen;
  if (typeof opened !== 'function')
    return;
  const heard = new WeakSet(); // CDP sessions that are listened to
  DialogManager.prototype.dialogDidOpen = function(dialog) {
    const page = dialog.page();
    for (const { _client: client } of page.delegate._sessions?.values() ?? []) {
      if (!client || heard.has(client))
        continue;
      heard.add(client);
      client.on('Page.javascriptDialogClosed', () => {
        for (const gone of [...this._openedDialogs].filter(d => d.page() === page)) {
          gone._handled = true;
          this._dialogWillClose(gone);
        }
      });
    }
    return opened.call(this, dialog);
  };
  // The closed event may still be on its way. The browser's next reply comes after it.
  for (const name of ['accept', 'dismiss']) {
    const answer = Dialog.prototype[name];
    Dialog.prototype[name] = async function(...args) {
      await this._page?.browserContext?._browser?._session?.send('Browser.getVersion').catch(() => {});
      return answer.apply(this, args);
    };
  }
}

/** Keeps the keys and passphrases of client certificates out of what the driver copies: a
 *  context's options are part of its traces. */
function hideCertificates() {
  const { Browser } = own('server/browser.ts');
  const open = Browser.prototype.newContext;
  Browser.prototype.newContext = function(progress, options, ...rest) {
    for (const certificate of options.clientCertificates ?? []) {
      for (const name of ['cert', 'key', 'pfx', 'passphrase'])
        Object.defineProperty(certificate, name, { enumerable: false });
    }
    return open.call(this, progress, options, ...rest);
  };
}

/** Removes the field guid from what DevTools sessions answer and report. playwright-go takes
 *  such an object for one of the driver's, finds none, and gives its connection up. Chromium's
 *  events about downloads have the field, and so may a page's values. */
function dropGuids() {
  const { CDPSession } = own('server/chromium/crConnection.ts');
  const { emit, _send: send } = CDPSession.prototype;
  CDPSession.prototype.emit = function(event, ...args) {
    return emit.call(this, event, ...args.map(withoutGuids));
  };
  CDPSession.prototype._send = async function(...args) {
    return withoutGuids(await send.apply(this, args));
  };
}

function withoutGuids(value) {
  const left = [value];
  while (left.length) {
    const object = left.pop();
    if (typeof object !== 'object' || !object)
      continue;
    delete object.guid;
    for (const name in object)
      left.push(object[name]);
  }
  return value;
}

/** Makes an unavailable title an error, as up to 1.52. 1.60 returns an empty or made-up
 *  title instead. For a crashed page there would be no error, and a caller who asks for the
 *  title to wait for earlier events would not learn that nothing answered. */
function tellTitles() {
  const { Frame } = own('server/frames.ts');
  if (typeof Frame?.prototype._title === 'function')
    Frame.prototype._title = async function() {
      if (isWithoutDocument(this))
        throw new Error('the frame has no document');
      const context = await this.utilityContext();
      return context.evaluate(() => document.title);
    };
}

/** Playwright's snapshot of a page waits for each frame, up to its timeout, also for one that has no
 *  document: it is to load when it is in view, or its server has not answered. Such a frame is left out. */
function skipEmptyFrames() {
  const { Frame } = own('server/frames.ts');
  const retry = Frame?.prototype.retryWithProgressAndTimeouts;
  if (typeof retry === 'function')
    Frame.prototype.retryWithProgressAndTimeouts = function(progress, timeouts, ...rest) {
      if (String(timeouts) === '1000,2000,4000,8000' && isWithoutDocument(this)) // what a snapshot asks for
        throw new Error('the frame has no document');
      return retry.call(this, progress, timeouts, ...rest);
    };
}

/** Tells a frame in which no document has come yet: it lacks a world, the page's or the driver's. */
function isWithoutDocument(frame) {
  return !!frame._parentFrame && !frame._url && ['main', 'utility'].some(world => !frame._contextData?.get(world)?.context);
}

/** Writes the cache if it is due: once the driver has been idle for a second, or else when
 *  it exits. */
function keepCache() {
  if (!stale && callsThen >= enough) {
    process.on('exit', () => stale && writeCache()); // entries that are loaded late may be broken
    return release();
  }
  const write = () => {
    if (stale || calls >= enough)
      writeCache();
    clearInterval(timer);
    process.off('exit', write);
    release();
  };
  let before = -1;
  const timer = setInterval(() => {
    if (calls >= enough && calls === before)
      write();
    before = calls;
  }, 1000);
  timer.unref();
  process.on('exit', write);
}

/** Frees some megabytes that only a writer needs. The cache stays open, because some files
 *  are loaded late. */
function release() {
  released = true;
  scratch = Buffer.alloc(0);
  for (const m of modules)
    m.text = m.script = undefined;
}

function serveOtherwise() {
  trustExtra();
  require(cli);
}

function noteFrames() {
  noteOpenPages(own('server/frames.ts'));
}

function typeInElements() {
  typeWhereChecked(own('server/dom.ts'));
}

function pressElements() {
  pressWhereAimed(own('server/dom.ts'));
  pressWhatIsDrawn(own('server/dom.ts'));
}

function sizeAll() {
  sizeDocuments(own('server/screenshotter.ts'));
}

function placeElements() {
  placeInFrames(own('server/dom.ts'), own('server/chromium/crPage.ts'));
}

/** Applies one patch. If it fails, the others still hold. */
function apply(patch) {
  try {
    patch();
  } catch (error) {
    remove(cacheFile); // the cache may be the cause
    tell(`the driver runs without the patch ${patch.name}`, error);
  }
}

function tell(what, error) {
  process.stderr.write(`pwpipe: ${what}: ${error?.message ?? error}\n`);
}

function main() {
  if (process.argv[2] !== 'run-driver')
    return serveOtherwise();
  let found;
  try {
    root = fs.realpathSync(path.dirname(cli)) + path.sep;
    readCache();
    core = run(coreFile).answer;
    found = parts();
    if (!found)
      throw new Error("Playwright's code has another shape");
    for (const patch of [keepFewRequests, doubtBindings, forgetAnsweredDialogs, tellTitles, skipEmptyFrames, hideCertificates, nameWorld, dropGuids,
      noteFrames, typeInElements, pressElements, placeElements, sizeAll, shareInjectedScript, boundPages, boundHars, boundDownloads, closeTabsOfDownloads, readyRecorder])
      apply(patch);
  } catch (error) {
    found = undefined;
    remove(cacheFile); // the cache may be the cause
    tell('the driver starts the slow way', error);
  }
  if (!found)
    return serveOtherwise();
  serve(found);
  keepCache();
}

main();
