package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestNodeFaults(t *testing.T) {
	const ways = "a way that brings Node: `npx pwpipe`, `uvx pwpipe`, brew, the deb or rpm"
	for _, c := range []struct {
		name, node string
		want       []string
	}{
		{"missing", "", []string{"node not found on PATH", "install Node.js 18 or newer", "PWPIPE_NODE=", ways}},
		{"too old", "echo v16.20.2", []string{"v16.20.2, too old", "install Node.js 18", ways}},
		{"broken", "echo cannot load library >&2; exit 127", []string{"does not run", "cannot load library", "install Node.js 18"}},
		{"not node", "echo Node Audio 4", []string{"does not say a version", "install Node.js 18"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fakeTools(t, c.node, goodNpm)
			o, _ := quiet(t)
			_, err := Ensure(context.Background(), o)
			wantError(t, err, c.want...)
		})
	}
}

func TestPwpipeNode(t *testing.T) {
	dir := fakeTools(t, "", goodNpm)
	other := filepath.Join(dir, "my-node")
	t.Setenv("PWPIPE_NODE", other)
	o, _ := quiet(t)
	_, err := Ensure(context.Background(), o)
	wantError(t, err, "PWPIPE_NODE="+other, "unset it")

	if err := os.WriteFile(other, []byte("#!/bin/sh\necho v22.0.0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	path, version, err := mustSetup(t, o).findNode(context.Background())
	if path != other || version != "v22.0.0" || err != nil {
		t.Errorf("%s %s %v", path, version, err)
	}
}

// Node's version is asked once, and again when the program changes.
func TestNodeVersionIsRemembered(t *testing.T) {
	dir := fakeTools(t, `echo x >> "$NODE_RUNS"; echo v20.0.0`, goodNpm)
	runs := filepath.Join(dir, "runs")
	t.Setenv("NODE_RUNS", runs)
	o, _ := quiet(t)
	find := func(want string) {
		t.Helper()
		if _, version, err := mustSetup(t, o).findNode(context.Background()); version != want || err != nil {
			t.Errorf("%s %v, want %s", version, err, want)
		}
	}
	find("v20.0.0")
	find("v20.0.0")
	if data, _ := os.ReadFile(runs); string(data) != "x\n" {
		t.Errorf("node ran %d times", len(data)/2)
	}
	if err := os.WriteFile(filepath.Join(dir, "node"), []byte("#!/bin/sh\necho v20.11.12\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	find("v20.11.12")
}

func TestNpmFaults(t *testing.T) {
	const offline = `echo '{"error":{"code":"ENOTFOUND","summary":"request failed, reason: getaddrinfo ENOTFOUND"}}'; echo "npm error code ENOTFOUND" >&2; exit 1`
	for _, c := range []struct {
		name, npm string
		want      []string
	}{
		{"missing", "", []string{"npm not found on PATH", "install npm"}},
		{"no network", offline, []string{"cannot fetch the Playwright driver 1.60.0", "getaddrinfo ENOTFOUND", "npm ping"}},
		{"old npm, no network", `echo "npm ERR! code EAI_AGAIN
npm ERR! syscall getaddrinfo
npm ERR! request failed" >&2; exit 1`, []string{"request failed", "npm ping"}},
		{"not allowed", `echo "npm error code E401
npm error Unable to authenticate" >&2; exit 1`, []string{"Unable to authenticate", "npm login"}},
		{"not there", `echo "npm error code E404
npm error 404 Not Found" >&2; exit 1`, []string{"404 Not Found", "npm config get registry"}},
		{"unknown certificate", `echo "npm error code SELF_SIGNED_CERT_IN_CHAIN
npm error self-signed certificate" >&2; exit 1`, []string{"self-signed", "cafile", "NODE_EXTRA_CA_CERTS"}},
		{"broken", `echo "node:internal/modules:1
  throw err;
Error: Cannot find module 'npm/lib/cli.js'" >&2; exit 1`, []string{"Cannot find module", "npm --version", "reinstall"}},
		{"silent", "exit 3", []string{"exit status 3", "npm --version"}},
		{"says nothing of use", "echo hello", []string{"npm: packed nothing", "npm --version"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fakeTools(t, goodNode, c.npm)
			o, _ := quiet(t)
			_, err := Ensure(context.Background(), o)
			wantError(t, err, c.want...)
			if left := temps(t, o.Cache); left != nil {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// The real npm, pointed at a port where nobody listens.
func TestNoNetwork(t *testing.T) {
	if _, err := lookNode(); err != nil || testing.Short() {
		t.Skip("needs node and npm, and some seconds")
	}
	t.Setenv("npm_config_registry", "http://127.0.0.1:1/")
	o, _ := quiet(t)
	_, err := Ensure(context.Background(), o)
	wantError(t, err, "cannot fetch the Playwright driver", "npm ping")
}

// npm runs again with its own cache if the user's is not writable.
func TestNpmCacheNotWritable(t *testing.T) {
	g := newRegistry(t)
	fakeTools(t, goodNode, `[ -n "$npm_config_cache" ] || { echo "npm error code EACCES
npm error Your cache folder contains root-owned files" >&2; exit 1; }
`+goodNpm)
	t.Setenv("npm_config_cache", "")
	o, _ := quiet(t)
	if _, _, err := mustSetup(t, o).ensure(context.Background(), g.release); err != nil {
		t.Error(err)
	}
}

func TestNpmDownloadsWhereWeCannot(t *testing.T) {
	g := newRegistry(t)
	packed := filepath.Join(t.TempDir(), "good.tgz")
	if err := os.WriteFile(packed, g.tgz, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FAKE_PACK", packed)
	for name, address := range map[string]string{
		"refused":      "http://127.0.0.1:1/x.tgz",
		"not http":     "file:///x.tgz",
		"log-in page":  g.url + "?login",
		"forbidden":    g.url + "?forbidden",
		"cut short":    g.url + "?short",
		"not an url":   "::",
		"empty answer": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("FAKE_TARBALL", address)
			o, _ := quiet(t)
			if _, _, err := mustSetup(t, o).ensure(context.Background(), g.release); err != nil {
				t.Error(err)
			}
			if n := g.count.Load(); n != 0 {
				t.Errorf("%d downloads of ours went well", n)
			}
		})
	}
}

func TestWrongHash(t *testing.T) {
	for _, pack := range []bool{false, true} {
		t.Run(fmt.Sprint("npm packs too: ", pack), func(t *testing.T) {
			g := newRegistry(t)
			if pack {
				bad := filepath.Join(t.TempDir(), "bad.tgz")
				if err := os.WriteFile(bad, g.tgz, 0o644); err != nil {
					t.Fatal(err)
				}
				t.Setenv("FAKE_PACK", bad)
			}
			g.Integrity = integrity([]byte("what we expect"))
			o, _ := quiet(t)
			s := mustSetup(t, o)
			_, _, err := s.ensure(context.Background(), g.release)
			wantError(t, err, "wrong hash", "try again")
			if _, err := os.Stat(s.dir(g.release)); err == nil {
				t.Error("it was installed all the same")
			}
			if left := temps(t, o.Cache); left != nil {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestUnwritableCache(t *testing.T) {
	g := newRegistry(t)
	notDir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(notDir, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	caches := map[string]string{"under a file": filepath.Join(notDir, "cache")}
	if runtime.GOOS == "linux" {
		caches["under /proc"] = "/proc/self/pwpipe" // refuses root too
	}
	if os.Getuid() > 0 {
		closed := filepath.Join(t.TempDir(), "closed")
		if err := os.Mkdir(closed, 0o555); err != nil {
			t.Fatal(err)
		}
		caches["no permission"] = closed
	}
	for name, cache := range caches {
		t.Run(name, func(t *testing.T) {
			o, _ := quiet(t)
			o.Cache = cache
			_, _, err := mustSetup(t, o).ensure(context.Background(), g.release)
			wantError(t, err, "cannot write to the cache folder "+cache, "PWPIPE_CACHE=")
		})
	}
}

func TestNoCacheFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("has no HOME")
	}
	t.Setenv("PWPIPE_CACHE", "")
	t.Setenv("XDG_CACHE_HOME", "relative/path")
	t.Setenv("HOME", "/home/somebody")
	if runtime.GOOS == "linux" {
		_, err := Ensure(context.Background(), Options{})
		wantError(t, err, "no cache folder", "PWPIPE_CACHE=")
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	t.Setenv("PWPIPE_CACHE", "/some/where")
	if dir, err := cacheDir(""); dir != "/some/where" || err != nil {
		t.Error(dir, err)
	}
	t.Setenv("PWPIPE_CACHE", "")
	dir, err := cacheDir("")
	if err == nil && !filepath.IsAbs(dir) { // found in the list of users
		t.Error(dir)
	}
	if err != nil {
		wantError(t, err, "no cache folder", "PWPIPE_CACHE=")
	}
}

func TestDiskFull(t *testing.T) {
	g := newRegistry(t)
	o, _ := quiet(t)
	s := mustSetup(t, o)
	huge := g.release
	huge.Unpacked = 1 << 60
	_, _, err := s.ensure(context.Background(), huge)
	wantError(t, err, "some package needs", "free", "PWPIPE_CACHE")

	if runtime.GOOS != "linux" {
		t.Skip("needs /dev/full")
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	err = s.explain(s.download(context.Background(), g.release, g.url, full))
	wantError(t, err, "is full", o.Cache, "PWPIPE_CACHE")

	// The same during unpacking, where the error is wrapped.
	r := g.release
	r.unpack = func(context.Context, string, string) error {
		f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString("x")
		return errors.Join(err, f.Close())
	}
	_, _, err = s.ensure(context.Background(), r)
	wantError(t, err, "is full", o.Cache, "PWPIPE_CACHE")
	if left := temps(t, o.Cache); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestOffline(t *testing.T) {
	fakeTools(t, goodNode, `echo npm ran >&2; exit 1`)
	o, stderr := quiet(t)
	o.Offline = true
	_, err := Ensure(context.Background(), o)
	wantError(t, err, "missing", "pwpipe install")
	_, err = Axe(context.Background(), o)
	wantError(t, err, "axe-core", "missing", "pwpipe install")
	if strings.TrimSpace(stderr.String()) != "" {
		t.Errorf("said %q", stderr)
	}
}
