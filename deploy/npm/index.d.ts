import type { Tools } from './tools';
export type { Tools };

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
