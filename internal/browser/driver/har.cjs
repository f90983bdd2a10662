// --- HARs within bounds: a page decides what is recorded, and the driver keeps all of
// it until the context closes.

const keptInHar = 32 << 20;    // bytes of the bodies that a HAR holds
const keptEntries = 16 << 20;  // and of its entries, without their bodies
const leastOfEntry = 1 << 10;  // bytes that an entry takes at least
const notKept = 'not kept: the bodies of a HAR are 32 MiB at most';

function boundHars() {
  const { HarTracer } = own('server/har/harTracer.ts');
  const { HarRecorder } = own('server/har/harRecorder.ts');
  const { _storeResponseContent: store, _postDataForBuffer: post, _onRequestFinished: finished } = HarTracer?.prototype ?? {};
  const { onEntryStarted: started, onEntryFinished: ended, _flush: flush } = HarRecorder?.prototype ?? {};
  if (![store, post, finished, started, ended, flush].every(f => typeof f === 'function'))
    return;
  const left = new WeakMap(); // of a tracer: bytes of bodies
  // A trace writes bodies to files.
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
  // A body for which there is no room is not fetched, and none is kept beside the HAR:
  // a response remembers its body, here one that is thrown away.
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
  const taken = new WeakMap(); // of a recorder: bytes of its entries, and how many were left out
  const of = recorder => taken.get(recorder) ?? taken.set(recorder, { bytes: 0, out: 0 }).get(recorder);
  HarRecorder.prototype.onEntryStarted = function(entry) {
    const all = of(this);
    if (all.bytes > keptEntries) {
      all.out++;
      return;
    }
    all.bytes += leastOfEntry + 2 * entry.request.url.length + lengthOf(entry.request.headers); // the query stands there twice
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
