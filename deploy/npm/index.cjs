'use strict';
// A client of pwpipe: starts the binary and talks to it over its pipes.
const { spawn } = require('node:child_process');
const readline = require('node:readline');
const { program, environment } = require('./program.cjs');
const { Page, PwpipeError, Tools, timeoutOf } = require('./tools.cjs');
const { Service, Session } = require('./service.cjs');

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
      this.#child.stdin.write(JSON.stringify({ id, method: tool, params, page, timeout: timeoutOf(tool, timeout) }) + '\n');
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

module.exports = { Browser, Page, PwpipeError, Service, Session };
