package cdpview

import (
	"encoding/json"
	"strings"
	"testing"

	"pwpipe/internal/browser/cdp"
)

// sessionOf is a session with a page.
func sessionOf(id, page string) *session {
	return &session{Session: &cdp.Session{}, id: id, of: page, page: page}
}

// A target that the client may no longer see is lost at once: it can't be named, and its
// sessions carry nothing.
func TestTargetIsLost(t *testing.T) {
	budget := NewBudget()
	own := targets{budget: budget, sessions: map[string]*session{}}
	first, second, other := sessionOf("1", "A"), sessionOf("2", "A"), sessionOf("3", "B")
	for _, s := range []*session{first, second, other} {
		own.add(s)
		own.known.add(s.of)
	}
	with, known := own.lose("A")
	if len(with) != 2 || !known || !first.lost.Load() || !second.lost.Load() || other.lost.Load() {
		t.Errorf("%d sessions are lost, known: %v", len(with), known)
	}
	if own.known.contains("A") || !own.known.contains("B") {
		t.Error("A is known still, or B is not")
	}
	if own.remove("1") != first || own.remove("1") != nil {
		t.Error("a session ends once")
	}
	own.clear()
	if budget.all != 0 || len(own.sessions) != 0 {
		t.Errorf("%d sessions are counted, %d are there", budget.all, len(own.sessions))
	}
}

// Pages accept bad certificates if the client asked for it, opened before or after.
func TestPagesThatTrust(t *testing.T) {
	own := targets{budget: NewBudget(), sessions: map[string]*session{}}
	page, tab, worker := sessionOf("1", "A"), sessionOf("2", "TAB"), sessionOf("3", "WORKER")
	tab.tab, worker.page = true, "A"
	for _, s := range []*session{page, tab, worker} {
		if own.add(s) {
			t.Errorf("%s trusts before the client said so", s.of)
		}
	}
	if pages := own.trust(true); len(pages) != 1 || pages[0] != page {
		t.Errorf("%d pages are to trust", len(pages))
	}
	if pages := own.trust(true); len(pages) != 0 {
		t.Errorf("%d pages are to trust once more", len(pages))
	}
	if !own.add(sessionOf("4", "B")) || own.add(&session{Session: &cdp.Session{}, id: "5", root: true}) {
		t.Error("a page that comes trusts, and nothing else")
	}
}

// "attached" is about this client only.
func TestAttachedIsTheClients(t *testing.T) {
	own := targets{budget: NewBudget(), sessions: map[string]*session{}}
	own.add(sessionOf("1", "A"))
	for id, want := range map[string]string{
		"A": `{"targetInfo":{"attached":true,"targetId":"A"}}`, "B": `{"targetInfo":{"attached":false,"targetId":"B"}}`,
	} {
		got := own.attachedIn(json.RawMessage(`{"targetInfo":{"targetId":"` + id + `","attached":true}}`))
		if string(got) != want {
			t.Errorf("%s, expected %s", got, want)
		}
	}
}

// Every rule that table.txt names exists: otherwise a method would pass unchecked.
func TestRulesOfTheTable(t *testing.T) {
	for method, name := range table {
		if name = strings.TrimPrefix(name, inLent); name != "" && rules[name] == nil {
			t.Errorf("%s: there is no rule %q", method, name)
		}
	}
}
