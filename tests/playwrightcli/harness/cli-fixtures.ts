// Stands in for the file of this name beside Playwright's command-line tests: `cli` runs
// commands of pwpipe in place of theirs.
import fs from 'fs';
import path from 'path';
import { test as base, expect } from './fixtures';
import { commandLine, Lacking } from './words';
import { verbs } from './verbs';
import { Session } from './session';

export { expect } from './fixtures';

const lacks = (why: string) => base.info().skip(true, why);

// configured reports whether a test sets more than their `capabilities`, which are always there here.
const configured = (info: any) => ['.playwright/cli.config.json', 'home/.playwright/cli.config.json'].some(name => {
  try {
    return 'browser' in JSON.parse(fs.readFileSync(info.outputPath(name), 'utf8').replace(/^\uFEFF/, ''));
  } catch {
    return false;
  }
});

// Tests of more than their commands tell.
const needs = new Map<string, string>([
  ['dialog-accept', 'dialog-accept: an answer is set before the dialog (`dialog`)'],
  ['dialog-dismiss', 'dialog-dismiss: an answer is set before the dialog (`dialog`)'],
  ['kill-all kills only filtered pid', 'kill-all: `close --all` ends the services'],
  ['wrong option type', '--submit: `press Enter` is a command of its own'],
  ['daemon shuts down on browser launch failure', 'a browser of another program: `PWPIPE_BROWSER`, which has a service of its own'],
  ...['list browser servers', 'attach to browser server', 'fail to attach to browser server without contexts', 'attach with session alias',
    'detach from browser server'].map(title => [title, 'attach: a browser is attached to by `open --cdp` only'] as [string, string]),
]);

export const test = base.extend<any>({
  cliEnv: async ({}, use: any) => use({}),
  boundBrowser: async ({}, use: any) => lacks('attach: a browser is attached to by `open --cdp` only'),
  cdpServer: async ({}, use: any) => lacks('attach: a browser is attached to by `open --cdp` only'),
  wsEndpoint: async ({}, use: any) => lacks('attach: a browser is attached to by `open --cdp` only'),
  startDashboardServer: async ({}, use: any) => lacks('show: the live page is another'),
  connectToDashboard: async ({}, use: any) => lacks('show: the live page is another'),
  childProcess: async ({}, use: any) => use(() => lacks('a process of Playwright\'s own')),

  cli: async ({}, use: any, info: any) => {
    await fs.promises.mkdir(info.outputPath('.playwright'), { recursive: true });
    if (needs.has(info.title))
      lacks(needs.get(info.title)!);
    const sessions = new Map<string, Session>();
    const prefix = 't' + info.testId.slice(-8) + '-';
    const of = (name: string) => {
      if (!sessions.has(name))
        sessions.set(name, new Session(prefix, name, info.outputPath()));
      return sessions.get(name)!;
    };
    await use((...given: any[]) => base.step('cli ' + given.filter(a => typeof a === 'string').join(' '), async () => {
      const options = given.find(a => typeof a === 'object') ?? {};
      const line = commandLine(given.filter(a => typeof a === 'string'));
      const session = of(line.session);
      session.cwd = options.cwd ?? info.outputPath();
      session.env = options.env ?? {};
      try {
        if (line.options.json)
          throw new Lacking('--json: it has another form here');
        if (configured(info))
          throw new Lacking('.playwright/cli.config.json: settings are in `pwpipe.json`');
        if (session.env.PLAYWRIGHT_CLI_VERSION_FOR_TEST)
          throw new Lacking('a client older than the service is served, and told so');
        const verb = verbs[line.verb];
        if (!verb)
          throw new Lacking(`${line.verb || 'no command at all'}: no command of pwpipe means this`);
        return await verb(session, line.words, line.options);
      } catch (e) {
        if (e instanceof Lacking)
          lacks(e.message);
        throw e;
      }
    }));
    for (const session of sessions.values())
      await session.run(['close']);
  },
});

// The page of their mouse tests is in their own file of this name.
const theirs = fs.readFileSync(path.join(__dirname, 'cli-fixtures.theirs'), 'utf8');
export const eventsPage: string = theirs.match(/export const eventsPage = `([^`]*)`/)![1];

export const findDefaultSession = () => lacks('the files of their daemon');
export const daemonFolder = () => lacks('the files of their daemon');
