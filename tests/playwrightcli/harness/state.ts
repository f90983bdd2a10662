// Sessions, cookies, storage and kept states.
import { allowed } from './words';
import type { Verb } from './verbs';
import type { Session } from './session';
import { said } from './report';

const none = (text: string) => said({ out: text, err: '', status: 0 });

const cookie = (c: any, long: boolean) => `${c.name}=${c.value} (domain: ${c.domain}, path: ${c.path}` +
  (long ? `, httpOnly: ${c.httpOnly}, secure: ${c.secure}, sameSite: ${c.sameSite}` : '') + ')';

const storage = (kind: string, name: string): { [name: string]: Verb } => ({
  [`${name.toLowerCase()}-list`]: async s => {
    const items = Object.entries(await s.json(['storage', '--kind', kind]) ?? {});
    return none(items.map(([key, value]) => `${key}=${value}`).join('\n') || `No ${name} items found`);
  },
  [`${name.toLowerCase()}-get`]: async (s, [key]) => {
    const value = await s.json(['storage', key, '--kind', kind]);
    return none(value === null ? `${name} key '${key}' not found` : `${key}=${value}`);
  },
  [`${name.toLowerCase()}-set`]: async (s, [key, value]) => said(await s.run(['set-storage', key, value, '--kind', kind])),
  [`${name.toLowerCase()}-delete`]: async (s, [key]) => said(await s.run(['clear-storage', key, '--kind', kind])),
  [`${name.toLowerCase()}-clear`]: async s => said(await s.run(['clear-storage', '--kind', kind])),
});

// open are the names of this test's sessions that are open.
const open = async (s: Session): Promise<string[]> =>
  (await s.json(['sessions']) ?? []).map((one: any) => one.name)
    .filter((name: string) => name.startsWith(s.prefix)).map((name: string) => name.slice(s.prefix.length));

const close: Verb = async (s, _, options) => {
  allowed(options);
  const r = await s.run(['close']);
  return r.status === 3 ? none(`Browser '${s.name}' is not open.`)
    : said({ ...r, out: `Browser '${s.name}' closed` });
};

export const state: { [name: string]: Verb } = {
  'list': async (s, _, options) => {
    allowed(options);
    const names = await open(s);
    return none(names.length ? '### Browsers\n' + names.map(name => `- ${name}:\n  - status: open`).join('\n') : '(no browsers)');
  },
  'close': close,
  'delete-data': async (s, _, options) => {
    allowed(options);
    const name = s.prefix + s.name;
    const r = await s.run(['state-delete', name]);
    return r.status === 3 ? none(`No user data found for browser '${s.name}'.`) : said({ ...r, out: `Deleted user data for browser '${s.name}'.` });
  },
  'close-all': async s => {
    for (const name of await open(s))
      await s.run(['close', s.prefix + name]);
    return none('');
  },

  'cookie-list': async s => {
    const list: any[] = await s.json(['cookies']) ?? [];
    return none(list.map(c => cookie(c, false)).join('\n') || 'No cookies found');
  },
  'cookie-get': async (s, [name]) => {
    const found = (await s.json(['cookies']) ?? []).find((c: any) => c.name === name);
    return none(found ? cookie(found, true) : `Cookie '${name}' not found`);
  },
  'cookie-set': async (s, words, options) => {
    allowed(options);
    return said(await s.run(['set-cookie', ...words]));
  },
  'cookie-delete': async (s, [name]) => said(await s.run(['clear-cookies', '--name', name])),
  'cookie-clear': async s => said(await s.run(['clear-cookies'])),

  'state-save': async (s, words) => said(await s.run(['save-state', ...words])),
  'state-load': async (s, words) => {
    const r = await s.run(['load-state', ...words]);
    return said({ ...r, out: 'Storage state restored' });
  },

  ...storage('local', 'localStorage'),
  ...storage('session', 'sessionStorage'),
};
