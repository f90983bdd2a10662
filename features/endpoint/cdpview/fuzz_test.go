package cdpview

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/browser/cdp"
)

// script is a client that sends given messages, and records everything.
type script struct {
	says    [][]byte
	said    int
	patient bool // does not wait for replies
	stays   bool // waits for more messages, until its end

	mu      sync.Mutex
	change  sync.Cond
	replies int
	heard   bytes.Buffer
}

// Read returns its next message, once all earlier ones are answered.
func (s *script) Read() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.replies < s.said && !s.patient {
		s.change.Wait()
	}
	for len(s.says) == 0 && s.stays {
		s.change.Wait()
	}
	if s.said++; len(s.says) == 0 {
		return nil, io.EOF
	}
	m := s.says[0]
	s.says = s.says[1:]
	return m, nil
}

func (s *script) Write(m []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard.Write(append(m, '\n'))
	if bytes.HasPrefix(m, []byte(`{"id":`)) {
		s.replies++
	}
	s.change.Broadcast()
	return nil
}

// add appends messages.
func (s *script) add(says ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range says {
		s.says = append(s.says, []byte(m))
	}
	s.change.Broadcast()
}

// end makes it leave.
func (s *script) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stays = false
	s.change.Broadcast()
}

func (s *script) Close() error { return nil }

// strict is a session that has one context, no files, no proxies, and about:blank.
func strict() Options {
	no := errors.New("no")
	return Options{Context: "MINE", Owns: func(id string) bool { return id == "MINE" },
		Navigate: func(url string) error {
			if url != "about:blank" {
				return no
			}
			return nil
		},
		Upload: func(string) error { return no }, Proxy: func(string) error { return no }, Permission: func(string) error { return no },
		Input:   func(string, string, map[string]json.RawMessage) (func() error, error) { return nil, nil },
		NewPage: func(string) error { return nil }, NewContext: func() error { return nil },
		Answered: func(string) {}, Opened: func(string) {}, Closed: func(string) {},
		Attached: func(string, *cdp.Session) {}, Settled: func(string, string) {}, Leaves: func(string) func() { return func() {} },
		Draw: func(string, float64) error { return nil }, Scale: func(string) float64 { return 1 },
		Sole: func() (int64, bool) { return 0, false }, Choosers: &Choosers{}, Budget: NewBudget()}
}

// play makes a client send messages, and returns what the browser and the client got.
func play(t testing.TB, o Options, says ...string) (list []asked, heard string) {
	t.Helper()
	root, b := startChromium(t)
	s := &script{}
	s.change.L = &s.mu
	for _, m := range says {
		s.says = append(s.says, []byte(m))
	}
	if err := Serve(context.Background(), root, s, o); err != nil {
		t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(b.asked), s.heard.String()
}

// harmless methods let a foreign target go on as if nobody had attached.
var harmless = []string{"Runtime.runIfWaitingForDebugger", "Target.detachFromTarget"}

// FuzzClient: whatever a client sends, the browser gets only methods on the list, for the
// client's own targets and contexts. The client sees no others. S2 is its browser
// session, S5 its page's. What it begins with lies in testdata/fuzz.
func FuzzClient(f *testing.F) {
	f.Fuzz(func(t *testing.T, one, two string) {
		list, heard := play(t, strict(), `{"id":1,"method":"Target.setDiscoverTargets","params":{"discover":true}}`, `{"id":2,"method":"Target.getTargets"}`,
			`{"id":3,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`, `{"id":4,"method":"Target.setAutoAttach","params":{"autoAttach":true,"waitForDebuggerOnStart":true,"flatten":true}}`, one, two, one)
		for _, q := range list {
			if _, offered := ruleFor(q.Method, false, false); !offered && q.Method != "Runtime.runIfWaitingForDebugger" {
				t.Errorf("the browser was asked %s", q.text)
			}
			if q.Session == "S2" && !ofBrowser(q.Method) {
				t.Errorf("a session with the browser was asked %s", q.text)
			}
			if strings.Contains(q.Session, foreign) && !slices.Contains(harmless, q.Method) {
				t.Errorf("somebody else's target was asked %s", q.text)
			}
			names(t, q)
		}
		for line := range strings.Lines(heard) {
			if strings.Contains(line, foreign) && !strings.Contains(line, `"error"`) && !strings.Contains(one+two, foreign) {
				t.Errorf("the client was told %s", line)
			}
		}
	})
}

// names fails for a command that names anything foreign.
func names(t *testing.T, q asked) {
	t.Helper()
	if slices.Contains(harmless, q.Method) {
		return
	}
	// As Chromium reads it: by exact names.
	var p map[string]any
	_ = json.Unmarshal(q.Params, &p)
	for _, name := range []string{"targetId", "browserContextId", "sessionId"} {
		if id, _ := p[name].(string); strings.HasPrefix(id, foreign) {
			if rule, _ := ruleFor(q.Method, false, false); rule != nil {
				t.Errorf("it was asked about what is not the client's: %s", q.text)
			}
		}
	}
	switch url, _ := p["url"].(string); {
	case slices.Contains([]string{"Page.navigate", "Target.createTarget", "Network.loadNetworkResource"}, q.Method) && url != "about:blank":
		t.Errorf("a page was sent where it may not go: %s", q.text)
	case q.Method == "Target.createBrowserContext" && (p["proxyServer"] != nil || p["proxyBypassList"] != nil || p["disposeOnDetach"] != true):
		t.Errorf("a context of another kind: %s", q.text)
	}
}
