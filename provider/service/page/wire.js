// The one connection: what pwpipe shows comes over it, what the person does goes.
import { $, problem, text } from './dom.js';

const hears = new Map();
let socket, waiting, tries = 0;

// on has a kind of message handled: fn(message, bytes). Several may hear of one.
export const on = (kind, fn) => hears.set(kind, [...(hears.get(kind) ?? []), fn]);

const tell = (message, bytes) => { for (const fn of hears.get(message.is) ?? []) fn(message, bytes); };

// send does something, if there is a connection.
export function send(what, more = {}) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ do: what, ...more }));
}

// Messages that have bytes: those come right after.
const withBytes = new Set(['frame', 'file']);

export function connect(opened) {
  socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/watch/socket`);
  socket.binaryType = 'blob';
  socket.onopen = () => {
    tries = 0;
    text($('#link'), 'Connected');
    send('visible', { on: !document.hidden });
    opened();
  };
  socket.onmessage = ({ data }) => {
    if (typeof data !== 'string') {
      const message = waiting;
      waiting = undefined;
      if (message) tell(message, data);
      return;
    }
    const message = JSON.parse(data);
    if (withBytes.has(message.is)) waiting = message;
    else tell(message);
  };
  socket.onclose = () => again(opened);
}

// again connects once more, if the person may still look.
async function again(opened) {
  text($('#link'), 'Not connected');
  const wait = Math.min(10000, 500 * 2 ** tries++);
  await new Promise((done) => setTimeout(done, wait));
  const answer = await fetch('/', { cache: 'no-store' }).catch(() => undefined);
  if (answer?.status === 401) location.reload();
  else connect(opened);
}

document.addEventListener('visibilitychange', () => send('visible', { on: !document.hidden }));

on('problem', ({ text: words }) => problem(words));
on('file', ({ name, type }, bytes) => {
  if (type === 'video/webm') return; // it is played
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
});
