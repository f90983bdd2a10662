package script

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pwpipe/internal/setup"
)

// typesPath is the declaration of the JavaScript API that belongs to the
// driver.
func typesPath(t *testing.T) string {
	t.Helper()
	in, err := setup.Ensure(context.Background(), setup.Options{SkipBrowser: true})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(in.DriverDir, "package", "types", "types.d.ts")
}

// newRuntime is an engine without a browser, whose files are in a folder of
// its own.
func newRuntime(t *testing.T) *Runtime {
	t.Helper()
	dir := t.TempDir()
	r, err := New(Host{Folders: []string{dir}, Rules: oneFolder(dir)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// oneFolder are rules that allow a folder and no host.
type oneFolder string

func (oneFolder) Navigate(url string) error { return errRefused }
func (oneFolder) Request(url string) error  { return errRefused }
func (oneFolder) Proxy() error              { return errRefused }
func (oneFolder) Open(string) error         { return nil }
func (oneFolder) Upload(string) error       { return nil }

func (f oneFolder) Within(path string) (*os.Root, string, error) {
	name, err := filepath.Rel(string(f), path)
	if err != nil || !filepath.IsLocal(name) {
		return nil, "", errRefused
	}
	root, err := os.OpenRoot(string(f))
	return root, name, err
}

var errRefused = errors.New("blocked: by the rules of the test")
