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
  let canvas, brush, encoder, id, failed, made = [];

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

  // add draws a JPEG picture, scaled to fit, and encodes it; without a picture it
  // encodes the last one again. It returns the chunks that are ready.
  async function add(picture, ms, keyFrame) {
    if (picture) {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (c) => c.charCodeAt(0))], { type: 'image/jpeg' }));
      const by = Math.min(canvas.width / bitmap.width, canvas.height / bitmap.height);
      const [w, h] = [bitmap.width * by, bitmap.height * by].map(Math.round);
      if (w !== canvas.width || h !== canvas.height) brush.clearRect(0, 0, canvas.width, canvas.height);
      brush.drawImage(bitmap, 0, 0, w, h);
      bitmap.close();
    }
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
