// --- Bounds on what pages log and send: a single page must not make the driver or
// its client grow, nor keep other pages waiting.

const longestBody = 1 << 20;  // bytes reported of a request's body
const longestText = 64 << 10; // characters of a page-controlled text; the client keeps 8 KiB
const heldBytes = 16 << 20;   // bytes of what the driver holds for a context's pages; the oldest go first
const heldByAll = 48 << 20;   // and for all contexts together; then the oldest of the one with most
const keptReplies = 64 << 20; // bytes of responses that a renderer keeps
const muchAtOnce = 16 << 10;  // bytes that come at once from a browser that has more to say
const longestQueue = 1 << 20; // bytes that the client has not read, above which the driver reads no more from browsers

/** Options of the driver's commands to the browser. The browser's own limits of Network: none
 *  for request bodies, 200 MB per renderer for responses. PNG files that are encoded fast have
 *  the same pixels, and are larger. */
const added = new Map([
  // A Chromium without windows has a cursor of its own, at 0, 0 of the screen. While a page there has
  // locked the pointer, it moves that cursor to the window's middle and back, without an end, and an
  // act takes minutes. So windows begin a pixel further down.
  ['Target.createTarget', { top: 1 }],
  ['Network.enable', { maxPostDataSize: longestBody, maxTotalBufferSize: keptReplies, maxResourceBufferSize: keptReplies / 2 }],
]);
if (!process.env.PWPIPE_NO_FAST_PICTURES)
  added.set('Page.captureScreenshot', { optimizeForSpeed: true });

/** The events whose texts are needed whole, as in internal/browser/cdp. All others are cut: there,
 *  and here for a browser that the driver has started by itself. */
const whole = new Set(['Page.screencastFrame', 'Fetch.requestPaused', 'Runtime.bindingCalled',
  'HeapProfiler.addHeapSnapshotChunk', 'Tracing.dataCollected', 'Debugger.scriptParsed']);

function boundBrowser() {
  const { CRSession } = own('server/chromium/crConnection.ts');
  const { send, _onMessage: take } = CRSession?.prototype ?? {};
  if (typeof send !== 'function' || typeof take !== 'function')
    return;
  CRSession.prototype.send = function(method, params) {
    return send.call(this, method, added.has(method) ? { ...added.get(method), ...params } : params);
  };
  CRSession.prototype._onMessage = function(message) {
    if (message.method && !whole.has(message.method))
      message.params = shortened(message.params);
    return take.call(this, message);
  };
}

/** Shortens every string of a JSON value to longestText, except the encoded body of a request. */
function shortened(value) {
  if (typeof value === 'string' && value.length > longestText)
    return value.slice(0, longestText) + '…';
  if (value && typeof value === 'object') {
    for (const key in value) {
      if (key !== 'bytes' || typeof value[key] !== 'string')
        value[key] = shortened(value[key]);
    }
  }
  return value;
}

/** The driver reads from a browser only as fast as it handles what it has read, and as the client
 *  reads what becomes of it. What waits is then in pwpipe, which gives each session its turn. */
function readInTurn() {
  const { PipeTransport } = own('server/pipeTransport.ts');
  const dispatch = PipeTransport?.prototype._dispatch;
  if (typeof dispatch === 'function')
    PipeTransport.prototype._dispatch = function(buffer) {
      dispatch.call(this, buffer);
      if (buffer.length >= muchAtOnce || isUnread())
        rest(this._pipeRead);
    };
  const { WebSocketTransport } = own('server/transport.ts');
  const connect = WebSocketTransport?.connect;
  if (typeof connect === 'function')
    WebSocketTransport.connect = async function(...args) {
      const transport = await connect.apply(this, args);
      let bytes = 0; // of messages that are not handled yet
      transport._ws.on('message', data => {
        bytes += data.length;
        setImmediate(() => bytes -= data.length);
        if (bytes >= muchAtOnce || isUnread())
          rest(transport._ws);
      });
      return transport;
    };
}

const isUnread = () => process.stdout.writableLength > longestQueue;

/** Pauses a source of messages until those that have come are handled: each in a task of its own,
 *  in order. */
function rest(source) {
  if (typeof source.isPaused === 'function' ? source.isPaused() : source.isPaused)
    return;
  source.pause();
  setImmediate(function resume() {
    if (isUnread())
      process.stdout.once('drain', resume);
    else
      source.resume();
  });
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

/** One count for each context has the bytes of all that the driver holds for its pages, as the
 *  client gets it. Above the bound it gives up the oldest requests and responses, and
 *  the client drops its copies. */
function countHeld() {
  const { DispatcherConnection, Dispatcher } = own('server/dispatchers/dispatcher.ts');
  const { sendCreate } = DispatcherConnection?.prototype ?? {};
  const end = Dispatcher?.prototype._disposeRecursively;
  if (typeof sendCreate !== 'function' || typeof end !== 'function')
    return;
  const counts = new Set();    // of contexts: { bytes, list: Map(dispatcher -> bytes) }
  const ofContext = new WeakMap(); // context's dispatcher -> its count
  const counted = new WeakMap();   // dispatcher -> the count that has it
  let all = 0;
  const countOf = parent => {
    while (parent && parent._type !== 'BrowserContext')
      parent = parent._parent;
    if (parent && !ofContext.has(parent)) {
      const made = { bytes: 0, list: new Map() };
      ofContext.set(parent, made);
      counts.add(made);
    }
    return ofContext.get(parent);
  };
  DispatcherConnection.prototype.sendCreate = function(parent, type, guid, initializer) {
    const count = countOf(parent), made = this._dispatcherByGuid.get(guid);
    if (count && made) {
      const bytes = sizeOf(initializer);
      count.list.set(made, bytes);
      count.bytes += bytes;
      all += bytes;
      counted.set(made, count);
    }
    sendCreate.call(this, parent, type, guid, initializer);
    if (count && count.bytes > heldBytes)
      giveUp(count, heldBytes, made);
    if (all > heldByAll) {
      const most = [...counts].reduce((a, b) => a.bytes > b.bytes ? a : b);
      giveUp(most, most.bytes - (all - heldByAll), made);
    }
  };
  Dispatcher.prototype._disposeRecursively = function(...args) {
    const count = counted.get(this);
    if (count) {
      counted.delete(this);
      count.bytes -= count.list.get(this);
      all -= count.list.get(this);
      count.list.delete(this);
    }
    counts.delete(ofContext.get(this));
    return end.apply(this, args);
  };
  const giveUp = (count, most, except) => {
    for (const held of count.list.keys()) {
      if (count.bytes <= most)
        break;
      if (held === except || held._disposed || !spared.has(held._type))
        continue;
      if (held._type === 'Request')
        held._object._postData = null;
      held._dispose('gc');
    }
  };
}

/** What the driver may give up while its page is open. */
const spared = new Set(['Request', 'Response']);

/** About how many bytes a JSON value has. */
function sizeOf(value) {
  if (typeof value === 'string' || Buffer.isBuffer(value))
    return value.length;
  if (!value || typeof value !== 'object' || typeof value._guid === 'string')
    return 8;
  let bytes = 16;
  for (const key in value)
    bytes += key.length + sizeOf(value[key]);
  return bytes;
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

function boundPages() {
  boundLogs();
  boundBrowser();
  dropArguments();
  countHeld();
  readInTurn();
}
