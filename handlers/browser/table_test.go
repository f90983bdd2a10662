package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/launch"
	"pwpipe/provider"
)

type (
	anyPage struct {
		playwright.Page
		_ int
	}
	anyContext struct {
		playwright.BrowserContext
		_ int
	}
)

// anEngine is a browser run that was lost at lostAt.
func anEngine(reason string, lostAt time.Time) *Engine {
	e := &Engine{Run: &launch.Run{}}
	e.Reason, e.LostAt = reason, lostAt
	return e
}

// The next active page is the one used last. The reason of a lost browser is kept with
// every handle, and reported once.
func TestTable(t *testing.T) {
	limits, life := newLimits(0), life{}
	table := newTable(&limits)
	add := func() *Page {
		p := &Page{PW: &anyPage{}, Gone: make(chan struct{})}
		p.Name = table.pages.Add(p)
		table.byPW[p.PW] = p
		return p
	}
	p1, p2, p3 := add(), add(), add()
	context := &anyContext{}
	table.addFound(context)
	table.activate(p1, false)
	table.activate(p2, false)
	if table.Active() != "p1" || !table.IsTheirs(context) || !table.Borrows() || table.Find(p2.PW) != p2 {
		t.Errorf("active is %q, with the context found: %v", table.Active(), table.Borrows())
	}
	if _, _, err := table.lookUp("p2"); err != nil {
		t.Error(err)
	}
	table.DropPage(p1, "it was closed")
	<-p1.Gone
	if table.Active() != "p2" || table.dropped(p1.PW) == nil || table.dropped(p3.PW) != nil {
		t.Errorf("after p1 was closed: active is %q, %v", table.Active(), table.dropped(p1.PW))
	}
	if _, next, _ := table.lookUp("p4"); next == nil {
		t.Error("the next handle is not waited for")
	}
	if _, never, err := table.lookUp("p5"); never != nil || err == nil {
		t.Errorf("a handle after the next: %v", err)
	}

	old := anEngine("it crashed", time.Now())
	table.moveTo(old, &life)
	table.moveTo(anEngine("", time.Time{}), &life)
	if _, _, err := table.lookUp("p2"); err == nil || !strings.Contains(err.Error(), "p2 is gone: it crashed") {
		t.Errorf("a page of the lost browser: %v", err)
	}
	if len(table.OpenPages())+len(table.OpenContexts()) > 0 || table.Borrows() {
		t.Error("something is left of the lost browser")
	}
	if err := life.takeUnreported(); err == nil || provider.AsError(err).Kind != provider.KindUnavailable {
		t.Errorf("the loss of a browser is not reported: %v", err)
	}
	if err := life.takeUnreported(); err != nil {
		t.Errorf("reported twice: %v", err)
	}
}

// Counts is what a session holds.
type Counts struct {
	Pages, Contexts, Closed int // that are open; that nobody asked to close, and that may have been the browser's end
	Known                   int // pages by Playwright's own
	InBrowser               int // contexts of all sessions
}

// Counts counts what the session holds.
func (t *table) Counts() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := Counts{Pages: len(t.pages.Live), Contexts: len(t.contexts.Live), Closed: len(t.closed), Known: len(t.byPW)}
	if t.engine != nil {
		n.InBrowser = len(t.engine.Browser.Contexts())
	}
	return n
}
