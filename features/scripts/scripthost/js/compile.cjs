// --- Compiles a script's text to a function.

const scriptFile = 'script.js';
const compiles = (code) => { try { new vm.Script(code, { filename: scriptFile }); return true; } catch { return false; } };
// body is the text of a function of names; the script begins at line 1.
const body = (names, text) => `((${names}) => [async () => {\n${text}\n}, () => state])`;
const make = (whole) => new vm.Script(whole, { filename: scriptFile, lineOffset: -1 }).runInThisContext();

// Matches an import at the beginning of a line: default name, * as name or { names }, module.
// It becomes a call. Line numbers stay.
const staticImport = /^([ \t]*)import\s+(type\s+)?(?:([\w$]+)\s*,?\s*)?(?:\*\s*as\s+([\w$]+)|(\{[^}]*\}))?(?:\s*from)?\s*["']([^"'\n]+)["'](?:\s*with\s*\{[^}]*\})?[ \t]*;?/gm;
const withRequire = (code) => code.replace(staticImport, (whole, space, types, standard, all, some, name) => {
  if (types && (standard || all || some)) return '\n'.repeat(whole.split('\n').length - 1);
  const module = `$import.all(${JSON.stringify(name)})`, made = [];
  if (standard) made.push(`${standard} = ${module}.default`);
  if (all) made.push(`${all} = ${module}`);
  if (some) made.push(some.replace(/\btype\s+[\w$]+(?:\s+as\s+[\w$]+)?\s*,?/g, '').replace(/([\w$]+)(\s+)as(\s+[\w$]+)/g, '$1$2:$3') + ` = ${module}`);
  return made.length ? `${space}const ${made.join(', ')};` : `${space}${module};`;
});

// import() has no loader in such a function, so scripts use $import of the scope. Functions
// for the page get import() back (patches.cjs).
const dynamicImport = /(^|[^.\w$])import(\s*\()/g;

// scan finds positions where the last statement may begin: after a semicolon, brace or line
// outside of brackets, strings, comments and templates. It also finds the top-level braces.
function scan(code) {
  let list = [0], depth = 0, last = 0, open;
  const closing = [], blocks = [];
  for (let i = 0; i < code.length; i++) {
    const c = code[i];
    if (c === '/' && code[i + 1] === '/') { i = code.indexOf('\n', i); if (i < 0) break; i--; continue; }
    if (c === '/' && code[i + 1] === '*') { i = code.indexOf('*/', i + 2) + 1; if (i <= 0) break; continue; }
    if (c === '"' || c === "'") { for (i++; i < code.length && code[i] !== c && code[i] !== '\n'; i++) if (code[i] === '\\') i++; last = c; continue; }
    if (c === '`' || c === '}' && closing.at(-1) === '`') {
      if (c === '}') { closing.pop(); depth--; }
      for (i++; i < code.length && code[i] !== '`'; i++) {
        if (code[i] === '\\') i++;
        else if (code[i] === '$' && code[i + 1] === '{') { i++; closing.push('`'); depth++; break; }
      }
      last = code[i] === '{' ? '{' : '`';
      continue;
    }
    if (c === '/' && (last === 0 || /[(,=:[!&|?{};+\-*%~^<>\n]/.test(last))) { // a regular expression
      for (let set = false; ++i < code.length && code[i] !== '\n' && (set || code[i] !== '/');) {
        if (code[i] === '\\') i++;
        else if (code[i] === '[') set = true;
        else if (code[i] === ']') set = false;
      }
      last = '/';
      continue;
    }
    if (c === '{' && depth === 0) open = i;
    if (c === '}' && depth === 1) blocks.push([open, i]);
    if ('([{'.includes(c)) { depth++; closing.push(c); } else if (')]}'.includes(c)) { depth--; closing.pop(); }
    if (depth === 0 && c === ';' && /\S/.test(code.slice(i + 1).replace(/^\s*\/\/.*$/gm, ''))) list = [i + 1];
    else if (depth === 0 && (c === '}' || c === '\n') && i + 1 < code.length) list.push(i + 1);
    if (!/\s/.test(c)) last = c;
  }
  return { list: list.slice(-300), blocks };
}

// No expression statement begins with these.
const noExpression = /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*(?:\{|(?:async\s+)?function\b|class\b|let\s*\[|$)/;

const isExpression = (text) => !noExpression.test(text) && compiles(`(async () => { return (${text}\n) })`);
// endings returns readings of a script's end: without its semicolons and comments.
const endings = (text) => {
  const last = text.replace(/(?:;\s*)+$/, '');
  return [last, last.replace(/;\s*(?:\/\/.*\s*|\/\*[^]*?\*\/\s*)+$/, '')];
};

// withReturn makes the script return the value of its last expression, also of one in the
// blocks of a final if or try.
function withReturn(code) {
  for (const at of scan(code).list) {
    const before = code.slice(0, at);
    for (const end of endings(code.slice(at))) {
      if (!isExpression(end) || !compiles(`(async () => {${before}\n})`)) continue;
      const whole = `${before}return (${end}\n)`;
      if (compiles(`(async () => {${whole}\n})`)) return whole;
    }
  }
  const kept = code.includes(keeper) ? undefined : inBlocks(code);
  return kept === undefined ? code : `let ${keeper}; ${kept}\nreturn ${keeper}`;
}
const keeper = '$completion';

// keeps has code store the value of its last expression; undefined if there is none.
function keeps(code) {
  for (const at of scan(code).list) {
    for (const end of endings(code.slice(at))) {
      const whole = `${code.slice(0, at)}${keeper} = (${end});`;
      if (isExpression(end) && isPart(whole)) return whole;
    }
  }
  return inBlocks(code);
}
const isPart = (text) => compiles(`(async () => { for (;;) {${text}\n} })`); // whether it compiles as part of a script, in a loop or not

// inBlocks is keeps for the blocks of a final if, try or bare block. Line numbers stay.
function inBlocks(code) {
  for (const at of scan(code).list.reverse()) {
    const last = code.slice(at);
    if (!/^\s*(?:(?:if|try)\b|\{)/.test(last) || !isPart(code.slice(0, at)) || !isPart(last)) continue;
    if (/^\s*\{/.test(last) && compiles(`(${last}\n)`)) return `${code.slice(0, at)}${keeper} = (${last});`; // an object literal
    let out = code.slice(0, at), from = 0, some = false;
    for (const [open, close] of scan(last).blocks) {
      const head = last.slice(from, open), kept = /(?:\)|\b(?:else|try|catch)|^)\s*$/.test(head.replace(/^\}/, '')) && keeps(last.slice(open + 1, close));
      out += head + (kept ? `{${kept}` : last.slice(open, close));
      some ||= !!kept;
      from = close;
    }
    out += last.slice(from);
    return some && isPart(out) ? out : undefined;
  }
}

// compile returns a function of the scope, and a mapping from its lines to the given ones. If
// Node cannot parse the code (TypeScript), the parent rewrites it.
async function compile(names, code) {
  const list = names.join(', ');
  code = code.replace(dynamicImport, '$1$$import$2');
  const required = withRequire(code);
  let wrong;
  for (const text of required === code ? [code] : [code, required]) {
    try {
      if (!compiles(body(list, text))) make(body(list, text)); // throws
      return { start: make(body(list, withReturn(text))), text, line: (n) => n };
    } catch (e) { wrong ??= e; }
  }
  if (compiles(`(async () => { return (\n${required}\n) })`)) return { start: make(body(list, `return (${required}\n)`)), text: required, line: (n) => n };
  const { head, raw } = await ask('lower', {}, Buffer.from(required));
  if (head.why === undefined) {
    const text = raw.toString('utf8', 0, head.length), map = new (require('module').SourceMap)(JSON.parse(raw.toString('utf8', head.length)));
    try {
      const start = make(body(list, withReturn(text)));
      return { start, text, line: (n) => { const { originalLine } = map.findEntry(n - 1 + head.before, 0); return originalLine === undefined ? n : originalLine; } };
    } catch { /* the first error says more */ }
  }
  const at = new RegExp(`${scriptFile}:(\\d+)`).exec(wrong.stack || '');
  // Everything before the parent's error is valid TypeScript, so the later error counts.
  const [message, line] = head.unread ? [head.why] : head.line > Number(at ? at[1] : 0) ? [head.why, head.line] : [wrong.message, at && at[1]];
  throw Object.assign(new SyntaxError(message + (line ? ` (line ${line})` : '')), { syntax: true });
}
