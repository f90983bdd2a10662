package browser

import (
	"strings"
	"testing"

	"pwpipe/handlers/targetlist"
)

// A context that comes after the session has ended gets no handle. Contexts of a browser
// that pwpipe attached to stay when the session's own are closed, and nobody counts their
// pages.
func TestTableOfContexts(t *testing.T) {
	limits := newLimits(0)
	limits.owner = &targetlist.Owner{}
	table := newTable(&limits)
	own, found, late := &anyContext{}, &anyContext{}, &anyContext{}
	name, taken, ok := table.addContext(own, func() bool { return true })
	if name != "c1" || taken || !ok {
		t.Errorf("the first context is %q, taken: %v, open: %v", name, taken, ok)
	}
	if _, taken, _ = table.addContext(own, func() bool { return true }); !taken {
		t.Error("a context has two handles")
	}
	if _, _, ok = table.addContext(late, func() bool { return false }); ok {
		t.Error("a context was added after the end")
	}
	table.addFound(found)
	if _, names := table.ownContexts(func() {}); len(names) != 1 || names[own] != "c1" {
		t.Errorf("the session's own contexts are %v", names)
	}
	if table.countIn(own, "A") != limits.owner || limits.knownOf(own).id != "A" || table.countIn(found, "B") != nil ||
		table.countIn(late, "C") != nil || limits.knownOf(found).id+limits.knownOf(late).id != "" {
		t.Error("pages are counted of another context than the session's own")
	}
	if limits.ContextBy("A") != own || limits.ContextBy("B") != nil || limits.OwnsContext("") {
		t.Error("a context is not found by its id")
	}

	p := &Page{PW: &anyPage{}, Context: own, Gone: make(chan struct{})}
	if _, fresh := table.add(p, func(*Page) bool { return true }); fresh || table.pageName(p.PW) != "p1" {
		t.Error("a page that is refused is fresh, or has no handle")
	}
	if again, fresh := table.add(&Page{PW: p.PW}, nil); fresh || again != p {
		t.Error("a page is in the table twice")
	}
	table.dropContext(own, "its context was closed", "it was closed")
	<-p.Gone
	if err := table.goneError("p1"); err == nil || !strings.Contains(err.Error(), "p1 is gone: its context was closed") {
		t.Errorf("the page of a closed context: %v", err)
	}
	if n := table.Counts(); n != (Counts{Contexts: 1}) || limits.knownOf(own).id != "" {
		t.Errorf("after the context was closed there are %+v", n)
	}
	if table.dropClosed(found); table.Counts().Closed != 1 {
		t.Error("a context that closed by itself is not noted")
	}
}
