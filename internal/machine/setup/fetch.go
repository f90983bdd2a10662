package setup

import (
	"cmp"
	"context"
	"crypto/sha512"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"pwpipe/internal/machine/writefile"
)

// fetcher downloads releases from the registry that npm names.
type fetcher struct {
	out  *progress
	node string
	npm  *npmTool // found when first needed: a start that fetches nothing needs none
}

// stall is how long a download may stand still before it is given up.
const stall = 45 * time.Second

// fetch downloads a release into tmp, checks its hash and answers the file. It
// downloads itself, to show progress. If that fails for any reason, npm downloads,
// since it may know a proxy, a password or a certificate that we don't.
func (f *fetcher) fetch(ctx context.Context, r release, tmp string) (string, error) {
	npm, err := f.findNpm()
	if err != nil {
		return "", err
	}
	f.out.say("fetching %s %s (%s) ...", r.Title, r.Version, size(r.Packed))
	began := time.Now()
	tgz := filepath.Join(tmp, "download.tgz")
	address, err := npm.tarball(ctx, r)
	if err == nil {
		err = f.downloadTo(ctx, r, address, tgz)
	}
	if err != nil && ctx.Err() == nil && !isDiskFull(err) {
		tgz, err = f.fetchByNpm(ctx, npm, r, tmp, err)
	}
	if err != nil {
		return "", err
	}
	f.out.say("fetched %s %s in %.1f s", r.Title, r.Version, time.Since(began).Seconds())
	return tgz, nil
}

func (f *fetcher) fetchByNpm(ctx context.Context, npm *npmTool, r release, tmp string, first error) (string, error) {
	dir := filepath.Join(tmp, "npm")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	_, viewFailed := errors.AsType[*npmError](first)
	_, wrong := errors.AsType[*hashError](first)
	switch {
	case wrong:
		f.out.say("the download failed (wrong hash); letting npm do it ...")
	case !viewFailed:
		f.out.say("the download failed (%s); letting npm do it ...", firstLine(first.Error()))
	}
	tgz, err := npm.pack(ctx, r, dir)
	if err == nil {
		return tgz, checkFile(tgz, r)
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if wrong { // the download did arrive, so its error is the one to report
		return "", first
	}
	ne, ok := errors.AsType[*npmError](err)
	if !ok {
		return "", err
	}
	return "", errorf("cannot fetch %s %s: npm: %s; %s", r.Title, r.Version, ne.said, ne.fix())
}

// downloadTo is download into a new file.
func (f *fetcher) downloadTo(ctx context.Context, r release, address, path string) error {
	file, err := writefile.New(path, writefile.Public)
	if err != nil {
		return err
	}
	return errors.Join(f.download(ctx, r, address, file), file.Close())
}

// download streams address into a file, hashing as it goes.
func (f *fetcher) download(ctx context.Context, r release, address string, file io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alive := time.AfterFunc(stall, func() { cancel(fmt.Errorf("no data for %s", stall)) })
	defer alive.Stop()

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := httpClient().Do(req)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err) // not the bare "context canceled"
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the registry answered %s", resp.Status)
	}
	bar := f.out.bar(r.Title+" "+r.Version, resp.ContentLength)
	defer bar.Close()
	sum := sha512.New()
	tick := writerFunc(func(p []byte) (int, error) { alive.Reset(stall); return len(p), nil })
	// One byte more than the pinned size is enough to see that it is something else.
	body := io.LimitReader(resp.Body, max(r.Packed, resp.ContentLength)+1)
	if _, err := io.Copy(io.MultiWriter(file, sum, bar, tick), body); err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	return checkSum(sum, r)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// hashError is a tarball that is not the pinned one.
type hashError struct {
	r   release
	got string
}

func (e *hashError) Error() string {
	return fmt.Sprintf("%s %s arrived with the wrong hash (got %.24s..., want %.24s...), so it was thrown away; try again, and check the registry or proxy that npm is set to",
		e.r.Title, e.r.Version, e.got, e.r.Integrity)
}

func checkSum(sum hash.Hash, r release) error {
	got := "sha512-" + base64.StdEncoding.EncodeToString(sum.Sum(nil))
	if got != r.Integrity {
		return &Error{&hashError{r, got}}
	}
	return nil
}

func checkFile(path string, r release) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha512.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	return checkSum(sum, r)
}

// httpClient honours the proxy variables and the certificate files that Node
// and npm would.
func httpClient() *http.Client {
	t := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 20 * time.Second}).DialContext,
		TLSHandshakeTimeout:   20 * time.Second,
		ResponseHeaderTimeout: 30 * time.Second,
		ForceAttemptHTTP2:     true,
		DisableKeepAlives:     true, // one file, then no goroutine stays behind
	}
	if pool := extraCAs(); pool != nil {
		t.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	return &http.Client{Transport: t}
}

// extraCAs adds the certificates that the user gave Node or npm to the system's;
// nil means the system's alone.
func extraCAs() *x509.CertPool {
	var pool *x509.CertPool
	for _, name := range []string{"NODE_EXTRA_CA_CERTS", "npm_config_cafile", "NPM_CONFIG_CAFILE"} {
		pem, err := os.ReadFile(os.Getenv(name))
		if err != nil {
			continue
		}
		if pool == nil {
			if pool, err = x509.SystemCertPool(); err != nil {
				pool = x509.NewCertPool()
			}
		}
		pool.AppendCertsFromPEM(pem)
	}
	return pool
}

// progress tells a person what is going on: lines always, a bar when there is a
// terminal to draw it on.
type progress struct {
	w   io.Writer
	tty bool
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	return &progress{w: w, tty: ok && term.IsTerminal(int(f.Fd()))}
}

func (p *progress) say(format string, args ...any) {
	fmt.Fprintf(p.w, "pwpipe: "+format+"\n", args...)
}

// bar counts the bytes written to it and shows them on a terminal; total is -1 where it is
// not known. Close erases it.
func (p *progress) bar(what string, total int64) io.WriteCloser {
	return progressbar.NewOptions64(total,
		progressbar.OptionSetVisibility(p.tty),
		progressbar.OptionSetWriter(p.w),
		progressbar.OptionSetDescription("pwpipe: "+what),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
	)
}

// size is a number of bytes as people read it.
func size(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%d MB", (n+5e5)/1e6)
	}
	return fmt.Sprintf("%d kB", (n+500)/1e3)
}
