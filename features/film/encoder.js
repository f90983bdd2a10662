// A page of pwpipe's own that encodes pictures as VP9 or VP8 with the browser's
// encoder. Sessions cannot reach it.
globalThis.film = (() => {
  // A constant quality costs only the bits that it needs: text stays sharp, and
  // still areas cost next to nothing. VP8 supports only a bit rate.
  const wanted = [
    { id: 'V_VP9', codec: 'vp09.00.41.08', bitrateMode: 'quantizer', latencyMode: 'realtime' },
    { id: 'V_VP8', codec: 'vp8', bitrate: 4e6, latencyMode: 'quality' },
  ];
  const quantizer = 24;
  let canvas, brush, encoder, id, failed, made = [], shown, over;

  // begin returns the codec's id, "" if there is none.
  async function begin(width, height, framerate) {
    if (typeof VideoEncoder === 'undefined') return '';
    for (const { id: name, ...rest } of wanted) {
      const config = { ...rest, width, height, framerate };
      if (!(await VideoEncoder.isConfigSupported(config).catch(() => ({}))).supported) continue;
      canvas = new OffscreenCanvas(width, height);
      brush = canvas.getContext('2d', { alpha: false });
      encoder = new VideoEncoder({ output: keep, error: (e) => { failed ??= e; } });
      encoder.configure(config);
      return id = name;
    }
    return '';
  }

  function keep(chunk) {
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    made.push({ ms: Math.round(chunk.timestamp / 1000), key: chunk.type === 'key', data: text(bytes) });
  }

  function text(bytes) {
    let chars = '';
    for (let at = 0; at < bytes.length; at += 0x8000) chars += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(chars);
  }

  // draw draws the picture, scaled to fit, and what is over it.
  function draw() {
    const by = Math.min(canvas.width / shown.width, canvas.height / shown.height);
    const [w, h] = [shown.width * by, shown.height * by].map(Math.round);
    if (w !== canvas.width || h !== canvas.height) brush.clearRect(0, 0, canvas.width, canvas.height);
    brush.drawImage(shown, 0, 0, w, h);
    if (!over) return;
    const unit = Math.max(12, Math.min(w, h) / 30);
    if (over.pointed) pointer(over.x * w, over.y * h, unit, over.pressed);
    if (over.action) label(over.action, w - unit / 2, unit / 2, unit, 1);
    if (over.chapter) {
      brush.fillStyle = '#000b';
      brush.fillRect(0, 0, w, h);
      label(over.chapter, w / 2, h / 2 - unit * 1.6, unit * 2, 0.5);
    }
  }

  // label writes a line of text on a dark ground; part of its width is left of x.
  function label(text, x, y, size, part) {
    brush.font = `600 ${size}px sans-serif`;
    const width = Math.min(brush.measureText(text).width, canvas.width - 2 * size);
    x -= (width + size) * part;
    brush.fillStyle = '#222d';
    brush.beginPath();
    brush.roundRect(x, y, width + size, size * 1.6, size / 3);
    brush.fill();
    brush.fillStyle = '#fff';
    brush.textBaseline = 'middle';
    brush.fillText(text, x + size / 2, y + size * 0.8, width);
  }

  // pointer draws an arrow, in a ring where a button is pressed.
  function pointer(x, y, size, pressed) {
    if (pressed) {
      brush.fillStyle = '#f808';
      brush.beginPath();
      brush.arc(x, y, size, 0, 7);
      brush.fill();
    }
    brush.beginPath();
    for (const [right, down] of [[0, 0], [0, 1], [0.25, 0.8], [0.4, 1.15], [0.55, 1.1], [0.4, 0.75], [0.7, 0.7]]) brush.lineTo(x + right * size, y + down * size);
    brush.closePath();
    brush.fillStyle = '#000';
    brush.strokeStyle = '#fff';
    brush.lineWidth = size / 10;
    brush.fill();
    brush.stroke();
  }

  // add encodes a JPEG picture; without one it encodes the last one again. What is over
  // it stays until it is replaced. It returns the chunks that are ready.
  async function add(picture, ms, keyFrame, newOver) {
    if (picture) {
      shown?.close();
      shown = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (c) => c.charCodeAt(0))], { type: 'image/jpeg' }));
    }
    over = newOver ?? over;
    if (shown && (picture || newOver)) draw();
    const frame = new VideoFrame(canvas, { timestamp: ms * 1000 });
    encoder.encode(frame, id === 'V_VP9' ? { keyFrame, vp9: { quantizer } } : { keyFrame });
    frame.close();
    while (encoder.encodeQueueSize > 1 && !failed) await new Promise((done) => encoder.addEventListener('dequeue', done, { once: true }));
    return taken();
  }

  function taken() {
    if (failed) throw failed;
    const list = made;
    made = [];
    return list;
  }

  // end returns the remaining chunks.
  async function end() {
    await encoder.flush();
    return taken();
  }

  return { begin, add, end };
})();
