'use strict';
// A client of `pwpipe serve`: it speaks HTTP, and starts nothing.
const { Page, PwpipeError, Tools, byName, timeoutOf } = require('./tools.cjs');

const version = '2026-07-28'; // of the Model Context Protocol, by which files are read
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'pwpipe', version: '1' },
};

class Service {
  #url;
  #headers;

  constructor({ url = 'http://127.0.0.1:3337', key } = {}) {
    this.#url = url.replace(/\/+$/, '');
    this.#headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...(key && { 'x-api-key': key }) };
  }

  // open opens a session: a browser context of its own with one page.
  async open(options = {}) {
    return new Session(this, (await this._ask('session.create', options)).session_id);
  }

  // _ask sends one JSON-RPC request.
  async _ask(method, params, { tool = method, route = '/rpc', headers } = {}) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    let response, text, answer;
    try {
      response = await fetch(this.#url + route, { method: 'POST', headers: { ...this.#headers, ...headers }, body });
      text = await response.text();
    } catch (err) {
      throw new PwpipeError(tool, `no answer from ${this.#url}: ${err.cause?.message || err.message}`, { kind: 'unavailable' });
    }
    try {
      answer = JSON.parse(text.replace(/^(?:event: .*\n)?data: /, '')); // JSON, or the only event of a stream
    } catch {
      throw new PwpipeError(tool, `status ${response.status}, and no JSON`);
    }
    const { result, error } = answer;
    if (error === undefined) return result;
    // What is refused before it is read has a text alone.
    if (typeof error === 'string') {
      throw new PwpipeError(tool, error, { kind: answer.kind, retry_after: Number(response.headers.get('retry-after')) || undefined });
    }
    throw new PwpipeError(tool, error.message, error.data);
  }
}

class Session extends Tools {
  #service;

  constructor(service, id) {
    super();
    this.#service = service;
    this.id = id;
  }

  get #headers() {
    return { 'x-session-id': this.id }; // a balancer reads it too
  }

  async call(tool, params = [], { page, timeout } = {}) {
    return this.#service._ask(tool, { page, timeout: timeoutOf(tool, timeout), ...byName(tool, params) }, { headers: this.#headers });
  }

  // file runs a tool that writes a file, and reads the file.
  async file(tool, params = []) {
    const mcp = (method, name, more) => this.#service._ask(method, { ...more, _meta: meta }, {
      tool, route: '/mcp', headers: { ...this.#headers, 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name },
    });
    const { content, isError } = await mcp('tools/call', tool, { name: tool, arguments: byName(tool, params) });
    if (isError) throw new PwpipeError(tool, content[0].text);
    const link = content.find((part) => part.type === 'resource_link');
    if (!link) throw new PwpipeError(tool, `${tool} wrote no file`);
    const [{ blob, text }] = (await mcp('resources/read', link.uri, { uri: link.uri })).contents;
    return blob === undefined ? new TextEncoder().encode(text) : Uint8Array.from(atob(blob), (c) => c.charCodeAt(0));
  }

  page(handle) {
    return new Page(this, handle);
  }

  // close closes the session and everything in it.
  close() {
    return this.#service._ask('session.close', { session_id: this.id }, { headers: this.#headers });
  }
}

module.exports = { Service, Session };
