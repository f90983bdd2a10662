'use strict';
// What the clients of the pipe and of the service share.
const tools = require('./tools.json');

// PwpipeError is the error of a failed call, with pwpipe's message. The service also
// tells its kind, and after how many seconds the call may succeed.
class PwpipeError extends Error {
  constructor(tool, message, { kind, retry_after: retryAfter } = {}) {
    super(message);
    this.name = 'PwpipeError';
    Object.assign(this, { tool, kind, retryAfter });
  }
}

// Tools has a method for each tool in tools.json.
class Tools {}
for (const [tool, { method }] of Object.entries(tools)) {
  Tools.prototype[method] = function (...params) {
    const named = params.length === 1 && params[0] !== null && typeof params[0] === 'object' && !Array.isArray(params[0]);
    return this.call(tool, named ? params[0] : params);
  };
}

// byName names parameters that are given by position.
function byName(tool, params) {
  if (!Array.isArray(params)) return params;
  const names = tools[tool]?.params ?? [];
  if (params.length > names.length) throw new PwpipeError(tool, `${tool}: expected at most ${names.length} parameters`);
  return Object.fromEntries(params.map((value, i) => [names[i], value]));
}

// timeoutOf is a time-out as a tool reads it. Those with a dot in their names read milliseconds.
const timeoutOf = (tool, seconds) => (tool.includes('.') && seconds !== undefined ? seconds * 1000 : seconds);

// Page is one page of a browser or of a session.
class Page extends Tools {
  constructor(browser, handle) {
    super();
    this.browser = browser;
    this.handle = handle;
  }
  call(tool, params = [], options = {}) {
    return this.browser.call(tool, params, { ...options, page: this.handle });
  }
}

module.exports = { PwpipeError, Tools, Page, byName, timeoutOf };
