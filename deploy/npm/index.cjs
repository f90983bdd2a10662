'use strict';
// A client of pwpipe: starts the binary and talks to it over its pipes.
const { spawn } = require('node:child_process');
const readline = require('node:readline');
const { program, environment } = require('./program.cjs');
const tools = require('./tools.json');

// PwpipeError is the error of a failed call, with pwpipe's message.
class PwpipeError extends Error {
  constructor(tool, message) {
    super(message);
    this.name = 'PwpipeError';
    this.tool = tool;
  }
}

// Tools has a method for each tool in tools.json.
class Tools {}
for (const [method, tool] of Object.entries(tools)) {
  Tools.prototype[method] = function (...params) {
    const named = params.length === 1 && params[0] !== null && typeof params[0] === 'object' && !Array.isArray(params[0]);
    return this.call(tool, named ? params[0] : params);
  };
}

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

class Browser extends Tools {
  #child;
  #ended;
  #waiting = new Map();
  #last = 0;

  constructor({ args = [], env = {}, path } = {}) {
    super();
    this.#child = spawn(path ?? program(), args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...environment(), ...env } });
    this.#child.stdin.on('error', () => {}); // the exit handler reports the error
    const lines = readline.createInterface({ input: this.#child.stdout, crlfDelay: Infinity });
    lines.on('line', (line) => this.#take(JSON.parse(line)));
    this.#ended = new Promise((resolve) => {
      let why = 'pwpipe ended';
      this.#child.on('error', (err) => { why = `pwpipe does not start: ${err.message}`; lines.close(); });
      this.#child.on('exit', (code, signal) => { why = `pwpipe ended (${signal ?? `status ${code}`})`; });
      lines.on('close', () => {
        for (const { tool, reject } of this.#waiting.values()) reject(new PwpipeError(tool, why));
        this.#waiting.clear();
        this.#last = NaN; // refuses further calls
        resolve();
      });
    });
  }

  #take({ id, result, error }) {
    const call = this.#waiting.get(id);
    if (!call) return;
    this.#waiting.delete(id);
    if (error === undefined) call.resolve(result);
    else call.reject(new PwpipeError(call.tool, error));
  }

  // call runs a tool. params is an object by name, or an array by position.
  call(tool, params = [], { page, timeout } = {}) {
    if (Number.isNaN(this.#last)) return Promise.reject(new PwpipeError(tool, 'pwpipe has ended'));
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { tool, resolve, reject });
      this.#child.stdin.write(JSON.stringify({ id, method: tool, params, page, timeout }) + '\n');
    });
  }

  // page returns the tools of the page with this handle.
  page(handle) {
    return new Page(this, handle);
  }

  // close lets running calls finish, closes the browser and waits for the exit.
  close() {
    this.#child.stdin.end();
    return this.#ended;
  }
}

module.exports = { Browser, Page, PwpipeError };
