// --- Films. Playwright's recorder runs ffmpeg, which the sandbox refuses. The parent
// encodes the browser's pictures to WebM with a browser's encoder. If it cannot, a film
// is Motion JPEG in an AVI file, written through the parent as any file while it is
// recorded.

const rate = 25; // pictures a second, as in Playwright
const most = 1 << 30; // bytes, after which a film ends
const together = 1 << 20; // bytes written at once
const waiting = 64 << 20; // bytes that may wait to be written

class Film {
  constructor(file, inViewport) {
    this.file = file;
    this.inViewport = inViewport;
    this.size = 0;
    this.chunks = []; // [offset, size] of each
    this.bytes = []; // not yet written
    this.held = this.behind = 0; // bytes: not yet being written; not yet written
    this.written = fs.promises.mkdir(path.dirname(file), { recursive: true }).catch((e) => { this.failed = e; });
  }
  // take takes a picture, which stays until the next: the browser sends one when
  // something changes. The first picture decides the size of the film. A picture from
  // before the page had its viewport has another shape: it is only used when no other comes.
  take(picture, ms, anyway) {
    if (this.stopped || this.failed || this.size > most) return;
    if (!this.shape && !anyway && !this.inViewport(picture)) {
      this.early = picture;
      return;
    }
    if (!this.shape) {
      this.shape = shapeOf(picture);
      this.put(headFor(this, headSize));
      this.began = ms;
    }
    const slot = Math.max(Math.round((ms - this.began) * rate / 1000), this.chunks.length);
    if (this.picture) this.fill(slot);
    this.picture = picture;
    this.seen = performance.now();
  }
  // fill adds the newest picture in its slot, then empty chunks up to the next: they
  // repeat the picture.
  fill(slot) {
    if (slot > this.chunks.length) this.add(this.picture);
    while (slot > this.chunks.length) this.add(Buffer.alloc(0));
  }
  add(data) {
    this.chunks.push([this.size - headSize + 4, data.length]);
    this.put(Buffer.from('00dc'), words(data.length), data, Buffer.alloc(data.length % 2));
  }
  put(...list) {
    const length = list.reduce((n, { length }) => n + length, 0);
    this.bytes.push(...list);
    this.size += length;
    this.held += length;
    this.behind += length;
    if (this.behind > waiting) this.failed ??= new Error('the film could not be written as fast as it came');
    else if (this.held > together) this.flush();
  }
  flush() {
    const bytes = Buffer.concat(this.bytes), first = bytes.length === this.size;
    this.bytes = [];
    this.held = 0;
    this.written = this.written.then(() => this.failed || fs.promises[first ? 'writeFile' : 'appendFile'](this.file, bytes))
      .catch((e) => { this.failed ??= e; }).finally(() => { this.behind -= bytes.length; });
  }
  // stop runs when the page or its context closes.
  async stop() {
    if (this.stopped) return;
    if (!this.shape && this.early) this.take(this.early, 0, true);
    this.stopped = true;
    if (!this.shape) return;
    this.fill(this.chunks.length + Math.max(1, Math.round((performance.now() - this.seen) * rate / 1000)));
    const head = headFor(this, this.size);
    this.put(indexFor(this));
    this.flush();
    await this.written;
    if (this.failed) throw this.failed;
    if (elsewhere(this.file)) await ask('file', headOf('overwrite', this.file), head);
    else {
      const f = await fs.promises.open(this.file, 'r+');
      await f.write(head, 0, head.length, 0).finally(() => f.close());
    }
  }
}

// WebM is a film that the parent encodes.
class WebM {
  constructor(file, size) {
    this.began = this.begin(file, size);
    this.began.catch(() => {}); // stop reports it
  }
  async begin(file, { width, height }) {
    await fs.promises.mkdir(path.dirname(file), { recursive: true });
    const { head } = await ask('film', { path: file, width, height, rate });
    if (!head.film) throw new Error('too many films are made at once');
    return head.film;
  }
  take(picture) {
    if (!this.stopped) this.began.then((film) => tell('picture', { film }, picture), () => {});
  }
  async stop() {
    if (this.stopped) return;
    this.stopped = true;
    await ask('endFilm', { film: await this.began });
  }
}

// An AVI file consists of boxes. The sizes in its header are known only at the end.
const words = (...list) => Buffer.from(Uint32Array.from(list).buffer);
const box = (name, ...parts) => { const body = Buffer.concat(parts); return Buffer.concat([Buffer.from(name), words(body.length), body]); };
const headSize = 224;
function headFor({ shape: [width, height], chunks }, size) {
  const largest = chunks.reduce((n, [, size]) => Math.max(n, size), 0), mjpg = Buffer.from('MJPG');
  const main = box('avih', words(1e6 / rate, 0, 0, 0x10, chunks.length, 0, 1, largest, width, height, 0, 0, 0, 0));
  const stream = box('strh', Buffer.from('vids'), mjpg, words(0, 0, 0, 1, rate, 0, chunks.length, largest, 0xffffffff, 0, 0, height << 16 | width));
  const format = box('strf', words(40, width, height, 24 << 16 | 1), mjpg, words(width * height * 3, 0, 0, 0, 0));
  const lists = box('LIST', Buffer.from('hdrl'), main, box('LIST', Buffer.from('strl'), stream, format));
  return Buffer.concat([Buffer.from('RIFF'), words(size + 16 * chunks.length), Buffer.from('AVI '), lists, Buffer.from('LIST'), words(size - headSize + 4), Buffer.from('movi')]);
}
const indexFor = ({ chunks }) => box('idx1', ...chunks.map(([offset, size]) => Buffer.concat([Buffer.from('00dc'), words(0x10, offset, size)])));

// shapeOf returns a JPEG picture's width and height, from its frame header.
function shapeOf(jpeg) {
  for (let at = 2; at + 9 < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg[at + 1];
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)];
  }
  throw new Error('not a JPEG picture');
}

{
  const { VideoRecorder } = core('server/videoRecorder.ts'), { Artifact } = core('server/artifact.ts');
  let films = 0;
  VideoRecorder.prototype.start = function({ size, fileName }) {
    const screencast = this._screencast, { browserContext } = screencast.page;
    const named = fileName || path.join(browserContext._browser.options.artifactsDir, `film-${++films}.webm`);
    const file = settings.webm ? named : named.replace(/\.webm$/, '.avi');
    const artifact = new Artifact(browserContext, file);
    const stop = () => {
      screencast.removeClient(own);
      return ended ??= film.stop().then(() => artifact.reportFinished(), (e) => artifact.reportFinished(e)); // saving the film reports the error
    };
    const inViewport = (picture) => {
      const viewport = screencast.page.emulatedSize()?.viewport, [width, height] = shapeOf(picture);
      return !viewport || Math.abs(width * viewport.height - height * viewport.width) <= Math.max(viewport.width, viewport.height); // sizes are whole pixels
    };
    const own = { onFrame: ({ buffer, frameSwapWallTime }) => film.take(buffer, frameSwapWallTime || Date.now()), gracefulClose: stop, dispose: stop, size };
    const { size: shown } = screencast.addClient(own);
    const film = settings.webm ? new WebM(file, size ?? shown) : new Film(file, inViewport);
    let ended;
    this.stop = stop;
    return artifact;
  };
}
