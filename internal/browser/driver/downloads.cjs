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

/** Closes the tab that a page opened for what became a download: no document has come, and none will.
 *  Browsers with windows do so by themselves. Playwright reports such a download on the opener if the tab
 *  is not ready yet, and so do we if it is, once the tab is gone: which tab it was is known only here. */
function closeTabsOfDownloads() {
  const { CRBrowser } = own('server/chromium/crBrowser.ts'), { Download } = own('server/download.ts');
  const begins = CRBrowser?.prototype._onDownloadWillBegin, fire = Download?.prototype._fireDownloadEvent;
  if (typeof begins !== 'function' || typeof fire !== 'function')
    return;
  let gone; // while the download of a tab begins: when the tab is gone
  Download.prototype._fireDownloadEvent = function() {
    if (gone)
      gone.then(() => fire.call(this));
    else
      fire.call(this);
  };
  CRBrowser.prototype._onDownloadWillBegin = function(event) {
    const tab = this._crPages.get(event.frameId), page = tab?._page;
    if (!tab?._opener?._page.initializedOrUndefined() || !['', ':', undefined].includes(page.mainFrame()?._url))
      return begins.call(this, event);
    gone = new Promise(done => {
      Promise.all([page.waitForInitializedOrError(), page.closedPromise]).then(done); // both are told by then
      this._closePage(tab).catch(done); // it may be gone, or not ours to close
    });
    const ready = page.initializedOrUndefined;
    page.initializedOrUndefined = () => undefined;
    begins.call(this, event);
    page.initializedOrUndefined = ready;
    gone = undefined;
  };
}
