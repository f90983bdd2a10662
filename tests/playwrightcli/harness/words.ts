// Lacking says that pwpipe has nothing of this meaning: the test is not tried.
export class Lacking extends Error {}

export type Options = { [name: string]: string | true | string[] };

// Options of theirs that have a value in the next word.
const valued = ['-s', '--session', '--modifiers', '--body', '--status', '--content-type', '--header', '--regex', '--depth'];

// commandLine parses a command line of theirs.
export function commandLine(given: string[]) {
  const words: string[] = [];
  const options: Options = {};
  for (let i = 0; i < given.length; i++) {
    const at = given[i].indexOf('=');
    if (!given[i].startsWith('-') || given[i] === '-') {
      words.push(given[i]);
      continue;
    }
    let name = at < 0 ? given[i] : given[i].slice(0, at);
    const value = at >= 0 ? given[i].slice(at + 1) : valued.includes(name) ? given[++i] : true;
    name = name.replace(/^-+/, '').replace(/^s$/, 'session');
    const before = options[name];
    options[name] = before === undefined ? value : [before, value].flat() as string[];
  }
  const session = String(options.session ?? 'default');
  delete options.session;
  return { verb: words.shift() ?? (options.help ? 'help' : ''), words, options, session };
}

// allowed are the options that a verb of theirs has here; another is Lacking.
export function allowed(options: Options, ...names: string[]) {
  for (const name of Object.keys(options)) {
    if (!names.includes(name) && name !== 'raw')
      throw new Lacking(`--${name}: no option of pwpipe means this`);
  }
}
