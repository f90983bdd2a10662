package driver

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pwpipe/internal/browser/reexec"
	"pwpipe/internal/machine/setup"
)

// playwright-go starts the test binary, which then becomes the driver; or it is a
// process that runs one.
func TestMain(m *testing.M) {
	reexec.Run()
	// Under -race every ending process sleeps for a second by default.
	if os.Getenv("GORACE") == "" {
		_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	if os.Getenv(envHelper) != "" {
		helper()
	}
	os.Exit(m.Run())
}

// installed finds node and the driver, and fetches a missing driver.
func installed(t testing.TB) *setup.Installed {
	t.Helper()
	in, err := setup.Ensure(t.Context(), setup.Options{SkipBrowser: true, Stderr: io.Discard})
	if err != nil {
		t.Skip("no driver:", err)
	}
	return in
}

// options of a driver whose cache and temporary files belong to the test.
func options(t testing.TB) Options {
	t.Helper()
	in := installed(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	return Options{Node: in.Node, Dir: in.DriverDir, Env: in.DriverEnv, Cache: t.TempDir(), Stderr: &testLog{t}}
}

// testLog fails the test if the driver logs anything.
type testLog struct{ t testing.TB }

func (l *testLog) Write(p []byte) (int, error) {
	l.t.Errorf("the driver says: %s", p)
	return len(p), nil
}

func start(t testing.TB, o Options) *Driver {
	t.Helper()
	d, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Kill)
	return d
}

// use makes the driver work without a browser.
func use(t testing.TB, d *Driver) {
	t.Helper()
	for range 4 {
		r, err := d.Playwright.Request.NewContext()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.StorageState(); err != nil {
			t.Error(err)
		}
		if err := r.Dispose(); err != nil {
			t.Error(err)
		}
	}
}

func stop(t testing.TB, d *Driver) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := d.Stop(ctx); err != nil {
		t.Error(err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// theCache is the only cache file of a folder.
func theCache(t testing.TB, dir string) string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 || filepath.Ext(files[0]) != ".cache" {
		t.Fatalf("want one cache file, have %q", files)
	}
	return files[0]
}
