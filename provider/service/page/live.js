// The live picture, and the person's input to it.
import { $, problem, say, text } from './dom.js';
import { on, send } from './wire.js';

// A canvas gets no composed text, as from an input method. So while a person has
// the session, keys go to an invisible field.
const canvas = $('#live'), ime = $('#ime'), brush = canvas.getContext('2d');
let mine = false, number = 0;

// reset clears the picture, for another page.
export function reset() {
  number++;
  canvas.classList.remove('lit');
  text($('#dark'), 'No picture yet.');
  $('#dark').hidden = false;
}

// dark says why there is no picture.
export function dark(why) {
  canvas.classList.remove('lit');
  $('#dark').hidden = false;
  text($('#dark'), why);
}

on('frame', async (message, bytes) => {
  const own = number;
  try {
    const picture = await createImageBitmap(bytes);
    if (own === number) {
      if (canvas.width !== picture.width || canvas.height !== picture.height) [canvas.width, canvas.height] = [picture.width, picture.height];
      brush.drawImage(picture, 0, 0);
      canvas.classList.add('lit');
      canvas.dataset.frames = Number(canvas.dataset.frames ?? 0) + 1;
      $('#dark').hidden = true;
      if (!mine) canvas.setAttribute('aria-label', `Live picture of page ${message.page}`);
    }
    picture.close();
  } finally {
    send('drawn'); // ready for the next frame
  }
});

// hands turns input to the page on or off.
export function hands(on) {
  if (mine === on) return;
  mine = on;
  if (on && document.activeElement === canvas) ime.focus();
  $('#stage').classList.toggle('mine', on);
  $('#typing').hidden = !on;
  canvas.setAttribute('role', on ? 'application' : 'img');
  canvas.setAttribute('aria-label', on ? 'Live picture: mouse and keys go to the page' : 'Live picture of the page');
  text($('#live-help'), on ? 'Click, scroll and type in the picture. Escape leaves the picture, for the button Hand back; Shift+Escape is an Escape for the page.'
    : 'Take the session over to click and type in the picture.');
}

const mods = (e) => (e.altKey ? 1 : 0) | (e.ctrlKey ? 2 : 0) | (e.metaKey ? 4 : 0) | (e.shiftKey ? 8 : 0);

const place = (e) => {
  const box = canvas.getBoundingClientRect();
  const part = (n) => Math.min(1, Math.max(0, n));
  return { x: part((e.clientX - box.left) / box.width), y: part((e.clientY - box.top) / box.height) };
};

const button = (e) => ['left', 'middle', 'right'][e.button] ?? 'none';

let moved;

function mouse(type, e) {
  send('mouse', { type, ...place(e), button: type === 'move' ? 'none' : button(e), buttons: e.buttons, clicks: type === 'move' ? 0 : Math.max(1, clicks(e, type)), mods: mods(e) });
}

let last = { at: 0, x: 0, y: 0, count: 0 };

// clicks counts consecutive clicks at one place.
function clicks(e, type) {
  if (type !== 'down') return last.count;
  const near = e.timeStamp - last.at < 500 && Math.hypot(e.clientX - last.x, e.clientY - last.y) < 6;
  last = { at: e.timeStamp, x: e.clientX, y: e.clientY, count: near ? last.count % 3 + 1 : 1 };
  return last.count;
}

canvas.addEventListener('pointerdown', (e) => {
  if (!mine) return;
  e.preventDefault();
  ime.focus();
  canvas.setPointerCapture(e.pointerId);
  mouse('move', e);
  mouse('down', e);
});
canvas.addEventListener('pointerup', (e) => {
  if (!mine) return;
  e.preventDefault();
  mouse('up', e);
});
canvas.addEventListener('pointermove', (e) => {
  if (!mine) return;
  const due = moved === undefined;
  moved = e;
  if (due) requestAnimationFrame(() => { if (mine && moved) mouse('move', moved); moved = undefined; });
});
canvas.addEventListener('contextmenu', (e) => { if (mine) e.preventDefault(); });
canvas.addEventListener('wheel', (e) => {
  if (!mine) return;
  e.preventDefault();
  const by = e.deltaMode === 1 ? 16 : e.deltaMode === 2 ? 400 : 1;
  send('wheel', { ...place(e), dx: e.deltaX * by, dy: e.deltaY * by, mods: mods(e) });
}, { passive: false });

const press = (type, e, key = e.key) => send('key', { type, key, code: e.code, keyCode: e.keyCode & 255, mods: mods(e) & (key === 'Escape' ? 7 : 15) });

canvas.addEventListener('focus', () => { if (mine) ime.focus(); });
for (const type of ['keydown', 'keyup']) {
  ime.addEventListener(type, (e) => {
    if (!mine || e.isComposing) return;
    if (e.key === 'Escape' && !e.shiftKey) {
      if (type === 'keydown') {
        e.preventDefault();
        $('#take').focus();
        say('Left the picture.');
      }
      return;
    }
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'v') return; // the paste event follows
    e.preventDefault();
    press(type.slice(3), e);
  });
}
ime.addEventListener('compositionend', (e) => {
  if (mine && e.data) send('text', { text: e.data });
});
ime.addEventListener('input', (e) => {
  if (mine && e.inputType === 'insertText' && !e.isComposing && e.data) send('text', { text: e.data }); // from a keyboard that reports no keys
  if (!e.isComposing) ime.value = '';
});
ime.addEventListener('paste', (e) => {
  if (!mine) return;
  e.preventDefault();
  const words = e.clipboardData.getData('text/plain');
  if (words.length > 30000) problem('That is too long to paste.');
  else send('text', { text: words });
});

const codes = { Enter: 13, Tab: 9, Backspace: 8, Escape: 27 };

$('#typing').addEventListener('submit', (e) => {
  e.preventDefault();
  send('text', { text: $('#typed').value });
  $('#typed').value = '';
});
for (const own of document.querySelectorAll('[data-key]')) {
  own.addEventListener('click', () => {
    const key = own.dataset.key;
    for (const type of ['down', 'up']) send('key', { type, key, code: key, keyCode: codes[key], mods: 0 });
  });
}
