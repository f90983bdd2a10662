package setup

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"pwpipe/internal/machine/writefile"
)

var renewing = flag.Bool("renew", false, "pin the newest Chromium")

// TestPinNewest pins the newest Chromium for `go generate`, which alone gives the flag.
func TestPinNewest(t *testing.T) {
	if !*renewing {
		t.Skip("`go generate ./internal/machine/setup` runs it")
	}
	said, err := renew(t.Context(), Options{}, "versions.go")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(said)
}

// renew pins the newest version of the Chromium package in file, the source that
// declares the releases: it asks npm for it, fetches it, runs it, and writes its
// version, hash, sizes and build date. It answers what it did.
func renew(ctx context.Context, o Options, file string) (string, error) {
	s, err := newSetup(o)
	if err != nil {
		return "", err
	}
	if s.node, err = lookNode(); err != nil {
		return "", err
	}
	r, err := s.newest(ctx, chromiumRelease)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	source := string(data)
	if strings.Contains(source, strconv.Quote(r.Integrity)) {
		return r.spec() + " is pinned, and is the newest", nil
	}
	if err := s.measure(ctx, &r); err != nil {
		return "", err
	}
	if source, err = pin(source, chromiumRelease, r); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return "pinned " + r.spec() + ", built " + r.Built, writefile.Bytes(file, []byte(source), writefile.Public)
}

// newest is a release in the version that npm has for the latest.
func (f *fetcher) newest(ctx context.Context, r release) (release, error) {
	npm, err := f.findNpm()
	if err != nil {
		return r, err
	}
	out, err := npm.run(ctx, 2*time.Minute, "view", r.Name, "version", "dist.integrity", "--json")
	if err != nil {
		return r, err
	}
	var latest struct {
		Version   string
		Integrity string `json:"dist.integrity"`
	}
	if json.Unmarshal([]byte(out), &latest) != nil || latest.Version == "" || !strings.HasPrefix(latest.Integrity, "sha512-") {
		return r, errorf("npm says %.100q instead of a version and its sha512", firstLine(out))
	}
	r.Version, r.Integrity = latest.Version, latest.Integrity
	return r, nil
}

// measure fetches a release, runs it where it can, and learns its sizes and age.
func (s *setup) measure(ctx context.Context, r *release) error {
	tmp, err := os.MkdirTemp("", "pwpipe-renew-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	tgz, err := s.fetch(ctx, *r, tmp)
	if err != nil {
		return err
	}
	info, err := os.Stat(tgz)
	if err != nil {
		return err
	}
	r.Packed = info.Size()
	if r.Built, err = builtOn(ctx, tgz); err != nil {
		return err
	}
	out := filepath.Join(tmp, "out")
	if err := errors.Join(os.Mkdir(out, 0o755), r.unpack(ctx, tgz, out)); err != nil {
		return err
	}
	if havePinned() {
		if _, err := r.verify(ctx, out); err != nil {
			return err
		}
	}
	files, err := sizes(out)
	r.Unpacked = 0
	for _, bytes := range files {
		r.Unpacked += bytes
	}
	r.Unpacked = (r.Unpacked/1_000_000 + 1) * 1_000_000 // whole megabytes
	return err
}

// builtOn is the day on which the Chromium of a package was built: that of the
// libraries for WebGL, which are built with it and keep their times in their archive.
// npm's date and a mirror's date may be later.
func builtOn(ctx context.Context, tgz string) (string, error) {
	var built time.Time
	err := readTgz(tgz, func(r io.Reader) error {
		return eachEntry(ctx, r, func(h *tar.Header, body io.Reader) error {
			if path.Clean(h.Name) != "package/bin/swiftshader.tar.br" {
				return nil
			}
			return eachEntry(ctx, brotli.NewReader(body), func(h *tar.Header, _ io.Reader) error {
				if h.ModTime.After(built) {
					built = h.ModTime
				}
				return nil
			})
		})
	})
	if err == nil && built.IsZero() {
		err = errorf("the package holds no libraries for WebGL, whose times would say when it was built")
	}
	return built.UTC().Format(time.DateOnly), err
}

// pin writes a release into the source that declares an older one.
func pin(source string, old, r release) (string, error) {
	for _, change := range [][2]string{
		{strconv.Quote(old.Version), strconv.Quote(r.Version)},
		{strconv.Quote(old.Integrity), strconv.Quote(r.Integrity)},
		{strconv.Quote(old.Built), strconv.Quote(r.Built)},
		{grouped(old.Packed), grouped(r.Packed)},
		{grouped(old.Unpacked), grouped(r.Unpacked)},
	} {
		if n := strings.Count(source, change[0]); n != 1 {
			return "", fmt.Errorf("it has %s %d times, and once is expected", change[0], n)
		}
		source = strings.Replace(source, change[0], change[1], 1)
	}
	return source, nil
}

// grouped writes a number as the sources do: 68_062_955.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "_" + text[i:]
	}
	return text
}
