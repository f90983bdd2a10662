// --- The driver, and what is put right in it.

/** What the driver is made of, undefined if it is of another shape. */
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

/** What runDriver in cli/driver.ts does. */
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
  // Outside of JavaScript half of a surrogate pair is no text.
  const whole = String.prototype.toWellFormed ? (_, value) => typeof value === 'string' ? value.toWellFormed() : value : undefined;
  connection.onmessage = message => transport.send(JSON.stringify(message, whole));
  transport.onclose = () => {
    connection.onmessage = () => {};
    gracefullyProcessExitDoNotHang(0);
  };
  process.on('SIGINT', () => {});
}

/** For each request and response of a page the driver keeps an object, with all
 *  headers, here and in its client, until there are ten thousand of a kind: some
 *  200 MB that a service comes to hold. One thousand of each is as many as are
 *  ever asked for afterwards. Objects of other kinds keep their limits. */
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

/** A page words what it gives to an exposed function itself, if it likes: the
 *  driver parses that where nobody catches, and Node would end, with everybody's
 *  browser. What is no call is left out, and so is what no call is as large as.
 *  And so is a call of what was exposed by somebody else who works on the page: a
 *  script's own Playwright, or another client. */
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

/** The function that a page's call is for, undefined if it is no call. */
function nameIn(payload) {
  try {
    return JSON.parse(payload).name;
  } catch {
    return undefined;
  }
}

/** The injected script, 300 kB, is sent to each document. Where the direct line has
 *  brought it already, an instance is made of the class that is there, as the
 *  driver's own text makes it; with the engines that are registered, if all are
 *  there. A page can't be at what is in that world. */
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

/** The isolated world in which the driver's code runs has one name: the direct line and
 *  scripts use the same, and with it what is known of refs. 1.60 names it anew for each
 *  page. */
function nameWorld() {
  Object.defineProperty(own('server/chromium/crPage.ts').CRPage.prototype, 'utilityWorldName', { get: () => '__playwright_utility_world__', set() {} });
}

/** A dialog that somebody else has answered, a script or a client, is over here too: an
 *  answer that came to it later would be the next dialog's. */
function forgetAnsweredDialogs() {
  const { Dialog, DialogManager } = own('server/dialog.ts');
  const opened = DialogManager && DialogManager.prototype.dialogDidOpen;
  if (typeof opened !== 'function')
    return;
  const heard = new WeakSet(); // DevTools sessions
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
  // That it is over may be on its way here: the browser's next reply comes after it.
  for (const name of ['accept', 'dismiss']) {
    const answer = Dialog.prototype[name];
    Dialog.prototype[name] = async function(...args) {
      await this._page?.browserContext?._browser?._session?.send('Browser.getVersion').catch(() => {});
      return answer.apply(this, args);
    };
  }
}

/** A title that can't be asked for is an error, as it was up to 1.52: 1.60 answers with
 *  nothing, or with words of its own, whatever the matter is. A page that crashed would
 *  have none, and who asks to hear what came before would not know that nobody answered. */
function tellTitles() {
  const { Frame } = own('server/frames.ts');
  if (typeof Frame?.prototype._title === 'function')
    Frame.prototype._title = async function() {
      const context = await this.utilityContext();
      return context.evaluate(() => document.title);
    };
}

/** A message leaves in one write, to us and to the browser: the driver's own two
 *  wake who reads for a half. */
function writeWhole() {
  const us = own('utils/pipeTransport.ts').PipeTransport.prototype;
  const browser = own('server/pipeTransport.ts').PipeTransport.prototype;
  if (![us, browser].every(transport => typeof transport.send === 'function' && /_closed[^]*_pipeWrite/.test(transport.send.toString())))
    return;
  const write = (transport, bytes) => {
    if (transport._closed)
      throw new Error('Pipe has been closed');
    transport._pipeWrite.write(bytes);
  };
  us.send = function(message) {
    const length = Buffer.byteLength(message);
    const bytes = Buffer.allocUnsafe(4 + length);
    bytes.writeUInt32LE(length, 0);
    bytes.write(message, 4);
    write(this, bytes);
  };
  browser.send = function(message) {
    write(this, JSON.stringify(message) + '\0');
  };
}

/** Sees to it that the cache is written if it should be: when the driver has
 *  been idle for a second, or else when it ends. */
function keepCache() {
  if (!stale && callsThen >= enough) {
    process.on('exit', () => stale && writeCache()); // what is loaded late may be broken
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

/** Lets go of what only a writer needs, some megabytes. The cache stays open: what is
 *  used late is loaded late. */
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

function main() {
  if (process.argv[2] !== 'run-driver')
    return serveOtherwise();
  let found;
  try {
    root = fs.realpathSync(path.dirname(cli)) + path.sep;
    readCache();
    core = run(coreFile).answer;
    found = parts();
    keepFewRequests();
    doubtBindings();
    forgetAnsweredDialogs();
    tellTitles();
    nameWorld();
    noteOpenPages(own('server/frames.ts'));
    shareInjectedScript();
    boundPages();
    boundHars();
    readyRecorder();
    writeWhole();
  } catch {
    found = undefined;
    remove(cacheFile); // it may have led here
  }
  if (!found)
    return serveOtherwise();
  serve(found);
  keepCache();
}

main();
