//go:build evidence

package browser_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestAnyNumberOfPages: 0 means no limit.
func TestAnyNumberOfPages(t *testing.T) {
	pipetest.Nightly(t, "it opens a hundred")
	t.Parallel()
	p := pipetest.StartSite(t, "--max-pages", "0")
	p.Call("nav", []any{"/"})
	p.Call("execute", []any{"for (let i = 0; i < 51; i++) await context.newPage(); 1"})
	if e := p.Fail("title", nil, "page", "p99"); !strings.Contains(e, "p52") {
		t.Errorf("not all pages are there: %s", e)
	}
}
