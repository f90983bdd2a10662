package setup

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
)

func brotlied(t *testing.T, data []byte) string {
	t.Helper()
	var out bytes.Buffer
	w := brotli.NewWriter(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestRenew: npm's newest version replaces the pinned one in the source, with
// its hash and build date. Nothing else in the source changes.
func TestRenew(t *testing.T) {
	g := newRegistry(t)
	var lib bytes.Buffer
	w := tar.NewWriter(&lib)
	if err := w.WriteHeader(&tar.Header{Name: "libEGL.so", Typeflag: tar.TypeReg, Mode: 0o644, ModTime: time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	g.tgz = tgz(t, file("package/bin/chromium.br", brotlied(t, []byte("#!/bin/sh\necho Chromium 999.1.2\n"))),
		file("package/bin/swiftshader.tar.br", brotlied(t, lib.Bytes())))
	fakeTools(t, goodNode, strings.Replace(goodNpm, "view)", `view) case "$3" in version) echo "$FAKE_NEWEST"; exit;; esac;`, 1))
	t.Setenv("FAKE_NEWEST", fmt.Sprintf(`{"version": "999.0.1", "dist.integrity": %q}`, integrity(g.tgz)))

	before, err := os.ReadFile("versions.go")
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(t.TempDir(), "versions.go")
	if err := os.WriteFile(source, before, 0o644); err != nil {
		t.Fatal(err)
	}
	o, _ := quiet(t)
	for _, want := range []string{"pinned @sparticuz/chromium@999.0.1, built 2031-05-06", "@sparticuz/chromium@999.0.1 is pinned, and is the newest"} {
		if said, err := renew(context.Background(), o, source); err != nil || said != want {
			t.Fatalf("it says %q, %v, want %q", said, err, want)
		}
	}
	after, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	r := chromiumRelease
	want := string(before)
	for old, now := range map[string]string{
		fmt.Sprintf("%q", r.Version): `"999.0.1"`, fmt.Sprintf("%q", r.Integrity): fmt.Sprintf("%q", integrity(g.tgz)), fmt.Sprintf("%q", r.Built): `"2031-05-06"`,
		grouped(r.Packed): grouped(int64(len(g.tgz))), grouped(r.Unpacked): "1_000_000",
	} {
		if strings.Count(want, old) != 1 {
			t.Fatalf("%s is not there once", old)
		}
		want = strings.Replace(want, old, now, 1)
	}
	if string(after) != want {
		t.Errorf("the source is\n%s\nwant\n%s", after, want)
	}
}

func TestAgeOfTheBrowser(t *testing.T) {
	now := time.Date(2027, 1, 2, 12, 0, 0, 0, time.UTC)
	if got := (release{Built: "2026-09-09"}).age(now); got != "built 115 days ago (2026-09-09)" {
		t.Errorf("it is %s", got)
	}
	if _, err := time.Parse(time.DateOnly, chromiumRelease.Built); err != nil {
		t.Error(err)
	}
}
