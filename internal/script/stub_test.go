package script

import (
	"context"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"
)

// pageImpl stands for a page where a test is of the engine alone.
type pageImpl struct{ playwright.Page }

type browserContextImpl struct{ playwright.BrowserContext }

func (*pageImpl) Context() playwright.BrowserContext    { return &browserContextImpl{} }
func (*pageImpl) URL() string                           { return "about:blank" }
func (*browserContextImpl) Browser() playwright.Browser { return nil }

// bareEngine is an engine with no browser behind it.
func bareEngine(t testing.TB) *Runtime {
	t.Helper()
	r, err := New(Host{Folders: []string{t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// runs runs a script, within a time that only bounds a hang.
func (r *Runtime) runs(t testing.TB, code string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	res, err := r.Run(ctx, &pageImpl{}, code)
	return string(res.Value), err
}
