// --- The language's own functions. A script that puts something in their place
// breaks Playwright's code as well, which runs beside it: before the next one they
// are put back. What it has added stays.

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
  for (let i = 0; i < intrinsics.length; i++) { // without an iterator: it may be gone
    const o = intrinsics[i][0], key = intrinsics[i][1], d = intrinsics[i][2];
    try { if (o[key] !== d.value) defineProperty(o, key, d); } catch { /* made fast: the time of the run will tell */ }
  }
}
