(native, scope) => {
  'use strict';
  // Routing. playwright-go calls a handler with the route alone, tells handlers
  // apart by their Go functions, and can't answer with a response whose body
  // is another.
  const { define, matching } = scope, { call } = native;
  const routes = new WeakMap(); // page or context -> [{ url, handler, on }]
  const of = (o) => routes.get(o) || (routes.set(o, []), routes.get(o));
  const same = (a, b) => a === b || a instanceof RegExp && b instanceof RegExp && String(a) === String(b);

  for (const c of ['Page', 'BrowserContext']) define(c, {
    async route(url, handler, options) {
      if (typeof handler !== 'function') throw new TypeError('route takes a handler');
      if (of(this).length >= native.maxListeners) throw new RangeError(`more than ${native.maxListeners} routes`);
      const entry = { url, handler, on: true };
      of(this).push(entry);
      const handle = (route) => entry.on ? handler(route, route.request()) : route.fallback();
      return call(this, 'route', matching(url), handle, ...(options && options.times ? [options.times] : []));
    },
    async unroute(url, handler) {
      const list = of(this), here = list.filter((e) => same(e.url, url));
      const gone = handler ? here.filter((e) => e.handler === handler) : here;
      for (const e of gone) { e.on = false; list.splice(list.indexOf(e), 1); }
      // What playwright-go tells by its URL goes there too, with the last handler.
      if (gone.length === here.length && typeof matching(url) !== 'function') await call(this, 'unroute', url);
    },
    async unrouteAll(options) {
      for (const e of of(this)) e.on = false;
      routes.delete(this);
      return call(this, 'unrouteAll', ...(options ? [options] : []));
    },
  });

  // answer is what fulfill takes, with the parts of a response spelt out where
  // its body is replaced: the new one has another length, and is not encoded.
  const answer = (o) => {
    o = { ...o };
    if ('json' in o) {
      o.body = JSON.stringify(o.json);
      delete o.json;
      if (!o.contentType && !Object.keys(o.headers || {}).some((h) => h.toLowerCase() === 'content-type')) o.contentType = 'application/json';
    }
    if (o.response && (o.body !== undefined || o.path)) {
      const { 'content-length': length, 'content-encoding': encoding, ...headers } = o.response.headers();
      if (o.contentType) delete headers['content-type'];
      o = { status: o.response.status(), headers, ...o };
      delete o.response;
    }
    return o;
  };
  const posting = (o) => o.postData && typeof o.postData === 'object' && !Buffer.isBuffer(o.postData) ? { ...o, postData: JSON.stringify(o.postData) } : o;
  define('Route', {
    async fulfill(o) { return call(this, 'fulfill', answer(o)); },
    async abort(code) { return call(this, 'abort', ...(code ? [code] : [])); },
    async continue(o) { return call(this, 'continue', ...(o ? [posting(o)] : [])); },
    async fallback(o) { return call(this, 'fallback', ...(o ? [posting(o)] : [])); },
  });
}
