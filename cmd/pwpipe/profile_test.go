package main

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestUserDataDir: the first page of a profile folder is p1, with no blank one
// beside it, and what it stored is there the next time.
func TestUserDataDir(t *testing.T) {
	t.Parallel()
	dir, site := pipetest.ProfileDir(t), pipetest.Site(t)
	args := []string{"--base-url", site, "--user-data-dir", dir}
	p := pipetest.Start(t, args...)
	pipetest.Steps(p,
		does("nav", list("/login"), "null"),
		does("eval", list("localStorage.setItem('kept', 'yes')"), ""),
		does("pages", nil, `~"page":"p1"`),
	)
	if pages := p.Call("pages", nil); len(pipetest.Decode[[]any](t, pages)) != 1 {
		t.Errorf("pages: %s", pages)
	}
	p.Close()
	p = pipetest.Start(t, args...)
	pipetest.Steps(p,
		does("nav", list("/login"), "null"),
		does("eval", list("localStorage.getItem('kept')"), `"yes"`),
		does("new-page", list("c1"), `"p2"`),
	)
}
