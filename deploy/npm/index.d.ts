import type { SessionOptions, Tools } from './tools';
export type { SessionOptions, Tools };

export interface Options {
  /** Flags of pwpipe, such as `['--base-url', 'https://example.com']`. */
  args?: string[];
  /** Variables on top of the environment. */
  env?: Record<string, string>;
  /** Another binary. */
  path?: string;
}

export interface CallOptions {
  /** The handle of a page. Default: the active page. */
  page?: string;
  /** Seconds. */
  timeout?: number;
}

/** A call that failed. Its message is what pwpipe answered. */
export class PwpipeError extends Error {
  readonly tool: string;
  /** From the service: `timed out`, `no target`, `over a limit`, … */
  readonly kind?: string;
  /** From the service: seconds after which the call may succeed. */
  readonly retryAfter?: number;
}

/** The tools, on one page. */
export interface Page extends Tools {
  readonly handle: string;
  call(tool: string, params?: unknown[] | object, options?: CallOptions): Promise<unknown>;
}

/** A pwpipe process. The browser starts with the first call that needs one. */
export interface Browser extends Tools {}
export class Browser {
  constructor(options?: Options);
  call(tool: string, params?: unknown[] | object, options?: CallOptions): Promise<unknown>;
  page(handle: string): Page;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** Default: `http://127.0.0.1:3337`. */
  url?: string;
  /** The service's API_KEY. */
  key?: string;
}

/** A `pwpipe serve` that runs. */
export class Service {
  constructor(options?: ServiceOptions);
  /** Opens a session: a browser context of its own with one page. */
  open(options?: SessionOptions): Promise<Session>;
}

/** A session of a service, with the tools. */
export interface Session extends Tools {}
export class Session {
  constructor(service: Service, id: string);
  readonly id: string;
  call(tool: string, params?: unknown[] | object, options?: CallOptions): Promise<unknown>;
  /** Runs a tool that writes a file on the service's machine, and reads the file. */
  file(tool: string, params?: unknown[] | object): Promise<Uint8Array>;
  page(handle: string): Page;
  close(): Promise<{ ok: boolean; har?: unknown }>;
}
