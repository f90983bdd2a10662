// --- The language's built-ins. A script that replaces them also breaks
// Playwright's code beside it, so they are restored before the next call. What
// a script has added stays.

const intrinsics = [];
for (const name of Object.getOwnPropertyNames(globalThis)) {
  const whole = Object.getOwnPropertyDescriptor(globalThis, name), { value } = whole;
  if (!/^[A-Z]/.test(name) && name !== 'parseInt' || value === null || typeof value !== 'function' && typeof value !== 'object') continue;
  if (whole.configurable) intrinsics.push([globalThis, name, whole]);
  for (const o of [value, value.prototype]) {
    if (o === null || typeof o !== 'object' && typeof o !== 'function') continue;
    for (const key of Reflect.ownKeys(o)) {
      const d = Object.getOwnPropertyDescriptor(o, key);
      if (typeof d.value === 'function' && d.writable) intrinsics.push([o, key, d]);
    }
  }
}
const { defineProperty } = Object;
function restore() {
  for (let i = 0; i < intrinsics.length; i++) { // no iterator: scripts may have removed it
    const o = intrinsics[i][0], key = intrinsics[i][1], d = intrinsics[i][2];
    try { if (o[key] !== d.value) defineProperty(o, key, d); } catch { /* made fast: the time of the run will tell */ }
  }
}
