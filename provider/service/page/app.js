// The list of sessions, and the one that is shown.
import { $, ago, el, facts, problem, say, text } from './dom.js';
import { connect, on, send } from './wire.js';
import { begin, close, ended, pages } from './session.js';

let list = { sessions: [] };
let chosen = '';
let asked = ''; // the id that the person has just entered

// The ids that the person entered in this tab. Knowing the id is enough to use a
// session.
const named = new Set(JSON.parse(sessionStorage.getItem('named') ?? '[]'));
const keep = () => sessionStorage.setItem('named', JSON.stringify([...named]));

on('list', (message) => {
  list = message;
  list.sessions = list.sessions.map((s, age) => ({ ...s, age })).sort((a, b) => rank(a) - rank(b) || a.age - b.age);
  show();
  call();
});

on('named', ({ id, key }) => {
  named.add(id);
  keep();
  $('#session-id').value = '';
  if (asked === id) location.hash = key;
});

on('unnamed', ({ id }) => {
  named.delete(id);
  keep();
  if (asked === id) problem('There is no session of that id.');
});

on('gone', ({ session }) => {
  if (session !== chosen) return;
  say('The session has ended.');
  if (!ended.has(session)) problem('The session has ended.');
  location.hash = '';
});

// rank orders sessions: those that ask for a person, then busy ones, then idle ones.
const rank = (s) => (s.asks.length ? 0 : s.taken || s.running.length ? 1 : 2);

let heard = new Set();

// call announces requests for a person, also when another tab is in front.
function call() {
  const asks = list.sessions.flatMap((s) => s.asks.map((a) => ({ ...a, id: `${s.key} ${a.n}`, name: s.name })));
  document.title = asks.length ? `(${asks.length}) asked for you - pwpipe` : 'pwpipe';
  for (const a of asks) {
    if (heard.has(a.id) || !document.hidden || !('Notification' in window) || Notification.permission !== 'granted') continue;
    new Notification(`${a.name} asks for you`, { body: a.message, tag: a.id });
  }
  heard = new Set(asks.map((a) => a.id));
}

const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;

function show() {
  const open = list.capacity ? `${list.open} of ${list.capacity} sessions` : plural(list.open, 'session');
  const asking = list.sessions.filter((s) => s.asks.length).length;
  facts($('#counts'), [asking && `${plural(asking, 'session')} ask${asking === 1 ? 's' : ''} for you`, open, list.waiting && `${list.waiting} waiting`, `${plural(list.up, 'browser')} up`, list.down && `${list.down} down`,
    list.restarts && plural(list.restarts, 'restart')]);
  $('#naming').hidden = list.all;
  const words = $('#filter-sessions').value.trim().toLowerCase();
  const shown = list.sessions.filter((s) => !words || JSON.stringify([s.name, s.id, s.owner, s.pages]).toLowerCase().includes(words));
  $('#none').hidden = shown.length > 0;
  text($('#none'), list.sessions.length ? 'No session matches.' : list.all ? 'Nothing runs yet.' : 'No session named yet.');
  const items = new Map([...$('#sessions').children].map((item) => [item.dataset.key, item]));
  for (const [i, s] of shown.entries()) {
    const item = items.get(s.key) ?? row(s.key);
    items.delete(s.key);
    fill(item, s);
    if ($('#sessions').children[i] !== item) $('#sessions').insertBefore(item, $('#sessions').children[i] ?? null);
  }
  for (const item of items.values()) item.remove();
  const own = list.sessions.find((s) => s.key === chosen);
  if (own) pages(own);
}

function row(key) {
  return el('li', { 'data-key': key }, el('a', { href: `#${key}` }, el('span', { class: 'who' }), el('span', { class: 'what' }), el('span', { class: 'where' }), el('span', { class: 'badge' }),
    el('span', { class: 'failed' })));
}

function fill(item, s) {
  const link = item.firstChild;
  const tab = s.pages.find((p) => p.active) ?? s.pages[0];
  text(link.children[0], s.name);
  link.children[0].classList.toggle('id', s.name === s.id);
  text(link.children[1], tab ? tab.title || tab.url : 'no page');
  facts(link.children[2], [s.name !== s.id && s.id, `${ago(s.begun)} old`, plural(s.pages.length, 'page'), list.sessions.some((o) => o.browser > 1) && `browser ${s.browser}`, s.owner]);
  text(link.children[4], s.failed ? s.failed.error : '');
  link.children[4].hidden = !s.failed;
  text(link.children[3], s.asks.length ? 'asks for you' : s.taken ? 'taken over' : s.running.length ? s.running[0].tool : 'idle');
  link.children[3].dataset.is = s.asks.length ? 'asks' : s.taken ? 'taken' : s.running.length ? 'busy' : 'idle';
  if (s.key === chosen) link.setAttribute('aria-current', 'true');
  else link.removeAttribute('aria-current');
}

// choose shows the session that the URL names.
function choose() {
  const key = location.hash.slice(1);
  if (key && key === chosen) return;
  if (key.startsWith('id=')) { // a link from ask-person
    asked = key.slice(3);
    history.replaceState(null, '', '/');
    send('name', { id: asked });
    return;
  }
  chosen = key;
  document.body.classList.toggle('chosen', Boolean(key));
  $('#idle').hidden = Boolean(key);
  if (key) begin(key, list.sessions.find((s) => s.key === key));
  else close();
  send('look', { session: key });
  show();
  if (key) $('#main').focus({ preventScroll: true });
}

setInterval(() => { if (!document.hidden) show(); }, 10000); // updates the ages

$('#naming').addEventListener('submit', (event) => {
  event.preventDefault();
  asked = $('#session-id').value.trim();
  send('name', { id: asked });
});
$('#filter-sessions').addEventListener('input', show);
window.addEventListener('hashchange', choose);
$('#notify').hidden = !('Notification' in window) || Notification.permission !== 'default';
$('#notify').addEventListener('click', async () => { $('#notify').hidden = await Notification.requestPermission() !== 'default'; });

// A one-time key goes to the login, even if the person is logged in already.
if (location.hash.startsWith('#key=')) location.replace('/watch/login' + location.hash);
else connect(() => {
  for (const id of named) send('name', { id });
  const at = sessionStorage.getItem('at'); // saved before the login
  sessionStorage.removeItem('at');
  if (at && !location.hash) history.replaceState(null, '', `#${at}`);
  chosen = '';
  choose();
});
