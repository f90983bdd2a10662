// The only connection: pwpipe's messages come in, the person's actions go out.
import { $, problem, text } from './dom.js';

const hears = new Map();
let socket, waiting, tries = 0;

// on adds a handler fn(message, bytes) for a kind of message.
export const on = (kind, fn) => hears.set(kind, [...(hears.get(kind) ?? []), fn]);

const tell = (message, bytes) => { for (const fn of hears.get(message.is) ?? []) fn(message, bytes); };

// send requests an action if there is a connection.
export function send(what, more = {}) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ do: what, ...more }));
}

// Messages followed by bytes.
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

// again reconnects if the person is still logged in.
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
  if (type === 'video/webm') return; // session.js plays it
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
});
