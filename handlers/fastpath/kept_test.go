package fastpath_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
)

// TestKeptTree changes a rich page at random, some hundred times, and compares each time the tree
// that keeps what has not changed with one of a whole walk, byte by byte.
func TestKeptTree(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBothWays is quick")
	t.Parallel()
	server := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	t.Cleanup(server.Close)
	runs, steps := 1, 12
	if pipetest.Thorough() {
		steps = 40
	}
	if pipetest.EachNight() {
		runs, steps = 6, 120
	}
	for run := range runs {
		t.Run(fmt.Sprint(run), func(t *testing.T) {
			t.Parallel()
			s := start(t)
			s.call("nav", server.URL+"/rich.html")
			s.call("snapshot")
			var done []string
			for i := range steps {
				seed := 1 + 7919*(run*steps+i)
				done = append(done, s.call("eval", fmt.Sprintf("step(%d, %d)", seed, 1+i%3)))
				s.call("snapshot") // maybe of a transition
				s.call("eval", "settled().then(() => 1)")
				kept := outline(s, nil)
				whole := outline(s, "body")
				if kept != whole {
					t.Fatalf("after step %d (%s):\n%s", i, done[max(0, i-4):], firstDifference(unquoted(kept), unquoted(whole)))
				}
			}
			if used := keptWalks(s); used < steps/10 {
				t.Errorf("%d of %d trees kept a part of the one before", used, steps)
			}
		})
	}
}

// TestKeptTreeUnseen makes changes that no mutation reports.
func TestKeptTreeUnseen(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBothWays is quick")
	t.Parallel()
	server := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	t.Cleanup(server.Close)
	for act, page := range map[string]string{
		"acts.register()":  "/rich.html",
		"call()":           "/rich.html",
		"unseen.value = 1": "/hidden.html",
	} {
		t.Run(act, func(t *testing.T) {
			s := start(t)
			s.call("nav", server.URL+page)
			s.call("snapshot")
			before := ""
			pipetest.Eventually(t, "a tree is kept", func() bool { // on a busy machine the driver may have walked
				before = outline(s, nil)
				return keptWalks(s) > 0
			})
			s.call("eval", "void("+act+")")
			kept := outline(s, nil)
			whole := outline(s, "body")
			if kept != whole {
				t.Error(firstDifference(unquoted(kept), unquoted(whole)))
			}
			if kept == before {
				t.Error("the change is in neither tree")
			}
		})
	}
}

// outline returns a full outline. It asks again where the browser was too slow for a part.
func outline(s *session, sel any) (text string) {
	pipetest.Eventually(s.T, "the browser is in time", func() bool {
		text = s.call("snapshot", sel, nil, nil, nil, true)
		return !strings.Contains(text, "(the browser was slow: ")
	})
	return text
}

func unquoted(text string) (s string) {
	_ = json.Unmarshal([]byte(text), &s)
	return s
}

// keptWalks is how many trees of the page's document had a part of the one before.
func keptWalks(s *session) (n int) {
	s.Helper()
	line, worlds := fastpath.Worlds(context.Background(), s.page())
	if line == nil {
		s.Fatal("the page has no direct line")
	}
	var reply struct{ Result struct{ Value int } }
	ask(s.T, line, "Runtime.evaluate", map[string]any{"uniqueContextId": worlds[0].Unique,
		"expression": "globalThis[Symbol.for('pwpipe')].kept.used()"}, &reply)
	return reply.Result.Value
}
