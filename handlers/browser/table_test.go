package browser

import (
	"errors"
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

// A context that opens while all are being closed is discarded. A loss that a call has
// reported is not reported again.
func TestLife(t *testing.T) {
	var l life
	generation := l.generation()
	if !l.goesOn(generation) {
		t.Error("a session does not begin")
	}
	l.nextGeneration()
	if l.goesOn(generation) || !l.goesOn(l.generation()) {
		t.Error("a context of before is not too late, or one of now is")
	}
	l.end()
	if l.goesOn(l.generation()) || !l.Ended() {
		t.Error("a session goes on after its end")
	}
	e := anEngine("it crashed", time.Now())
	l.report(e)
	l.lose(e)
	if err := l.takeUnreported(); err != nil {
		t.Errorf("reported again: %v", err)
	}
}

// Limits find a context's shape by its Chromium id. A closed context leaves no shape.
func TestLimits(t *testing.T) {
	l := newLimits(1)
	small, large := &anyContext{}, &anyContext{}
	l.noteShape(small, shape{10, 10, 1})
	l.noteShape(large, shape{100, 10, 2})
	l.count(small, "S")
	if s, unknown := l.pixelsIn("S"), l.pixelsIn("?"); s != 100 || unknown != 4000 || l.MostScale() != 2 {
		t.Errorf("%v pixels in S, %v where the id is not known", s, unknown)
	}
	if !l.OwnsContext("S") || l.forget(small) != "S" || l.OwnsContext("S") {
		t.Error("a context is counted after it was forgotten")
	}
	var limit *provider.Error
	l.room.Enter("a page")
	if !errors.As(l.room.OverLimit(""), &limit) || l.Room() != 0 {
		t.Errorf("room for %d more pages of one", l.Room())
	}
}
