package artifacts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// by is the context of a client's call in a session.
func by(client string, s *browser.Session) context.Context {
	return browser.WithSession(provider.WithClient(context.Background(), client), s)
}

// wrote is a file that a client's call has written.
func wrote(t *testing.T, sh *Shelf, ctx context.Context, path, text string) provider.File {
	t.Helper()
	f, written := sh.Offer(ctx, filepath.Base(path), path)
	if _, _, err := sh.Read(ctx, f.URI); err == nil || !strings.Contains(err.Error(), "not written yet") {
		t.Errorf("before it is written: %v", err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	written()
	return f
}

// A file is its client's, in the session that wrote it, as long as nobody has touched it.
func TestShelf(t *testing.T) {
	sh, dir := New(""), t.TempDir()
	one, two := &browser.Session{}, &browser.Session{}
	one.Options.ID, two.Options.ID = "s_1", "s_2"
	ann, bob := by("ann", one), by("bob", two)
	path := filepath.Join(dir, "a.PNG")
	f := wrote(t, sh, ann, path, "hers")
	wrote(t, sh, by("ann", two), filepath.Join(dir, "b.odd"), "")
	if got, text, err := sh.Read(ann, f.URI); err != nil || string(text) != "hers" || got.MIME != "image/png" || got.Size != 4 {
		t.Errorf("%+v %q %v", got, text, err)
	}
	if _, _, err := sh.Read(bob, f.URI); err == nil {
		t.Error("another client reads it")
	}
	for session, want := range map[string]string{"": "a.PNG b.odd", "s_1": "a.PNG", "s_2": "b.odd", "s_3": ""} {
		var names []string
		for _, f := range sh.List(ann, session) {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("of session %q there are %q, want %q", session, got, want)
		}
	}
	if list := sh.List(bob, ""); len(list) != 0 {
		t.Errorf("another client has %v", list)
	}
	if err := os.WriteFile(path, []byte("longer"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := sh.Read(ann, f.URI); err == nil || !strings.Contains(err.Error(), "replaced by another file") {
		t.Errorf("another file in its place: %v", err)
	}
	if f, _ := sh.Offer(context.Background(), "x", path); f.URI != "" {
		t.Error("a file is offered outside of a session")
	}
	sh.forget(one)
	if _, _, err := sh.Read(ann, f.URI); err == nil || len(sh.List(ann, "")) != 1 {
		t.Error("a session's files outlive it, or take others with them")
	}
}

// A session keeps its newest files, and no file is given out that is too large.
func TestShelfHasBounds(t *testing.T) {
	sh, dir, s := New(""), t.TempDir(), &browser.Session{}
	ctx := by("ann", s)
	first := wrote(t, sh, ctx, filepath.Join(dir, "0"), "")
	for n := range maxKept {
		wrote(t, sh, ctx, filepath.Join(dir, fmt.Sprint(n+1)), "")
	}
	list := sh.List(ctx, "")
	if len(list) != maxKept || list[0].Name != "1" || list[maxKept-1].Name != fmt.Sprint(maxKept) {
		t.Errorf("%d files, from %s to %s", len(list), list[0].Name, list[len(list)-1].Name)
	}
	if _, _, err := sh.Read(ctx, first.URI); err == nil {
		t.Error("the oldest is not forgotten")
	}
	path := filepath.Join(dir, "large")
	f, written := sh.Offer(ctx, "large", path)
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, maxRead+1)); err != nil {
		t.Fatal(err)
	}
	written()
	if _, _, err := sh.Read(ctx, f.URI); provider.AsError(err).Kind != provider.KindLimit {
		t.Errorf("a file that is too large: %v", err)
	}
}
