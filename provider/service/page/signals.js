// Calls, console, network, outline: tables with the newest row first, and a filter.
import { $, el, time, took } from './dom.js';
import { on, send } from './wire.js';

const most = 500; // rows kept in each table

const kinds = ['calls', 'console', 'network', 'outline'];
const heads = { calls: ['Time', 'Tool', 'Page', 'Target', 'Took', 'Outcome'], console: ['Time', 'Type', 'Page', 'Text'], network: ['Time', 'Method', 'Status', 'Type', 'Took', 'URL'] };
const bodies = {};
let open = 'calls', outline = '', requests = new Map();

export function clear() {
  for (const kind of Object.keys(heads)) bodies[kind] = el('tbody');
  requests = new Map();
  outlined();
  show();
}

// outlined drops the outline, and requests a new one if it is on screen.
export function outlined() {
  outline = '';
  if (open === 'outline') show();
}

function show() {
  const panel = $('#panel');
  panel.setAttribute('aria-labelledby', `tab-${open}`);
  for (const kind of kinds) {
    const tab = $(`#tab-${kind}`);
    tab.setAttribute('aria-selected', String(kind === open));
    tab.tabIndex = kind === open ? 0 : -1;
  }
  if (open === 'outline') {
    panel.replaceChildren(el('button', { class: 'quiet', onclick: () => send('outline') }, 'Look again'), el('pre', {}, lines()));
    if (!outline) send('outline');
    return;
  }
  panel.replaceChildren(el('table', { class: open }, el('thead', {}, el('tr', {}, ...heads[open].map((h) => el('th', { scope: 'col' }, h)))), bodies[open]));
  sift();
}

const wanted = () => $('#filter').value.trim().toLowerCase();

const matches = (row) => !wanted() || row.textContent.toLowerCase().includes(wanted());

const lines = () => outline.split('\n').filter((line) => !wanted() || line.toLowerCase().includes(wanted())).join('\n') || (outline ? 'No line matches.' : 'Looking…');

function sift() {
  if (open === 'outline') {
    const at = $('#panel pre');
    if (at) at.textContent = lines();
    return;
  }
  for (const row of bodies[open].children) row.hidden = !matches(row);
}

// add inserts a row at the top, where people look.
function add(kind, is, ...cells) {
  const body = bodies[kind];
  const row = el('tr', { 'data-is': is }, ...cells.map((cell) => (cell instanceof Node ? cell : el('td', {}, String(cell ?? '')))));
  row.hidden = kind === open && !matches(row);
  body.prepend(row);
  while (body.children.length > most) body.lastChild.remove();
  return row;
}

on('state', ({ done }) => {
  for (const c of done ?? []) add('calls', c.error ? 'bad' : 'good', time(c.at), c.tool, c.page, el('td', { class: 'target' }, c.target ?? ''), took(c.took), c.error ?? 'ok');
});

const consoles = new Set(['console', 'page-error', 'dialog', 'crash', 'person', 'popup', 'download']);

on('signals', ({ events, lost }) => {
  if (lost) add('console', 'bad', '', '', '', `${lost} were lost: there were too many`);
  for (const e of events) {
    if (consoles.has(e.event)) said(e);
    else went(e);
  }
});

function said(e) {
  const bad = e.event === 'page-error' || e.event === 'crash' || e.type === 'error';
  const type = e.event === 'console' ? e.type : [e.event, e.type].filter(Boolean).join(' ');
  const at = e.event === 'console' && e.url ? ` (${e.url}${e.line ? `:${e.line}` : ''})` : '';
  add('console', bad ? 'bad' : e.type === 'warning' ? 'warn' : 'good', time(e.time), type, e.page, [e.text, e.opened, e.file].filter(Boolean).join(' ') + at);
}

// went shows a request and its outcome in one row.
function went(e) {
  if (e.event === 'request') {
    requests.set(e.seq, add('network', 'open', time(e.time), e.method, '…', e.type, '', e.url));
    if (requests.size > most) requests.delete(requests.keys().next().value);
    return;
  }
  let row = requests.get(e.request);
  requests.delete(e.request);
  row ??= add('network', 'open', time(e.time), e.method, '', e.type, '', e.url);
  row.children[2].textContent = e.event === 'response' ? e.status : e.text || 'failed';
  row.children[4].textContent = took(e.took);
  row.dataset.is = e.event !== 'response' || e.status >= 400 ? 'bad' : 'good';
}

on('outline', ({ text }) => {
  outline = text || '(nothing)';
  if (open === 'outline') sift();
});

for (const kind of kinds) {
  $(`#tab-${kind}`).addEventListener('click', () => { open = kind; show(); });
}
document.querySelector('[role=tablist]').addEventListener('keydown', (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  open = kinds[(kinds.indexOf(open) + step + kinds.length) % kinds.length];
  show();
  $(`#tab-${open}`).focus();
});
$('#filter').addEventListener('input', sift);
clear();
