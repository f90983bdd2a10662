// --- Formats values: results and console output.

const { ChannelOwner } = core('client/channelOwner.ts');
const { Locator } = core('client/locator.ts');
let images = []; // of the run
let outlines = []; // snapshots of labelled pictures that were not printed yet

// nameOf formats a page as the tools do.
const nameOf = (page) => { try { return askNow('describe', { page: targetOf(page) }).head.text; } catch { return 'page ' + page.url(); } };
// isShown reports whether a response is that of a page's document: its URL is known then.
const isShown = (r) => { try { return r.frame().page().url() === r.url(); } catch { return false; } }; // of a worker
const objects = {
  Page: nameOf,
  Frame: (f) => 'Frame ' + f.url(),
  Request: (r) => `Request ${r.method()} ${r.url()}`,
  Response: (r) => `Response ${r.status()}` + (isShown(r) ? '' : ' ' + r.url()),
  Dialog: (d) => 'Dialog ' + d.message(),
  JSHandle: (h) => h.toString(),
  ElementHandle: (h) => h.toString(),
};
function describe(v) {
  if (v instanceof Locator) return 'Locator@' + v._selector;
  if (v instanceof ChannelOwner) return (objects[v._type] || (() => v._type))(v);
  const kind = v.constructor && v.constructor.name;
  if (kind === 'APIResponse' && v._initializer) return `APIResponse ${v.status()} ${v.url()}`;
  if (kind === 'ConsoleMessage' && v._event) return 'ConsoleMessage ' + v.text();
  if (['Keyboard', 'Mouse', 'Touchscreen', 'FrameLocator'].includes(kind) && (v._page || v._frame)) return kind;
}

// picture formats bytes: PNG and JPEG as images of the result, others by length.
function picture(v) {
  if (!(v instanceof Uint8Array || v instanceof ArrayBuffer)) return null;
  const b = v instanceof ArrayBuffer ? new Uint8Array(v) : v;
  if (b[0] === 0x89 && b[1] === 0x50 || b[0] === 0xff && b[1] === 0xd8) return `[image ${images.push(Buffer.from(b))}]`;
  return `[${b.length} bytes]`;
}

// plain converts a value to JSON types.
function plain(v, above = new Set()) {
  if (v === null || typeof v === 'string' || typeof v === 'boolean') return v;
  if (typeof v === 'number') return Number.isFinite(v) ? v : String(v);
  if (typeof v === 'bigint') return String(v);
  if (typeof v === 'function') return `[Function ${v.name || 'anonymous'}]`;
  if (typeof v === 'symbol') return String(v);
  if (v === undefined) return undefined;
  if (above.has(v)) return '[circular]';
  if (v instanceof Error) return `${v.name}: ${v.message}`;
  if (v instanceof Date) return isNaN(v) ? 'Invalid Date' : v.toISOString();
  if (v instanceof RegExp || v instanceof URL) return String(v);
  if (v instanceof Promise) return '[Promise; await it]';
  const text = picture(v) || describe(v);
  if (text) return text;
  above.add(v);
  let out;
  if (v instanceof Map) out = Object.fromEntries([...v].map(([k, e]) => [String(k), plain(e, above)]));
  else if (v instanceof Set || Array.isArray(v)) out = Array.from(v, (e) => plain(e, above) ?? null);
  else if (typeof v.toJSON === 'function') out = plain(v.toJSON(), above);
  else { out = {}; for (const k of Object.keys(v)) { const e = plain(v[k], above); if (e !== undefined) out[k] = e; } }
  above.delete(v);
  return out;
}

function show(v) {
  if (typeof v === 'string') return v;
  const p = plain(v);
  return p === undefined ? 'undefined' : typeof p === 'string' ? p : JSON.stringify(p);
}

// inWords formats a thrown value, even one whose getters throw.
const inWords = (e) => { try { return show(e); } catch { return 'a value was thrown that can\'t be put in words'; } };

function format(...args) {
  if (typeof args[0] !== 'string' || !/%[sdifjoOc%]/.test(args[0])) return args.map(show).join(' ');
  const [pattern, ...rest] = args;
  const text = pattern.replace(/%([sdifjoOc%])/g, (m, c) => {
    if (c === '%') return '%';
    if (!rest.length) return m;
    const v = rest.shift();
    switch (c) {
      case 'c': return '';
      case 'd': return String(Number(v));
      case 'i': return String(parseInt(v, 10));
      case 'f': return String(parseFloat(v));
    }
    return show(v);
  });
  return [text, ...rest.map(show)].join(' ');
}

// The console of scripts, with bounded output. Each line is sent at once, so
// that a stopped script loses none.
const printed = { most: 1 << 20, bytes: 0, line: 64 }; // line: the least that a line counts
function print(level, text) {
  if (printed.bytes > printed.most) return;
  outlines = outlines.filter((outline) => !text.includes(outline));
  printed.bytes += printed.line + text.length;
  tell('say', { level }, Buffer.from(printed.bytes > printed.most ? '(the console was cut here)' : text));
}
const scriptConsole = {};
for (const level of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir']) scriptConsole[level] = (...args) => print(level === 'dir' ? 'log' : level, format(...args));
{
  const c = scriptConsole, since = new Map(), counts = new Map();
  c.table = (v) => print('log', show(v));
  c.assert = (ok, ...args) => { if (!ok) print('error', 'Assertion failed: ' + format(...args)); };
  c.time = (l = 'default') => { since.set(l, Date.now()); };
  c.timeEnd = (l = 'default') => { c.timeLog(l); since.delete(l); };
  c.timeLog = (l = 'default') => print('log', `${l}: ${Date.now() - since.get(l)}ms`);
  c.group = (...args) => { if (args.length) c.log(...args); };
  c.groupCollapsed = c.group;
  c.groupEnd = () => {};
  c.count = (l = 'default') => { counts.set(l, (counts.get(l) || 0) + 1); print('log', `${l}: ${counts.get(l)}`); };
}
