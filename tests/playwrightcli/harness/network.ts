// Requests, routes and what the page logs.
import fs from 'fs';
import http from 'http';
import { allowed, Lacking, type Options } from './words';
import type { Verb } from './verbs';
import type { Session } from './session';
import { said } from './report';

const none = (text: string) => said({ out: text, err: '', status: 0 });
const list = (value: Options[string] | undefined) => [value ?? []].flat() as string[];

const line = (q: any) => `${q.request}. [${q.method}] ${q.url} => ` +
  (q.status ? `[${q.status}] ${http.STATUS_CODES[q.status]}` : `[FAILED] ${q.failed ?? ''}`);

// Their list leaves out what was fetched for the page itself.
const isStatic = (q: any) => !['xhr', 'fetch', 'websocket'].includes(q.type);

const fields = (headers: any) => Object.entries(headers ?? {}).map(([name, value]) => `${name.toLowerCase()}: ${value}`).join('\n');

const body = (of: any) => of?.base64 ? Buffer.from(of.body, 'base64').toString('latin1') : of?.body ?? '';

const parts: { [verb: string]: [string, (q: any) => string] } = {
  'request': ['Request', q => [`#${q.request} [${q.method}] ${q.url}`, 'General', `status:    [${q.status}] ${http.STATUS_CODES[q.status]}`,
    'Request headers', fields(q.headers), 'Response headers', fields(q.response?.headers),
    body(q) ? `Run \`request-body ${q.request}\` to read the request body.` : '',
    body(q.response) ? `Run \`response-body ${q.request}\` to read the response body.` : ''].join('\n')],
  'request-headers': ['Request headers', q => fields(q.headers)],
  'request-body': ['Request body', body],
  'response-headers': ['Response headers', q => fields(q.response?.headers)],
  'response-body': ['Response body', q => body(q.response)],
};

const part = (verb: string): Verb => async (s, [number], options) => {
  allowed(options, 'filename');
  const r = await s.run(['request', number, '--json']);
  if (r.status)
    return said(r);
  const [title, of] = parts[verb];
  const text = of(JSON.parse(r.out));
  if (!options.filename)
    return none(text);
  await fs.promises.writeFile(s.file(options.filename as string), text);
  return none(`- [${title}](./${options.filename})`);
};

const messages = async (s: Session) => (await s.json(['logs.pull']))?.console ?? [];

export const network: { [name: string]: Verb } = {
  'requests': async (s, _, options) => {
    allowed(options, 'static', 'filter');
    const all: any[] = await s.json(['requests', ...options.filter ? ['--url', options.filter as string] : []]) ?? [];
    const shown = all.filter(q => options.static || !isStatic(q));
    const hidden = all.length - shown.length;
    const note = hidden ? [`Note: ${hidden} static request${hidden > 1 ? 's' : ''} not shown, run with --static option to see it.`] : [];
    return none([...shown.map(line), ...note].join('\n'));
  },
  ...Object.fromEntries(Object.keys(parts).map(verb => [verb, part(verb)])),

  'route': async (s, [pattern], options) => {
    allowed(options, 'body', 'status', 'content-type', 'header');
    const headers = Object.fromEntries(list(options.header).map(h => h.split(/:\s*/, 2)));
    const reply = { ...options.body ? { body: String(options.body) } : {}, ...options.status ? { status: +options.status } : {},
      ...options['content-type'] ? { contentType: options['content-type'] } : {}, ...options.header ? { headers } : {} };
    const r = await s.run(['route', pattern, JSON.stringify(reply)]);
    return said({ ...r, out: 'Route added' });
  },
  'route-list': async s => {
    const routes: any[] = await s.json(['routes']) ?? [];
    const text = ({ pattern, ...rest }: any) => pattern + ' ' + Object.entries(rest).map(([name, value]) =>
      `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' ');
    return none(routes.map(text).join('\n') || 'No active routes');
  },
  'unroute': async (s, [pattern]) => {
    const routes: any[] = await s.json(['routes']) ?? [];
    const gone = routes.filter(r => pattern === undefined || r.pattern === pattern);
    for (const route of new Set(gone.map(r => r.pattern)))
      await s.run(['unroute', route]);
    return none(pattern ? `Removed ${gone.length} route(s)` : `Removed all ${gone.length} route(s)`);
  },
  'network-state-set': async (s, [state]) => {
    const r = await s.run(['offline', String(state === 'offline')]);
    return said({ ...r, out: `Network is ${state}` });
  },

  'console': async (s, [level], options) => {
    allowed(options, 'clear');
    const all: any[] = await messages(s);
    if (options.clear)
      return none('Console cleared');
    const of = (type: string) => all.filter(m => m.type === type).length;
    const shown = level ? all.filter(m => m.type === level) : all;
    return none([`Total messages: ${all.length} (Errors: ${of('error')}, Warnings: ${of('warning')})`,
      ...level ? [`Returning ${shown.length} messages for level "${level}"`] : [], ...shown.map(m => m.text)].join('\n'));
  },

  'tracing-start': async () => { throw new Lacking('tracing-start: a trace is one .zip here (`trace-start`, `trace-stop FILE`)'); },
  'video-start': async () => { throw new Lacking('video-start: a film is of one page (`video-start`)'); },
};
