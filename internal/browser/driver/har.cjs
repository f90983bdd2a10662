// --- Bounds on HARs: the page decides what is recorded, and the driver keeps all of
// it until the context closes.

const keptInHar = 32 << 20;    // bytes of bodies in a HAR
const keptEntries = 16 << 20;  // bytes of its entries, without bodies
const leastOfEntry = 1 << 10;  // minimum bytes counted per entry
const notKept = 'not kept: the bodies of a HAR are 32 MiB at most';

function boundHars() {
  const { HarTracer } = own('server/har/harTracer.ts');
  const { HarRecorder } = own('server/har/harRecorder.ts');
  const { _storeResponseContent: store, _postDataForBuffer: post, _onRequestFinished: finished } = HarTracer?.prototype ?? {};
  const { onEntryStarted: started, onEntryFinished: ended, _flush: flush } = HarRecorder?.prototype ?? {};
  if (![store, post, finished, started, ended, flush].every(f => typeof f === 'function'))
    return;
  const left = new WeakMap(); // tracer -> bytes left for bodies
  // A trace is not bounded: it writes bodies to files.
  const bounded = tracer => !tracer._options.includeTraceInfo;
  const room = tracer => left.get(tracer) ?? keptInHar;
  const take = (tracer, bytes) => {
    if (!bounded(tracer))
      return true;
    if (bytes > room(tracer))
      return false;
    left.set(tracer, room(tracer) - bytes);
    return true;
  };
  HarTracer.prototype._storeResponseContent = function(body, content, type) {
    if (!body || take(this, body.length))
      return store.call(this, body, content, type);
    content.size = body.length;
    content.comment = notKept;
  };
  HarTracer.prototype._postDataForBuffer = function(body, type, content) {
    if (!body || take(this, body.length))
      return post.call(this, body, type, content);
    return { mimeType: type ?? 'application/octet-stream', text: '', params: [], comment: notKept };
  };
  // A body that does not fit is not fetched. A response caches its body; `once` takes
  // that cache, so that none is kept beside the HAR.
  HarTracer.prototype._onRequestFinished = function(request, response) {
    if (!response || !bounded(this))
      return finished.call(this, request, response);
    const once = Object.create(response);
    once.internalBody = async () => {
      const known = response._encodedBodySizePromise;
      const size = known?.isDone() ? await known : 0;
      if (size <= room(this))
        return response.internalBody.call(once);
      const content = this._entryForRequest(request)?.response.content;
      if (content)
        Object.assign(content, { size, comment: notKept });
      throw new Error(notKept);
    };
    return finished.call(this, request, once);
  };
  const taken = new WeakMap(); // recorder -> bytes of its entries, and number of omitted ones
  const of = recorder => taken.get(recorder) ?? taken.set(recorder, { bytes: 0, out: 0 }).get(recorder);
  HarRecorder.prototype.onEntryStarted = function(entry) {
    const all = of(this);
    if (all.bytes > keptEntries) {
      all.out++;
      return;
    }
    all.bytes += leastOfEntry + 2 * entry.request.url.length + lengthOf(entry.request.headers); // the entry holds the query twice
    started.call(this, entry);
  };
  HarRecorder.prototype.onEntryFinished = function(entry) {
    of(this).bytes += lengthOf(entry.response.headers);
    ended.call(this, entry);
  };
  HarRecorder.prototype._flush = function() {
    const { out } = of(this), stop = this._tracer.stop;
    if (out)
      this._tracer.stop = function() {
        return { ...stop.call(this), comment: `${out} requests are left out: the entries of a HAR are 16 MiB at most, without bodies` };
      };
    return flush.call(this);
  };
}

function lengthOf(headers) {
  return headers.reduce((n, { name, value }) => n + name.length + value.length, 0);
}
