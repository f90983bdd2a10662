package targetlist

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/quota"
	"pwpipe/internal/pipetest"
)

// told is a DevTools session: it has the pages that the browser lists, and what it was sent.
type told struct {
	playwright.CDPSession
	lists []string
	on    map[string]func(map[string]any)
	sent  chan string
}

func newTold(lists ...string) *told {
	return &told{lists: lists, on: map[string]func(map[string]any){}, sent: make(chan string, 100)}
}

func (s *told) On(name string, fn any) { s.on[name] = fn.(func(map[string]any)) }

func (s *told) Send(method string, params map[string]any) (any, error) {
	if method == "Target.setDiscoverTargets" {
		for _, id := range s.lists {
			s.comes(id, "")
		}
		return nil, nil
	}
	s.sent <- fmt.Sprint(method, " ", params["targetId"])
	return nil, nil
}

// comes is a page of context c that the browser reports.
func (s *told) comes(id, opener string) {
	s.on["Target.targetCreated"](map[string]any{"targetInfo": map[string]any{
		"targetId": id, "type": "page", "browserContextId": "c", "openerId": opener}})
}

func (s *told) goes(id string) { s.on["Target.targetDestroyed"](map[string]any{"targetId": id}) }

// closes waits for the message that closes a page.
func (s *told) closes(t *testing.T, id string) {
	t.Helper()
	pipetest.Eventually(t, id+" is closed", func() bool {
		select {
		case m := <-s.sent:
			return m == "Target.closeTarget "+id
		default:
			return false
		}
	})
}

// listening is a list whose context c may have so many pages, and the openers of the surplus.
func listening(t *testing.T, limit int, s *told) (*List, *quota.Pages, func() []any) {
	t.Helper()
	l := New(func(any) {})
	if err := l.Listen(nil, s); err != nil {
		t.Fatal(err)
	}
	room := quota.NewPages(limit)
	var openers []any
	l.Count("c", &Owner{Room: room, Surplus: func(opener any) { openers = append(openers, opener) }})
	return l, room, func() []any { return openers }
}

// A page beyond the limit is closed, and its opener is told. One that goes makes room.
func TestSurplusIsClosed(t *testing.T) {
	pipetest.UnderRace(t)
	s := newTold("a")
	l, room, openers := listening(t, 2, s)
	if !l.Know("page a", "a", "c", nil) || room.Left() != 1 {
		t.Errorf("the page that was there: room for %d", room.Left())
	}
	s.comes("b", "a")
	s.comes("b", "a") // of another session that reports
	l.Know("page b", "b", "c", nil)
	s.comes("x", "a")
	s.closes(t, "x")
	if l.Know("page x", "x", "c", nil) || !slices.Equal(openers(), []any{"page a"}) {
		t.Errorf("the surplus may stay, or %v are told", openers())
	}
	if err := l.FullFor(room); err == nil {
		t.Error("a page more is allowed")
	}
	s.goes("x")
	s.goes("b")
	if s.comes("y", ""); !l.Know("page y", "y", "c", nil) || !room.Full() {
		t.Error("the place of a page that went is not free, or that of a closed one is")
	}
}

// A pop-up of which nothing has come keeps its place for a while, and gives it up to a page
// that comes then: the oldest first.
func TestSilentPopupMakesRoom(t *testing.T) {
	s := newTold("a", "old", "young")
	l, _, openers := listening(t, 3, s)
	l.Know("page a", "a", "c", nil)
	silent := func(id string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.pages[id].came = l.pages[id].came.Add(-silence - time.Second)
	}
	s.comes("early", "")
	s.closes(t, "early")
	silent("young")
	silent("old")
	silent("a") // which has loaded
	s.comes("late", "")
	s.closes(t, "old")
	if !l.Know("page late", "late", "c", nil) || len(openers()) != 1 {
		t.Errorf("the late page may not stay, or %d surplus pages are reported", len(openers()))
	}
}

// Pages that went while no session reported are forgotten as another begins to.
func TestPagesThatWentUnseen(t *testing.T) {
	s := newTold("a", "b")
	l, room, _ := listening(t, 2, s)
	if err := l.Listen("page b", newTold("b")); err != nil {
		t.Fatal(err)
	}
	if room.Left() != 1 {
		t.Errorf("room for %d", room.Left())
	}
	l.leave(nil)
	l.leave("page b")
	if l.send("Target.closeTarget", &listed{id: "b"}) == nil {
		t.Error("a list without sessions has sent something")
	}
}
