package setup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"pwpipe/internal/machine/cell"
)

// TestMain can run this binary as a pwpipe that only installs testRelease: two
// at once, or one to kill.
func TestMain(m *testing.M) {
	cell.Run() // it is the process of scripts, too: see TestDoctorAfterInstall
	if os.Getenv("SETUP_HELPER") != "" {
		os.Exit(helperMain())
	}
	os.Exit(m.Run())
}

func helperMain() int {
	var r release
	if err := json.Unmarshal([]byte(os.Getenv("SETUP_HELPER")), &r); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if os.Getenv("SETUP_HANG") != "" {
		r.unpack = func(_ context.Context, _, dir string) error {
			err := os.WriteFile(filepath.Join(dir, "half"), []byte("half of it"), 0o644)
			fmt.Println("unpacking", err)
			select {}
		}
	}
	s, err := newSetup(Options{})
	if err == nil {
		_, _, err = s.ensure(context.Background(), r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// helper is that binary, ready to start.
func helper(t *testing.T, r release, cache string, env ...string) *exec.Cmd {
	t.Helper()
	spec, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), append(env, "SETUP_HELPER="+string(spec), "PWPIPE_CACHE="+cache)...)
	return cmd
}

// registry serves one small package over loopback.
type registry struct {
	release
	tgz   []byte
	url   string
	count atomic.Int32
	gate  chan struct{} // each download stops here, half served, until it is closed
	asked chan struct{} // gets one value per download
}

// newRegistry starts a registry with an open gate, and puts a fake npm on PATH
// that points to it.
func newRegistry(t *testing.T) *registry {
	t.Helper()
	g := newHeldRegistry(t)
	close(g.gate)
	return g
}

// newHeldRegistry starts one with a closed gate.
func newHeldRegistry(t *testing.T) *registry {
	t.Helper()
	g := &registry{
		tgz:   tgz(t, file("package/cli.js", "console.log(1)"), file("package/lib/a.js", "a")),
		gate:  make(chan struct{}),
		asked: make(chan struct{}, 16),
	}
	g.release = release{
		Name: "some-package", Version: "1.2.3", Integrity: integrity(g.tgz),
		Title: "some package", Folder: "some-package", Key: "package/cli.js",
		Packed: int64(len(g.tgz)), Unpacked: 100,
	}
	srv := httptest.NewServer(g)
	t.Cleanup(srv.Close)
	g.url = srv.URL + "/some-package.tgz"
	t.Setenv("FAKE_TARBALL", g.url)
	fakeTools(t, goodNode, goodNpm)
	return g
}

func (g *registry) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.RawQuery {
	case "login": // a possible answer of a proxy that wants a password
		io.WriteString(w, "<html>please log in</html>")
		return
	case "forbidden":
		http.Error(w, "no", http.StatusForbidden)
		return
	case "short":
		w.Header().Set("Content-Length", fmt.Sprint(len(g.tgz)))
		w.Write(g.tgz[:10])
		return
	}
	g.count.Add(1)
	g.asked <- struct{}{}
	w.Header().Set("Content-Length", fmt.Sprint(len(g.tgz)))
	half := len(g.tgz) / 2
	w.Write(g.tgz[:half])
	w.(http.Flusher).Flush()
	select {
	case <-g.gate:
	case <-r.Context().Done():
		return
	}
	w.Write(g.tgz[half:])
}

const (
	goodNode = "echo v20.1.0"
	goodNpm  = `case "$1" in
view) echo "\"$FAKE_TARBALL\"" ;;
pack) if [ -n "$FAKE_PACK" ]; then /bin/cp "$FAKE_PACK" "$4/some.tgz"; else echo "npm error code ENOTFOUND" >&2; exit 1; fi ;;
*) echo 10.0.0 ;;
esac`
)

// fakeTools makes PATH a folder with these scripts as node and npm; "" omits
// one.
func fakeTools(t *testing.T, node, npm string) (dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fakes are shell scripts")
	}
	dir = t.TempDir()
	for name, body := range map[string]string{"node": node, "npm": npm} {
		if body == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	t.Setenv("PWPIPE_NODE", "")
	t.Setenv("PWPIPE_CACHE", "")
	t.Setenv("PWPIPE_BROWSER", "")
	return dir
}

// quiet are options with a new cache, whose progress is recorded.
func quiet(t *testing.T) (Options, *bytes.Buffer) {
	t.Helper()
	var stderr bytes.Buffer
	return Options{Cache: t.TempDir(), Stderr: &stderr}, &stderr
}

func mustSetup(t *testing.T, o Options) *setup {
	t.Helper()
	s, err := newSetup(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type entry struct {
	tar.Header
	body string
}

func file(name, body string) entry {
	return entry{tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(body))}, body}
}

func tgz(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	zw := gzip.NewWriter(&out)
	tw := tar.NewWriter(zw)
	for _, e := range entries {
		if err := tw.WriteHeader(&e.Header); err != nil {
			t.Fatal(err)
		}
		if _, err := tw.Write([]byte(e.body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func integrity(data []byte) string {
	sum := sha512.Sum512(data)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// temps lists unfinished work in a cache folder.
func temps(t *testing.T, cache string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(cache, tempPrefix+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// wantError checks that an error is one clear line in the project's style.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	text := err.Error()
	if !strings.HasPrefix(text, "setup: ") || strings.Contains(text, "\n") {
		t.Errorf("not one line that starts with setup: %q", text)
	}
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q does not say %q", text, p)
		}
	}
}
