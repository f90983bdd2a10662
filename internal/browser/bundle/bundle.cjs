// --- Playwright's bundle: lib/coreBundle.js. It is one file, of sections, each of
// which was a module, begins with its name in a comment, and runs when its init
// function is called. From outside only what the package exports can be reached. So
// the bundle is run with an end of ours: it runs the modules that are asked for, and
// gives out what they hold.

/** The bundle's text, to be evaluated: a function of what a module is given, which
 *  runs the modules of a list, in its order, and answers all that a second list names:
 *  {file: {name: …}}. A file is named as in Playwright's sources, from packages on,
 *  without playwright-core/src. */
function bundled(text, running, wanted) {
  const sections = new Map(); // file -> its text
  const parts = text.split(/^\/\/ packages\/(?:playwright-core\/src\/)?(\S+)$/m);
  for (let i = 1; i < parts.length; i += 2)
    sections.set(parts[i], (sections.get(parts[i]) || '') + parts[i + 1]);
  for (const file of [...running, ...wanted])
    if (!sections.has(file))
      throw new Error('no such module: ' + file);
  const given = wanted.map(file => `${JSON.stringify(file)}: {\n${namesIn(sections.get(file)).map(([name, own]) => `get ${name}() { return ${own}; }`).join(',\n')}\n}`);
  const inits = running.map(file => `${/^var (?:.*, )?(init_\w+) = __esm/m.exec(sections.get(file))[1]}();`);
  // A module stands after those that it needs: what is after the last is the client's, or
  // the command line's.
  const last = Math.max(...[...running, ...wanted].map(file => parts.lastIndexOf(file)));
  const body = parts.slice(0, last + 2).filter((_, i) => i % 2 === 0).join('');
  return wrapped(`${body}\n${inits.join('\n')}\nreturn {\n${given.join(',\n')}\n};\n`);
}

/** A function of what a module is given, in one byte a character: a few arrows in it
 *  would double its room. */
function wrapped(body) {
  const plain = body.replace(/[^\x00-\xff]/g, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
  return `(function(exports, require, module, __filename, __dirname) {${plain}\n})`;
}

/** What a module declares: [name, its name in the bundle], where names that several
 *  modules have are numbered. */
function namesIn(text) {
  const own = new Set();
  for (const [, fn, list] of text.matchAll(/^(?:(?:async )?function\*? ([\w$]+)\(|(?:var|class) ([^={;(]+?)(?: =| \{| extends|;))/gm))
    for (const name of (fn || list).split(', '))
      if (/^[\w$]+$/.test(name))
        own.add(name);
  const names = new Map();
  for (const name of own)
    names.set(name.replace(/(?<=\D)\d+$/, ''), name);
  for (const name of own)
    names.set(name, name);
  return [...names];
}

/** What logs where the environment asks for no log. */
const quiet = Object.assign(() => Object.assign(() => {}, { enabled: false }), { enabled: () => false });

/** lib/utilsBundle.js has what others wrote: as large as Playwright itself, and little of
 *  it is used. It is loaded when something of it is. */
function whenUsed(load) {
  let all;
  const stands = new Map();
  const standFor = name => {
    const its = () => (all ??= load())[name];
    if (name === 'debug' && !process.env.DEBUG && !process.env.DEBUG_FILE)
      return quiet;
    return new Proxy(function() {}, {
      apply: (_, self, args) => Reflect.apply(its(), self, args),
      construct: (_, args) => Reflect.construct(its(), args),
      get: (_, key) => its()[key],
      set: (_, key, value) => Reflect.set(its(), key, value),
      has: (_, key) => key in its(),
    });
  };
  return new Proxy({}, { get: (_, name) => {
    if (!stands.has(name))
      stands.set(name, standFor(name));
    return stands.get(name);
  } });
}
