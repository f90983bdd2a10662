// A session of pwpipe's, and what is said of its page in the words of their reports.
import { execFile } from 'child_process';
import path from 'path';

export type Ran = { out: string, err: string, status: number };

export class Session {
  cwd: string;
  env: Record<string, string> = {};
  private refs = new Map<string, string>(); // theirs to ours, of the newest outline

  constructor(readonly prefix: string, readonly name: string, readonly dir: string) {
    this.cwd = dir;
  }

  // run runs a command in the session.
  run(words: string[]): Promise<Ran> {
    return new Promise(done => {
      const env = { ...process.env, PWPIPE_SESSION: this.prefix + this.name };
      execFile(process.env.PWPIPE_UNDER_TEST!, words, { cwd: this.cwd, env, maxBuffer: 1 << 26 }, (e: any, out, err) => {
        done({ out: out.replace(/\n$/, ''), err: err.trim(), status: e ? e.code ?? 1 : 0 });
      });
    });
  }

  // json is a command's result, undefined where it failed.
  async json(words: string[]): Promise<any> {
    const r = await this.run([...words, '--json']);
    return r.status ? undefined : JSON.parse(r.out);
  }

  // target is a selector here of what they name: a ref, or a selector.
  target(theirs: string): string {
    const n = theirs.match(/^e(\d+)$/);
    // They number the elements of the body as they stand.
    return this.refs.get(theirs) ?? (n ? `css=body, body *:not(script):not(style) >> nth=${+n[1] - 1}` : theirs);
  }

  // outline is the outline in their form: with their numbers of the elements, and two spaces
  // a level.
  async outline(words: string[] = []): Promise<Ran> {
    const r = await this.run(['snapshot', '--full', ...words]);
    if (r.status)
      return r;
    const ours = [...r.out.matchAll(/\[ref=(\w+)\]/g)].map(m => m[1]);
    const about = await this.run(['execute', '-q', `
      const about = await Promise.all(${JSON.stringify(ours)}.map(ref => page.locator('ref=' + ref).evaluate(e => {
        const all = [e.ownerDocument.body, ...e.ownerDocument.body.querySelectorAll('*:not(script):not(style)')];
        return (e.ownerDocument.defaultView === top ? 'e' : 'f1e') + (all.indexOf(e) + 1);
      })));
      const active = await page.evaluate(() => document.activeElement === document.body);
      return JSON.stringify([about, active])`]);
    const [of, body] = about.status ? [[], false] : JSON.parse(about.out);
    this.refs = new Map(ours.map((ref, i) => [of[i], ref]));
    const lines = r.out.split('\n').map(line => {
      line = line.replace(/^ */, spaces => spaces + spaces);
      return line.replace(/\[ref=(\w+)\]/, (_, ref) => `[ref=${of[ours.indexOf(ref)] ?? ref}]`);
    });
    // A number is in quotes there, and a colon says that something follows.
    lines.forEach((line, i) => {
      const depth = (text = '') => text.search(/\S/);
      if (line.endsWith(':') && depth(lines[i + 1]) <= depth(line))
        line = line.slice(0, -1);
      lines[i] = line.replace(/\]: (\d+)$/, ']: "$1"');
    });
    // Text that stands in the body alone has a line of its own here.
    const alone = lines.length === 1 && lines[0].match(/^- text: (.*)$/);
    if (alone)
      lines[0] = `- generic ${body ? '[active] ' : ''}[ref=e1]: ${alone[1]}`;
    return { ...r, out: lines.join('\n') };
  }

  // page says where the page is, as their reports do.
  async page(): Promise<string> {
    const [url, title] = [(await this.run(['url'])).out, (await this.run(['title'])).out];
    return `### Page\n- Page URL: ${url}` + (title ? `\n- Page Title: ${title}` : '');
  }

  file(name: string) {
    return path.resolve(this.cwd, name);
  }
}
