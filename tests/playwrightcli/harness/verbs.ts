// What each verb of theirs is here, where it means the same.
import fs from 'fs';
import { allowed, Lacking, type Options } from './words';
import type { Ran, Session } from './session';
import { report, said, type Report } from './report';
import { state } from './state';
import { network } from './network';

export type Verb = (s: Session, words: string[], options: Options) => Promise<Report>;

// act is a verb that acts on the page: its report shows the outline.
const act = (make: (s: Session, words: string[]) => string[][]): Verb => async (s, words, options) => {
  const { submit, ...rest } = options;
  allowed(rest);
  let r: Ran = { out: '', err: '', status: 0 };
  for (const command of [...make(s, words), ...submit ? [['press', 'Enter']] : []])
    r = r.status ? r : await s.run(command);
  return report(s, r, { raw: !!options.raw, shows: true });
};

const key = (name: string) => act((_, words) => [[name, ...words]]);
const onTarget = (name: string) => act((s, [target, ...words]) => [[name, s.target(target), ...words]]);

const tabs = async (s: Session, before: Ran) => {
  const list: any[] = await s.json(['pages']) ?? [];
  const line = (p: any, i: number) => `- ${i}:${p.active ? ' (current)' : ''} [${p.title}](${p.url})`;
  return said(before.status ? before : { ...before, out: list.map(line).join('\n') }, '### Result\n');
};

const tab = async (s: Session, index?: string) => {
  const list: any[] = await s.json(['pages']) ?? [];
  return (index === undefined ? list.find(p => p.active) : list[+index])?.page ?? 'p0';
};

// drawn writes a picture or a PDF; its report names the file.
const drawn = async (s: Session, command: string[], title: string, named?: string) => {
  const r = await s.run(command);
  if (r.status)
    return said(r);
  const file = r.out.split('\n')[0];
  const text = `### Result\n- [${title}](${named ? './' + named : file})`;
  return { ...said({ ...r, out: text }), attachments: [{ name: title, data: fs.readFileSync(file) }] };
};

const evaluate: Verb = async (s, [code, target], options) => {
  allowed(options);
  const r = await s.run(target === undefined ? ['eval', '--json', code]
    : ['execute', '-q', `JSON.stringify(await page.locator(${JSON.stringify(s.target(target))}).evaluate(${code}))`]);
  return report(s, r, { raw: !!options.raw, result: true });
};

export const verbs: { [name: string]: Verb } = {
  ...state,
  ...network,

  'open': async (s, words, options) => {
    allowed(options);
    return report(s, await s.run(['open', '-q', ...words]), { shows: true });
  },
  'goto': act((_, words) => [['goto', '-q', ...words]]),
  'go-back': act(() => [['back', '-q']]),
  'go-forward': act(() => [['forward', '-q']]),
  'reload': act(() => [['reload', '-q']]),

  'click': async (s, [target, button], options) => {
    allowed(options, 'modifiers');
    const keys = [options.modifiers ?? []].flat().flatMap(k => ['--keys', k as string]);
    const r = button || keys.length ? await s.run(['rclick', s.target(target), '--button', button ?? 'left', ...keys])
      : await s.run(['click', s.target(target)]);
    return report(s, r, { raw: !!options.raw, shows: true });
  },
  'dblclick': onTarget('dclick'),
  'hover': onTarget('hover'),
  'check': onTarget('check'),
  'uncheck': onTarget('uncheck'),
  'select': onTarget('sel'),
  'fill': onTarget('fill'),
  'drag': act((s, [from, to]) => [['drag', s.target(from), s.target(to)]]),
  'drop': async (s, [target], options) => {
    allowed(options, 'path');
    return report(s, await s.run(['drop', s.target(target), ...[options.path].flat() as string[]]), { shows: true });
  },
  // Typing without an element is Playwright's keyboard here.
  'type': act((_, [text]) => [['execute', '-q', `await page.keyboard.type(${JSON.stringify(text)})`]]),
  'press': key('press'),
  'keydown': key('key-down'),
  'keyup': key('key-up'),
  'mousemove': key('mouse-move'),
  'mousedown': key('mouse-down'),
  'mouseup': key('mouse-up'),
  'mousewheel': key('wheel'),
  'resize': key('viewport'),
  'dialog-accept': async () => { throw new Lacking('dialog-accept: an answer is set before the dialog (`dialog`)'); },
  'dialog-dismiss': async () => { throw new Lacking('dialog-dismiss: an answer is set before the dialog (`dialog`)'); },

  'eval': evaluate,
  'run-code': async (s, [code], options) => {
    allowed(options, 'filename');
    const text = options.filename ? await fs.promises.readFile(s.file(options.filename as string), 'utf8') : code;
    return report(s, await s.run(['execute', '-q', `JSON.stringify(await (${text})(page))`]), { result: true });
  },
  'snapshot': async (s, [target], options) => {
    allowed(options, 'depth');
    const words = [...target ? ['--selector', s.target(target)] : [], ...options.depth ? ['--depth', String(+options.depth + 1)] : []];
    return report(s, await s.outline(words), { raw: !!options.raw, inline: true });
  },
  'find': async (s, [text], options) => {
    allowed(options, 'regex');
    const [, body, flags] = String(options.regex ?? '').match(/^\/(.*)\/(\w*)$/) ?? ['', String(options.regex), ''];
    const pattern = text === undefined ? body : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const words = ['search', pattern, ...flags.includes('i') ? ['--ignoreCase'] : []];
    const [hits, around] = [await s.run(words), await s.run([...words, '--context', '2'])];
    const what = text === undefined ? (flags ? options.regex : `/${body}/`) : `"${text}"`;
    const n = hits.out === 'no match' ? 0 : hits.out.split('\n').length;
    const head = n ? `Found ${n} match${n > 1 ? 'es' : ''} for ${what}:\n` : `No matches found for ${what}.`;
    return said({ ...around, out: head + (n ? around.out : '') });
  },
  'generate-locator': async (s, [target], options) => {
    allowed(options);
    return said(await s.run(['locator', s.target(target)]));
  },

  'tab-list': async s => tabs(s, { out: '', err: '', status: 0 }),
  'tab-new': async (s, [url]) => {
    const r = await s.run(['new-page', 'c1', '--use']);
    return tabs(s, r.status || !url ? r : await s.run(['goto', '-q', url]));
  },
  'tab-select': async (s, [index]) => tabs(s, await s.run(['use-page', await tab(s, index)])),
  'tab-close': async (s, [index]) => tabs(s, await s.run(['close-page', await tab(s, index)])),

  'screenshot': async (s, [target], options) => {
    allowed(options, 'full-page', 'filename');
    const name = options.filename as string;
    const title = 'Screenshot of ' + (target ? 'element' : options['full-page'] ? 'full page' : 'viewport');
    return drawn(s, ['screenshot', ...target ? ['--selector', s.target(target)] : [],
      ...options['full-page'] ? ['--full-page'] : [], ...name ? ['--path', name] : []], title, name);
  },
  'pdf': async (s, _, options) => {
    allowed(options, 'filename');
    const name = options.filename as string;
    return drawn(s, ['pdf', ...name ? [name] : []], 'Page as pdf', name);
  },
};
