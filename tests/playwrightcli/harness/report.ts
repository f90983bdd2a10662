// Reports in their form, made of what pwpipe answered.
import type { Ran, Session } from './session';

export type Report = {
  output: string, error: string, exitCode: number,
  snapshot?: string, inlineSnapshot?: string, attachments?: { name: string, data: Buffer | null }[],
};

// Errors that say the same in other words.
const wordings: [RegExp, (m: RegExpMatchArray) => string][] = [
  [/nothing matches "css=body, .* >> nth=(\d+)"/, m => `Ref e${+m[1] + 1} not found in the current page snapshot.`],
  [/nothing matches "([^"]*)"/, m => `"${m[1]}" does not match any elements.`],
  [/ref (\w+) is stale/, m => `Ref ${m[1]} not found in the current page snapshot.`],
  [/"([^"]*)" matches \d+ elements/, () => 'strict mode violation'],
  [/unknown option (--[\w-]+)/, m => `Unknown option: ${m[1]}`],
  [/too many words.*usage: pwpipe \S+((?: [A-Z]+)*)/, m => {
    const expected = m[1].trim().split(' ').length;
    return `error: too many arguments: expected ${expected}, received ${expected + 1}`;
  }],
  [/(\w+) is missing; usage/, m => `error: '${m[1]}' argument: expected string, received undefined`],
  [/(\w+): expected a number, as JSON, got "([^"]*)"/, m => `error: '${m[1]}' argument: expected number, received '${m[2]}'`],
  [/has no request (\d+)/, m => `Request #${m[1]} not found`],
];

// said is a report of an answer and no more. Theirs knows one status for all that is wrong.
export function said(r: Ran, before = ''): Report {
  if (!r.status)
    return { output: before + r.out, error: '', exitCode: 0 };
  const theirs = wordings.flatMap(([ours, words]) => r.err.match(ours) ? [words(r.err.match(ours)!)] : []);
  const text = [r.err, ...theirs].join('\n');
  return { output: text, error: text, exitCode: 1 };
}

type How = { raw?: boolean, shows?: boolean, inline?: boolean, result?: boolean };

// report is a report of the result and the page, in their parts.
export async function report(s: Session, r: Ran, how: How): Promise<Report> {
  const out = said(r);
  if (r.status || how.raw)
    return how.shows && !r.status ? { ...out, output: '' } : out;
  const page = await s.page();
  if (how.inline)
    return { ...out, inlineSnapshot: r.out, output: `${page}\n### Snapshot\n\`\`\`yaml\n${r.out}\n\`\`\`` };
  const result = (how.result || r.out) ? `### Result\n${r.out}\n` : '';
  if (!how.shows)
    return { ...out, output: result + page };
  const outline = await s.outline();
  return { ...out, output: result + page, snapshot: outline.out };
}
