// --- Playwright's bundle, lib/coreBundle.js, is one file made of sections. Each was a
// module: it begins with the module's name in a comment, and runs when its init function
// is called. Only the package's exports are accessible from outside. So the bundle is run
// with code appended that runs the requested modules and returns their declarations.

/** The bundle's text as a function expression that takes Node's module arguments. It runs
 *  the modules of `running` in order and returns the declarations of `wanted`:
 *  {file: {name: …}}. Files are named as in Playwright's sources, from packages on,
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
  // A module comes after its dependencies. What follows the last one belongs to the
  // client or the command line.
  const last = Math.max(...[...running, ...wanted].map(file => parts.lastIndexOf(file)));
  const body = parts.slice(0, last + 2).filter((_, i) => i % 2 === 0).join('');
  return wrapped(`${body}\n${inits.join('\n')}\nreturn {\n${given.join(',\n')}\n};\n`);
}

/** Wraps code in a function of Node's module arguments, in one-byte characters: a few
 *  arrows in it would double its size. */
function wrapped(body) {
  const plain = body.replace(/[^\x00-\xff]/g, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
  return `(function(exports, require, module, __filename, __dirname) {${plain}\n})`;
}

/** The declarations of a module: [name, name in the bundle]. The bundle numbers names
 *  that several modules share. */
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

/** A logger that is off. */
const quiet = Object.assign(() => Object.assign(() => {}, { enabled: false }), { enabled: () => false });

/** lib/utilsBundle.js holds third-party code: as large as Playwright itself, and little
 *  of it is used. It is loaded at its first use. */
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
