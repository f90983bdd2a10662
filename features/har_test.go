package features_test

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/features/har"
	"pwpipe/handlers/browser"
	"pwpipe/internal/policy/urlglob"
)

const twoRequests = `{"log": {"version": "1.2", "creator": {"name": "C"}, "entries": [
	{"request": {"url": "http://a/one"}, "response": {"content": {"text": "said kestrel"}}},
	{"request": {"url": "http://a/two?kestrel"}}]}}`

// withoutKestrel masks the secret "kestrel".
func withoutKestrel(text string) string { return strings.ReplaceAll(text, "kestrel", "****") }

// A finished HAR has the requests that match, and no secret in any of its files.
func TestHideInHAR(t *testing.T) {
	glob, err := urlglob.Compile("**/two*", "")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.har")
	if err := os.WriteFile(path, []byte(twoRequests), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := har.Clean(path, withoutKestrel, glob); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if text := string(got); err != nil || strings.Contains(text, "/one") || !strings.Contains(text, "http://a/two?****") || !strings.Contains(text, `"name": "C"`) {
		t.Errorf("%s %v", got, err)
	}
	path = filepath.Join(t.TempDir(), "a.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	parts := map[string]string{"har.har": twoRequests, "body.txt": "kestrel", "body.bin": "\xff\xfekestrel"}
	for name, text := range parts {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if err := har.Clean(path, withoutKestrel, nil); err != nil {
		t.Fatal(err)
	}
	masked, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer masked.Close()
	if len(masked.File) != len(parts) {
		t.Errorf("%d files of %d", len(masked.File), len(parts))
	}
	for _, part := range masked.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if binary := part.Name == "body.bin"; err != nil || strings.Contains(string(text), "kestrel") != binary {
			t.Errorf("%s: %q %v", part.Name, text, err)
		}
	}
}

// A HAR whose secrets can't be masked does not stay.
func TestUnmaskableHAR(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(path, []byte("kestrel"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := har.Clean(path, withoutKestrel, nil); err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("it is there")
	}
}

// The HAR of a session is that of its first context, is read where a client wants it, and
// leaves no folder.
func TestSessionHAR(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for text, want := range map[string]bool{`{"log":{}}`: true, `{"log":`: false} {
		h := har.OfSession(&browser.Session{})
		if h.FirstPath() != "" {
			t.Error("a HAR that nobody has asked for has a path")
		}
		if err := h.Record(); err != nil {
			t.Fatal(err)
		}
		path := h.FirstPath()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if again := h.FirstPath(); again != "" {
			t.Errorf("a second context is recorded, in %s", again)
		}
		h.Want()
		got, err := h.Text()
		if (err == nil) != want || want && string(got) != text {
			t.Errorf("%s is answered as %s, %v", text, got, err)
		}
	}
	unwanted := har.OfSession(&browser.Session{})
	if err := unwanted.Record(); err != nil {
		t.Fatal(err)
	}
	if text, err := unwanted.Text(); text != nil || err != nil {
		t.Errorf("nobody wants it, and it is answered as %s, %v", text, err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
