package packages

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pwpipe/provider"
)

// TestPackagesNameTheirSource: every package of npm and every wheel says which repository it was
// built in. npm compares that with the provenance, and refuses a package without it.
func TestPackagesNameTheirSource(t *testing.T) {
	dir := t.TempDir()
	t.Chdir("../..") // whose files the packages have
	archiveOf(t, filepath.Join(dir, "pwpipe_1.2.3_linux_amd64.tar.gz"))
	spec := provider.Spec{Name: "nav", Title: "Open a page", Doc: "Opens a page", Profile: "agent", Timeout: time.Second, Effect: provider.Acts}
	tools := []*provider.Tool{provider.Define(spec, func(context.Context, struct {
		URL   string   `json:"url" doc:"Address of the page"`
		Waits []string `json:"waits,omitempty" doc:"What to wait for"`
	}) (string, error) {
		return "", nil
	})}
	if err := Make("1.2.3", "Example/pwpipe", dir, dir, tools); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pwpipe-1.2.3.tgz", "pwpipe-linux-x64-1.2.3.tgz"} {
		var m struct {
			Homepage   string
			Repository struct{ Type, URL string }
		}
		if err := json.Unmarshal(ofTarball(t, filepath.Join(dir, name), "package/package.json"), &m); err != nil {
			t.Fatal(err)
		}
		if m.Repository.Type != "git" || m.Repository.URL != "git+https://github.com/Example/pwpipe.git" || m.Homepage != "https://github.com/Example/pwpipe" {
			t.Errorf("%s: %+v", name, m)
		}
	}
	wheel, err := zip.OpenReader(filepath.Join(dir, "pwpipe-1.2.3-py3-none-manylinux_2_17_x86_64.whl"))
	if err != nil {
		t.Fatal(err)
	}
	defer wheel.Close()
	f, err := wheel.Open("pwpipe-1.2.3.dist-info/METADATA")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	head, _, _ := strings.Cut(string(text), "\n\n")
	if err != nil || !strings.Contains(head, "\nProject-URL: Repository, https://github.com/Example/pwpipe\n") {
		t.Errorf("the wheel's METADATA: %v\n%s", err, head)
	}
	types := string(ofTarball(t, filepath.Join(dir, "pwpipe-1.2.3.tgz"), "package/tools.d.ts"))
	if !strings.Contains(types, "nav(") || !strings.Contains(types, "waits?: Array<string>") {
		t.Errorf("the types of the npm package: %s", types)
	}
}

// archiveOf writes a release's archive. What the program is does not matter here.
func archiveOf(t *testing.T, path string) {
	t.Helper()
	var buf bytes.Buffer
	zipped := gzip.NewWriter(&buf)
	w := tar.NewWriter(zipped)
	err := w.WriteHeader(&tar.Header{Name: "pwpipe", Mode: 0o755, Size: 3})
	_, werr := w.Write([]byte("ELF"))
	if err := errors.Join(err, werr, w.Close(), zipped.Close(), os.WriteFile(path, buf.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// ofTarball is a file of a package.
func ofTarball(t *testing.T, path, name string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if err != nil {
			t.Fatalf("%s: no %s: %v", path, name, err)
		}
		if h.Name == name {
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
	}
}
