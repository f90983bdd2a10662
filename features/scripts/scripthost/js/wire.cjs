// --- Calls to the parent and from it. A frame is the length of the rest, the length of
// its head, the head as JSON, and bytes. Lengths are 32-bit little-endian.

function frame(head, raw) {
  const text = Buffer.from(JSON.stringify(head)), bytes = raw ? Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength) : Buffer.alloc(0);
  const out = Buffer.allocUnsafe(8 + text.length + bytes.length);
  out.writeUInt32LE(4 + text.length + bytes.length, 0);
  out.writeUInt32LE(text.length, 4);
  text.copy(out, 8);
  bytes.copy(out, 8 + text.length);
  return out;
}

// unframe splits the body of a frame.
function unframe(body) {
  const end = 4 + body.readUInt32LE(0);
  return { head: JSON.parse(body.toString('utf8', 4, end)), raw: body.subarray(end) };
}

const net = require('net');
const pipe = (fd, reads) => new net.Socket({ fd, readable: reads, writable: !reads });
const put = whole((to, what) => { to.write(what); });
const control = { in: pipe(5, true), out: pipe(6, false), waiting: new Map(), last: 0 };

// answers holds the functions that the parent may call. Each takes the head and the
// bytes, and returns {head, raw}, either of them, or nothing. The parent decodes args
// strictly: an unknown member is an error.
const answers = {};

{
  let chunks = [], held = 0, wanted = 4, known = false;
  control.in.on('data', outside((chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    while (held >= wanted) {
      const all = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks), part = all.subarray(0, wanted);
      chunks = [all.subarray(wanted)];
      held -= wanted;
      if (known) {
        wanted = 4;
        known = false;
        took(unframe(part));
      } else {
        wanted = part.readUInt32LE(0);
        known = true;
      }
    }
  }));
  control.in.on('close', () => process.reallyExit(0));
  control.in.on('error', () => process.reallyExit(0));
  control.out.on('error', () => {});
}

function took({ head, raw }) {
  if (head.call !== undefined) {
    restore();
    answer(head, raw);
    return;
  }
  const w = control.waiting.get(head.id);
  control.waiting.delete(head.id);
  if (w) head.error === undefined ? w.resolve({ head: head.args || {}, raw }) : w.reject(failure(head));
}

async function answer(head, raw) {
  let reply = {};
  try {
    reply = await answers[head.call](head.args || {}, raw) || {};
  } catch (e) {
    reply = { error: String(e && e.message || e) };
  }
  if (head.id) put(control.out, frame({ id: head.id, error: reply.error, args: reply.head }, reply.raw));
}

// failure makes an error of the parent's, with Node's error code.
function failure(head) {
  const e = new Error(head.error), code = /^(E[A-Z]+): /.exec(head.error);
  if (code) e.code = code[1];
  return e;
}

// ask calls the parent.
function ask(call, head, raw) {
  return new Promise((resolve, reject) => {
    const id = ++control.last;
    control.waiting.set(id, { resolve, reject });
    put(control.out, frame({ call, id, args: head }, raw));
  });
}

// tell sends the parent a message without a reply.
function tell(call, head, raw) {
  put(control.out, frame({ call, args: head }, raw));
}

function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length;) at += real.writeSync(fd, bytes, at);
}

function readAll(fd, length) {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const n = real.readSync(fd, bytes, at, length - at);
    if (n === 0) process.reallyExit(0);
    at += n;
  }
  return bytes;
}

// askNow calls the parent and blocks until it answers.
const askNow = whole((call, head, raw) => {
  writeAll(8, frame({ call, id: 1, args: head }, raw));
  const reply = unframe(readAll(7, readAll(7, 4).readUInt32LE(0)));
  if (reply.head.error !== undefined) throw failure(reply.head);
  return { head: reply.head.args || {}, raw: reply.raw };
});
