// One session: who controls it, its pages, its calls and its films.
import { $, ago, el, facts, say, text, time } from './dom.js';
import { on, send } from './wire.js';
import { dark, hands, reset } from './live.js';
import { clear, outlined } from './signals.js';

let key = '', page = '', mine = false, standing = '', told = {}, last; // the session's last entry in the list

// ended holds the sessions that the person has closed.
export const ended = new Set();

// begin shows a session; known is its entry in the list, if there is one.
export function begin(session, known) {
  key = session;
  page = '';
  mine = false;
  standing = '';
  told = {};
  last = undefined;
  $('#session').hidden = false;
  text($('#name'), known?.name ?? 'Session');
  $('#asks').replaceChildren();
  $('#tabs').replaceChildren();
  unreel();
  made([]);
  reset();
  clear();
  if (known) pages(known);
}

export function close() {
  key = '';
  $('#session').hidden = true;
  hands(false);
}

// pages shows the session's pages in the list's order. If none is chosen, the picture is
// of the active page.
export function pages(session) {
  last = session;
  text($('#name'), session.name);
  $('#name').classList.toggle('id', session.name === session.id);
  facts($('#facts'), [session.name !== session.id && session.id, `${ago(session.begun)} old`, session.owner && `opened by ${session.owner}`]);
  $('#failed').hidden = !session.failed;
  if (session.failed) text($('#failed'), `Last error, ${time(session.failed.at)}: ${session.failed.error}`);
  $('#close').hidden = Boolean(session.own);
  const tabs = $('#tabs');
  const items = new Map([...tabs.children].map((item) => [item.dataset.page, item]));
  const seen = session.pages.find((p) => p.page === page) ?? session.pages.find((p) => p.active);
  if (page && !session.pages.some((p) => p.page === page)) return choose('');
  $('#follow').setAttribute('aria-pressed', String(!page));
  for (const p of session.pages) {
    const item = items.get(p.page) ?? tabs.appendChild(el('button', { 'data-page': p.page, onclick: () => choose(p.page) }));
    items.delete(p.page);
    text(item, `${p.page} ${p.title || p.url}`.slice(0, 60));
    item.setAttribute('aria-pressed', String(p === seen));
  }
  for (const item of items.values()) item.remove();
  text($('#address'), seen?.url ?? '');
}

function choose(handle) {
  page = handle;
  reset();
  outlined();
  send('look', { session: key, page });
  if (last) pages(last); // so that the tab and the address change with the picture
}

const words = {
  yes: 'Taken over', soon: 'Taken over when its calls have ended', mine: 'You have it', mineSoon: 'Yours when its calls have ended', busy: 'Working', idle: 'Idle',
};

// state shows who controls the session.
function state(session) {
  mine = session.mine;
  told = session;
  const have = mine && session.taken === 'yes';
  const now = session.taken ? (mine ? (have ? 'mine' : 'mineSoon') : session.taken) : session.running.length ? 'busy' : 'idle';
  let label = words[now];
  if (now === 'busy') label = session.running.map((c) => [c.tool, c.target].filter(Boolean).join(' ')).join(', ');
  if (have && session.logs) label += '. What you do is in the session\'s log, passwords as names';
  if (session.waiting) label += `, ${session.waiting} waiting`;
  text($('#standing'), label);
  $('#standing').dataset.is = session.taken ? 'taken' : now;
  const take = $('#take');
  text(take, mine && session.taken ? 'Hand back' : 'Take over');
  take.disabled = Boolean(session.taken) && !mine;
  hands(have);
  if (now !== standing && (now.startsWith('mine') || standing.startsWith('mine'))) say(now.startsWith('mine') ? words[now] : 'Handed back');
  standing = now;
  for (const what of ['trace', 'film']) {
    const rolls = session.records.includes(what);
    $(`#record-${what}`).setAttribute('aria-pressed', String(rolls));
    text($(`#record-${what}`), (rolls ? { trace: 'Save trace', film: 'End film' } : { trace: 'Record trace', film: 'Film page' })[what]);
  }
  asks(session.asks);
  made(session.films);
}

// made offers the films that the session's calls made.
function made(list) {
  const at = $('#made');
  const shown = [...at.children].map((item) => item.dataset.n).join();
  if (shown === list.map((f) => f.n).join()) return;
  at.hidden = !list.length;
  at.replaceChildren(...list.map((f) => el('button', { class: 'quiet', 'data-n': f.n, onclick: () => send('film', { n: f.n }) }, `Play ${f.name}, ${f.page}, ${time(f.at)}`)));
}

// asks shows what agents ask a person to do.
function asks(list) {
  const at = $('#asks');
  const shown = [...at.children].map((item) => item.dataset.n).join();
  if (shown === list.map((a) => a.n).join()) return;
  at.replaceChildren(...list.map((a) => el('div', { class: 'ask', 'data-n': a.n },
    el('p', {}, el('strong', {}, 'Asked of you: '), a.message),
    el('p', { class: 'hint' }, `Until ${time(a.till)}`),
    el('button', { onclick: () => send('answer', { n: a.n, on: true }) }, 'Done'),
    el('button', { class: 'quiet', onclick: () => send('answer', { n: a.n }) }, 'Refuse'))));
}

// Plays a film that was handed over, with a link to save it.
on('file', ({ name, type }, bytes) => {
  if (type !== 'video/webm' || !key) return;
  const src = URL.createObjectURL(new Blob([bytes], { type }));
  const film = el('figure', { class: 'film' },
    el('video', { src, controls: true, muted: true, playsinline: true, 'aria-label': `Film of the page, made until ${time(Date.now())}` }),
    el('figcaption', {}, `Film, ${time(Date.now())}`, el('a', { href: src, download: name }, 'Save'),
      el('button', { class: 'quiet', onclick: () => { film.remove(); URL.revokeObjectURL(src); } }, 'Remove')));
  $('#films').prepend(film);
  film.firstChild.play().catch(() => {}); // if the browser refuses autoplay, the person starts it
  film.firstChild.addEventListener('loadedmetadata', () => film.scrollIntoView({ block: 'nearest' }), { once: true });
});

function unreel() {
  for (const video of document.querySelectorAll('#films video')) URL.revokeObjectURL(video.src);
  $('#films').replaceChildren();
}

export const toggle = () => send(mine && told.taken ? 'back' : 'take');

$('#take').addEventListener('click', () => {
  toggle();
  if (!mine) $('#live').focus();
});
$('#close').addEventListener('click', () => {
  if (!confirm('Close the session, and everything in it?')) return;
  ended.add(key);
  send('close', { session: key });
});
$('#follow').addEventListener('click', () => choose(''));
for (const what of ['trace', 'film']) {
  const button = $(`#record-${what}`);
  button.addEventListener('click', () => send('record', { what, on: button.getAttribute('aria-pressed') !== 'true' }));
}
on('state', (message) => {
  if (message.session === key) state(message);
});
on('dark', (message) => {
  if (message.session === key) dark(message.text);
});
