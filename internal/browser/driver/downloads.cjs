// --- Bounds on downloads: a page begins them by itself, and their files stay until its
// context closes.

const keptDownloads = 256 << 20; // bytes of the files of a context's downloads that nobody asked for
const leastOfDownload = 64 << 10; // bytes counted per file

/** Ends downloads that a page begins by itself, once those of its context have so many bytes.
 *  The tool download says by a file that it asks a page for one. */
function boundDownloads() {
  const { CRBrowser } = own('server/chromium/crBrowser.ts');
  const progress = CRBrowser?.prototype._onDownloadProgress;
  if (typeof progress !== 'function')
    return;
  const kept = new WeakMap(); // context -> Map of artifacts to bytes
  const wanted = new WeakMap(); // download -> whether a tool asked for it
  const asked = download => {
    if (!wanted.has(download)) {
      const dir = path.dirname(path.dirname(download.artifact.localPath())), page = download._page;
      wanted.set(download, [page, page.opener?.()].some(p => {
        const target = p?.delegate?._targetId;
        return target && fs.existsSync(path.join(dir, 'asked-' + target));
      }));
    }
    return wanted.get(download);
  };
  const exceed = (all, artifact, bytes) => {
    all.set(artifact, Math.max(leastOfDownload, bytes || 0));
    let sum = 0;
    for (const [one, size] of all) {
      if (one._deleted)
        all.delete(one);
      else
        sum += size;
    }
    return sum > keptDownloads;
  };
  CRBrowser.prototype._onDownloadProgress = function(event) {
    const download = this._downloads?.get(event.guid), context = download?._page?.browserContext;
    if (context && !asked(download)) {
      const all = kept.get(context) ?? kept.set(context, new Map()).get(context), { artifact } = download;
      if (event.state === 'canceled')
        all.delete(artifact);
      else if (exceed(all, artifact, event.receivedBytes) && event.state === 'completed') {
        all.delete(artifact); // too late to end it
        fs.rmSync(artifact.localPath(), { force: true });
        event = { ...event, state: 'canceled' };
      } else if (exceed(all, artifact, event.receivedBytes))
        Promise.resolve(download.cancel()).catch(() => {});
    }
    return progress.call(this, event);
  };
}

