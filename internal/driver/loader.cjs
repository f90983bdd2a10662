// --- The loader: what Node's does for the driver's own CommonJS and JSON
// files, with the results of look-ups remembered, and a module run only when
// something of it is used: most never are. All else is Node's.

const indexOf = new Map(); // file -> index in modules

/** The exports of one of the driver's files. */
function load(index, parent) {
  const entry = modules[index];
  const filename = root + entry.file;
  const known = Module._cache[filename];
  if (known)
    return known.exports;
  const m = new Module(filename, parent);
  m.filename = filename;
  Module._cache[filename] = m;
  let done = false;
  try {
    run(m, entry);
    done = true;
  } finally {
    if (!done)
      delete Module._cache[filename];
  }
  m.loaded = true;
  return m.exports;
}

/** The exports of one of the driver's files, or what becomes that. Modules that
 *  were ES modules export getters only, whose names are known from an earlier
 *  run; the first that is asked for has the module run. */
function later(index, parent) {
  const { file, names } = modules[index];
  const known = Module._cache[root + file];
  if (known || !names)
    return load(index, parent);
  if (stands.has(index))
    return stands.get(index);
  const stand = Object.defineProperty({}, '__esModule', { value: true });
  const become = () => {
    const exports = load(index, parent);
    for (const name of names)
      Object.defineProperty(stand, name, Object.getOwnPropertyDescriptor(exports, name));
  };
  for (const name of names)
    Object.defineProperty(stand, name, { get: () => (become(), stand[name]), enumerable: true, configurable: true });
  stands.set(index, stand);
  return stand;
}

const stands = new Map(); // index -> what stands for a module that has not run

/** The names of a module's exports, undefined if they are not getters alone. */
function namesOf(filename) {
  const m = Module._cache[filename];
  if (!m || !m.loaded || !m.exports || !m.exports.__esModule)
    return undefined;
  const all = Object.getOwnPropertyNames(m.exports).filter(name => name !== '__esModule');
  return all.every(name => Object.getOwnPropertyDescriptor(m.exports, name).get) ? all : undefined;
}

function run(m, entry) {
  const cached = entry.text === undefined ? fetch(entry) : undefined; // it may be found stale
  const text = entry.text !== undefined ? entry.text : cached ? cached.text : read(m.filename);
  if (entry.file.endsWith('.json')) {
    m.exports = JSON.parse(text);
    return;
  }
  const script = new vm.Script(text, { filename: m.filename, cachedData: cached && cached.code });
  if (script.cachedDataRejected)
    stale = true;
  if (!released || stale)
    entry.script = script;
  script.runInThisContext().call(m.exports, m.exports, requireFor(m, entry), m, m.filename, m.path);
}

function requireFor(m, entry) {
  const require = id => {
    let index = entry.requests[id];
    if (typeof index !== 'number')
      index = find(m, entry, id);
    return index < 0 ? builtin(m, id) : later(index, m);
  };
  require.resolve = (id, options) => {
    givePaths(m);
    return Module._resolveFilename(id, m, false, options);
  };
  require.main = process.mainModule;
  require.cache = Module._cache;
  require.extensions = Module._extensions;
  return require;
}

/** Look-ups in node_modules are rare, so their folders are worked out when the
 *  first comes. */
function givePaths(m) {
  if (!m.paths)
    m.paths = Module._nodeModulePaths(m.path);
}

/** The index of what id names, -1 if it is for Node to load. */
function find(m, entry, id) {
  if (Module.builtinModules.includes(id) || id.startsWith('node:'))
    return entry.requests[id] = -1;
  givePaths(m);
  const filename = Module._resolveFilename(id, m, false);
  const index = indexFor(filename);
  if (/^\.\.?\//.test(id)) // others may come to mean another file
    entry.requests[id] = index;
  return index;
}

/** The index of a file, which is read if it is new; -1 if it is not for us. */
function indexFor(filename) {
  if (!filename.startsWith(root) || !/\.js(on)?$/.test(filename))
    return -1;
  const file = filename.slice(root.length);
  if (indexOf.has(file))
    return indexOf.get(file);
  const text = read(filename);
  let index = -1;
  // A script of ours has no loader for import(), and knows no BOM or #!.
  if (!/\ufeff|\bimport\s*\(|\{ #!/.test(text))
    index = modules.push({ file, text, requests: {} }) - 1;
  indexOf.set(file, index);
  return index;
}
