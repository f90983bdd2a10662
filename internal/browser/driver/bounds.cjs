// --- Bounds on what pages log and send: a single page must not make the driver or
// its client grow.

const longestBody = 1 << 20;  // bytes reported of a request's body
const longestText = 64 << 10; // characters of a page-controlled text; the client keeps 8 KiB
const keptBodies = 16 << 20;  // bytes of large requests kept per context; the oldest go first
const largeRequest = 4 << 10; // bytes of a request (body, URL, headers) from which it counts as large
const keptReplies = 64 << 20; // bytes of responses that a renderer keeps

/** Options of the driver's commands to the browser. The browser's own limits of Network: none
 *  for request bodies, 200 MB per renderer for responses. PNG files that are encoded fast have
 *  the same pixels, and are larger. */
const added = new Map([
  ['Network.enable', { maxPostDataSize: longestBody, maxTotalBufferSize: keptReplies, maxResourceBufferSize: keptReplies / 2 }],
]);
if (!process.env.PWPIPE_NO_FAST_PICTURES)
  added.set('Page.captureScreenshot', { optimizeForSpeed: true });

/** Events with page-controlled texts of any length. */
const worded = new Set(['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded', 'Page.javascriptDialogOpening']);

function boundBrowser() {
  const { CRSession } = own('server/chromium/crConnection.ts');
  const { send, _onMessage: take } = CRSession?.prototype ?? {};
  if (typeof send !== 'function' || typeof take !== 'function')
    return;
  CRSession.prototype.send = function(method, params) {
    return send.call(this, method, added.has(method) ? { ...added.get(method), ...params } : params);
  };
  CRSession.prototype._onMessage = function(message) {
    if (worded.has(message.method))
      message.params = shortened(message.params);
    return take.call(this, message);
  };
}

/** Shortens every string of a JSON value to longestText. */
function shortened(value) {
  if (typeof value === 'string' && value.length > longestText)
    return value.slice(0, longestText) + '…';
  if (value && typeof value === 'object')
    for (const key of Object.keys(value))
      value[key] = shortened(value[key]);
  return value;
}

/** Keeps only the text of a console line. The driver would keep a handle for each
 *  value, up to a hundred thousand, and with each its object in the page. */
function dropArguments() {
  const { Page } = own('server/page.ts');
  const add = Page?.prototype.addConsoleMessage;
  if (typeof add !== 'function' || add.length !== 6)
    return;
  Page.prototype.addConsoleMessage = function(worker, type, args, location, text, timestamp) {
    text ??= args.map(arg => arg.preview()).join(' ');
    for (const arg of args)
      arg.dispose();
    return add.call(this, worker, type, [], location, shortened(text), timestamp);
  };
}

/** Each context keeps only its newest large requests. The client holds a copy and
 *  drops it together with the driver's. */
function keepFewLarge() {
  const { RequestDispatcher } = own('server/dispatchers/networkDispatchers.ts');
  const from = RequestDispatcher?.from;
  if (typeof from !== 'function')
    return;
  const kept = new WeakMap(); // context -> { list: [dispatcher, bytes], bytes }
  const counted = new WeakSet();
  RequestDispatcher.from = function(context, request) {
    const made = from.call(this, context, request);
    if (counted.has(made))
      return made;
    counted.add(made);
    const bytes = sizeOf(request);
    if (bytes < largeRequest)
      return made;
    let all = kept.get(context);
    if (!all)
      kept.set(context, all = { list: [], bytes: 0 });
    all.list.push([made, bytes]);
    all.bytes += bytes;
    while (all.list.length > 1 && (all.bytes > keptBodies || all.list[0][0]._disposed)) {
      const [old, size] = all.list.shift();
      all.bytes -= size;
      if (old._disposed)
        continue;
      old._object._postData = null;
      old._dispose('gc');
    }
    return made;
  };
}

/** The driver keeps the browser's stderr for errors, with the texts of pages. */
function boundLogs() {
  const { RecentLogsCollector } = own('utils/debugLogger.ts');
  const log = RecentLogsCollector?.prototype.log;
  if (typeof log === 'function')
    RecentLogsCollector.prototype.log = function(message) {
      return log.call(this, Buffer.from(message.slice(0, 1 << 12)).toString()); // a copy: a slice would keep the whole message alive
    };
}

function sizeOf(request) {
  let bytes = (request._postData?.length ?? 0) + request.url().length;
  for (const { name, value } of request.headers())
    bytes += name.length + value.length;
  return bytes;
}

function boundPages() {
  boundLogs();
  boundBrowser();
  dropArguments();
  keepFewLarge();
}
