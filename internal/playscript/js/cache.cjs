// --- The packages, out of one file that holds their sources, the code that V8
// made of them, and what their names lead to. It is written by a run that is
// trusted, before any script, and this process can't write it: what one left
// there would run in all others. Without it modules are loaded as ever.

const magic = `pwpipe scripts 1 ${process.version} ${process.arch} ${settings.key}\n`;
const cached = new Map(); // file -> {source, code}
const leads = new Map(); // "folder\nname" -> file
let compiled = settings.build ? [] : undefined; // scripts, by a run that writes

{
  let blob;
  try { blob = settings.build ? undefined : fs.readFileSync(settings.cache); } catch { /* none yet */ }
  if (blob && blob.subarray(0, magic.length).toString('latin1') === magic) {
    const at = magic.length, length = parseInt(blob.toString('latin1', at, at + 8), 16), start = at + 8 + length;
    const { modules, names } = JSON.parse(blob.toString('utf8', at + 8, start));
    for (const [file, from, source, code] of modules) cached.set(file, { source: blob.subarray(start + from, start + from + source), code: blob.subarray(start + from + source, start + from + source + code) });
    for (const [name, file] of names) leads.set(name, file);
  }
}

const ofTest = (file) => file.startsWith(settings.test + path.sep);
const ofPackages = (file) => settings.packages.some((dir) => file.startsWith(dir + path.sep));
{
  const resolve = Module._resolveFilename, load = Module._extensions['.js'];
  Module._resolveFilename = function(id, parent, ...rest) {
    if (id.startsWith('playwright-core/')) id = path.join(settings.core, id.slice('playwright-core/'.length)); // of the test package
    const key = id[0] === '.' && parent && parent.path ? parent.path + '\n' + id : '';
    const known = key && leads.get(key);
    if (known) return known;
    const file = resolve.call(this, id, parent, ...rest);
    if (key && ofPackages(file)) leads.set(key, file);
    return file;
  };
  Module._extensions['.js'] = function(module, file) {
    if (!ofPackages(file)) return load(module, file);
    const known = cached.get(file);
    cached.delete(file);
    const text = known ? known.source.toString() : fs.readFileSync(file, 'utf8');
    if (/\bimport\s*\(/.test(text) && !known) return load(module, file); // a script of ours has no loader for it
    const script = new vm.Script(Module.wrap(text), { filename: file, cachedData: known && known.code });
    if (compiled) compiled.push([file, text, script]);
    const require = Object.assign((id) => module.require(id), { resolve: (id, o) => Module._resolveFilename(id, module, false, o), main: process.mainModule, cache: Module._cache, extensions: Module._extensions });
    return script.runInThisContext().call(module.exports, module.exports, require, module, file, path.dirname(file));
  };
}

// writeCache writes it: whole, or not at all.
function writeCache() {
  const parts = [], modules = [];
  let at = 0;
  for (const [file, text, script] of compiled) {
    const source = Buffer.from(text), code = script.createCachedData();
    modules.push([file, at, source.length, code.length]);
    parts.push(source, code);
    at += source.length + code.length;
  }
  const head = Buffer.from(JSON.stringify({ modules, names: [...leads] }));
  const temp = `${settings.cache}.${process.pid}.tmp`;
  real.files.writeFileSync(temp, Buffer.concat([Buffer.from(magic + head.length.toString(16).padStart(8, '0')), head, ...parts]));
  real.files.renameSync(temp, settings.cache);
}
