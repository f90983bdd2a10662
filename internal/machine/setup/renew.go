package setup

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/andybalholm/brotli"
)

// Renew pins the newest version of the Chromium package in file, the source that
// declares the releases: it asks npm for it, fetches it, runs it, and writes its
// version, hash, sizes and build date. It answers what it did.
func Renew(ctx context.Context, o Options, file string) (string, error) {
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
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if pinned := strconv.Quote(r.Integrity); strings.Contains(string(source), pinned) {
		return r.spec() + " is pinned, and is the newest", nil
	}
	if err := s.measure(ctx, &r); err != nil {
		return "", err
	}
	if source, err = pin(source, "chromiumRelease", r); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return "pinned " + r.spec() + ", built " + r.Built, os.WriteFile(file, source, 0o644)
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

// pin writes a release into the source that declares it, by its variable.
func pin(source []byte, name string, r release) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	left := map[string]string{
		"Version": strconv.Quote(r.Version), "Integrity": strconv.Quote(r.Integrity), "Built": strconv.Quote(r.Built),
		"Packed": grouped(r.Packed), "Unpacked": grouped(r.Unpacked),
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Names) != 1 || spec.Names[0].Name != name {
			return true
		}
		ast.Inspect(spec, func(n ast.Node) bool {
			field, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			value, literal := field.Value.(*ast.BasicLit)
			if key, ok := field.Key.(*ast.Ident); ok && literal && left[key.Name] != "" {
				value.Value = left[key.Name]
				delete(left, key.Name)
			}
			return true
		})
		return false
	})
	if len(left) > 0 {
		return nil, fmt.Errorf("%s does not declare all of Version, Integrity, Built, Packed and Unpacked", name)
	}
	var out strings.Builder
	err = format.Node(&out, set, file)
	return []byte(out.String()), err
}

// grouped writes a number as the sources do: 68_062_955.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "_" + text[i:]
	}
	return text
}

// age says how old the Chromium of a release is.
func (r release) age(now time.Time) string {
	built, err := time.Parse(time.DateOnly, r.Built)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("built %d days ago (%s)", int(now.Sub(built).Hours()/24), r.Built)
}
