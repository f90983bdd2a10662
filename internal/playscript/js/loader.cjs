// --- The packages' modules. They are loaded here, not by Node's loader: that one
// is not there where an image is made, a heap that has Playwright in it and that
// later processes begin with (see image.cjs).

const building = !!require('v8').startupSnapshot?.isBuildingSnapshot();
let making = building; // false in a process that began with an image

const loaded = new Map(); // file -> module
const instead = new Map(); // file -> exports that have its place
const libOf = (dir, file) => path.join(settings[dir], 'lib', file);

function load(file) {
  const known = loaded.get(file);
  if (known) return known.exports;
  if (instead.has(file)) return instead.get(file);
  const text = fs.readFileSync(file, 'utf8');
  if (file.endsWith('.json')) return JSON.parse(text);
  const module = { exports: {}, id: file, filename: file, path: path.dirname(file), loaded: false };
  loaded.set(file, module);
  const later = making && unlike.some((name) => file === libOf('core', name));
  const require = Object.assign((id) => {
    if (later) throw new Early(file);
    return requested(file, id);
  }, { resolve: (id) => found(file, id) || id });
  try {
    new vm.Script(`(function(exports, require, module, __filename, __dirname) {${text}\n})`, { filename: file }).runInThisContext()
      .call(module.exports, module.exports, require, module, file, module.path);
  } catch (e) {
    if (!making || !(e instanceof Early)) { loaded.delete(file); throw e; }
    loaded.set(file, { exports: deferred(file, module.exports) });
  }
  module.loaded = true;
  return loaded.get(file).exports;
}

// found is the file that a name leads to, undefined of what is Node's.
function found(from, id) {
  if (id.startsWith('playwright-core/')) id = path.join(settings.core, id.slice('playwright-core/'.length)); // of the test package
  else if (id[0] === '.') id = path.resolve(path.dirname(from), id);
  else if (!path.isAbsolute(id)) return undefined;
  return [id, id + '.js', id + '.json', path.join(id, 'index.js')].find((file) => loaded.has(file) || fs.statSync(file, { throwIfNoEntry: false })?.isFile());
}
function requested(from, id) {
  const file = found(from, id);
  return file ? load(file) : builtin(id.replace(/^node:/, ''));
}
const core = (file) => load(libOf('core', file));

// What Node has is not all there while an image is made, and not all of it can be
// put into one. Then modules get what stands for it: it has the same names, can be
// a class's parent, and is Node's own as soon as it is used in a process. What uses
// it as it is loaded is loaded again there.
const inImages = new Set(['assert', 'buffer', 'events', 'fs', 'os', 'path', 'stream', 'string_decoder', 'url', 'util']);
// unlike are modules that keep something of the process in which they are loaded: what
// they export is known when they ask for others.
const unlike = ['utils/isomorphic/time.js'];

class Early extends Error {}
const stands = new Map(); // name -> what stands for Node's module

function builtin(name) {
  if (name === 'async_hooks') return { AsyncLocalStorage: Storage }; // see zones.cjs
  if (!making) return require(name);
  if (name === 'util') return Object.create(require(name)); // who lists its members has Node load what no thread can begin with, of an image
  if (inImages.has(name)) return require(name);
  if (stands.has(name)) return stands.get(name);
  const stand = {};
  for (const [key, { type, value }] of Object.entries(settings.builtins[name] || {})) {
    let member = value;
    Object.defineProperty(stand, key, { enumerable: true, configurable: true, set: (v) => { member = v; },
      get: () => type === 'value' && making ? member : member ??= making ? standFor(name, key, type) : require(name)[key] });
  }
  stands.set(name, stand);
  return stand;
}

function standFor(name, key, type) {
  const meanwhile = inMaking[`${name}.${key}`];
  let there;
  const its = () => {
    if (making) throw new Early(`${name}.${key}`);
    if (!there) {
      there = require(name)[key];
      if (there.prototype) Object.setPrototypeOf(stand.prototype, there.prototype);
    }
    return require(name)[key];
  };
  const stand = type === 'function' ? function() {} : {};
  if (type === 'function') delete stand.prototype.constructor; // it is the one of what stands above it
  const proxy = new Proxy(stand, {
    apply: (_, self, args) => Reflect.apply(making && meanwhile || its(), self, args),
    construct: (_, args, as) => Reflect.construct(its(), args, as === proxy ? there : as),
    has: (_, key) => key in its(),
    get: (_, key) => {
      if (key === 'prototype') return stand.prototype;
      if (key === Symbol.hasInstance) return function(v) { return this === proxy ? v instanceof its() : Function.prototype[Symbol.hasInstance].call(this, v); };
      return making && type === 'function' ? stand[key] : its()[key];
    },
  });
  return proxy;
}

// inMaking is what some of it answers while an image is made.
const inMaking = {
  'tty.isatty': () => false,
  'crypto.randomBytes': (n) => Buffer.from(Array.from({ length: n }, () => Math.random() * 256)), // names of Playwright's own objects
};

// deferred has the exports of a module that is loaded when one of them is asked for.
function deferred(file, exports) {
  const names = Object.getOwnPropertyNames(exports), stand = {};
  const become = (key) => {
    if (making) throw new Early(file);
    if (loaded.get(file)?.exports === stand) loaded.delete(file);
    return load(file)[key];
  };
  for (const key of names) Object.defineProperty(stand, key, { enumerable: true, configurable: true, get: () => become(key) });
  return stand;
}
