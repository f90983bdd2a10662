package virtual

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/cdp"
)

// Ids of the other side: MINE are the session's, THEIRS are somebody else's.
const theirs = "THEIRS"

// chromium stands on the other end of the connection. It answers all, and tells
// of targets of everybody.
type chromium struct {
	in  *bufio.Reader
	out io.WriteCloser

	mu    sync.Mutex
	asked []asked
	last  int
	mute  string     // a method that it never answers
	muted chan asked // what it did not answer
	says  chan string
}

// count is how often it was asked a method.
func (b *chromium) count(method string) (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, q := range b.asked {
		if q.Method == method {
			n++
		}
	}
	return n
}

// asked is what it was asked, as it read it.
type asked struct {
	ID      int64
	Method  string
	Params  json.RawMessage
	Session string `json:"sessionId"`
	text    string
}

func startChromium(t testing.TB) (*cdp.Session, *chromium) {
	t.Helper()
	fromBrowser, out := io.Pipe()
	in, toBrowser := io.Pipe()
	b := &chromium{in: bufio.NewReader(in), out: out, muted: make(chan asked, 20_000), says: make(chan string, 10_000)}
	conn := cdp.New(fromBrowser, toBrowser)
	t.Cleanup(func() { _ = conn.Close(); _ = in.Close(); _ = out.Close() })
	go b.serve()
	root, err := conn.Browser(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return root, b
}

func (b *chromium) serve() {
	// What it says goes out beside what it reads, as in a browser.
	says := b.says
	defer close(says)
	go func() {
		for m := range says {
			_, _ = b.out.Write([]byte(m + "\x00"))
		}
	}()
	for {
		m, err := b.in.ReadBytes(0)
		if err != nil {
			return
		}
		q := asked{text: string(m)}
		_ = json.Unmarshal(m[:len(m)-1], &q)
		b.mu.Lock()
		b.asked = append(b.asked, q)
		b.last++
		n, mute := b.last, b.mute == q.Method
		b.mu.Unlock()
		if mute {
			b.muted <- q
			continue
		}
		of := ""
		if q.Session != "" {
			of = `,"sessionId":"` + q.Session + `"`
		}
		info := func(whose, kind string) string {
			return fmt.Sprintf(`{"targetId":"%s-T","type":"%s","browserContextId":"%s"}`, whose, kind, whose)
		}
		// A part of the browser's own window, in the client's context.
		window := fmt.Sprintf(`{"targetId":"%s-UI-T","type":"browser_ui","browserContextId":"MINE"}`, theirs)
		result := `{}`
		switch q.Method {
		case "Target.attachToBrowserTarget", "Target.attachToTarget":
			kind := map[bool]string{true: "browser", false: "page"}[q.Method == "Target.attachToBrowserTarget"]
			whose := map[bool]string{true: "", false: "MINE"}[kind == "browser"]
			says <- fmt.Sprintf(`{"method":"Target.attachedToTarget","params":{"sessionId":"S%d","targetInfo":%s}%s}`, n, info(whose, kind), of)
			result = fmt.Sprintf(`{"sessionId":"S%d"}`, n)
		case "Target.setAutoAttach":
			for _, whose := range []string{"MINE", theirs} {
				says <- fmt.Sprintf(`{"method":"Target.attachedToTarget","params":{"sessionId":"%s-S%d","targetInfo":%s,"waitingForDebugger":true}%s}`, whose, n, info(whose, "page"), of)
			}
			says <- fmt.Sprintf(`{"method":"Target.attachedToTarget","params":{"sessionId":"%s-UI-S%d","targetInfo":%s}%s}`, theirs, n, window, of)
		case "Target.setDiscoverTargets":
			for _, whose := range []string{"MINE", theirs} {
				says <- fmt.Sprintf(`{"method":"Target.targetCreated","params":{"targetInfo":%s}%s}`, info(whose, "page"), of)
			}
			says <- fmt.Sprintf(`{"method":"Target.targetCreated","params":{"targetInfo":%s}%s}`, window, of)
		case "Target.getTargets":
			result = `{"targetInfos":[` + info("MINE", "page") + "," + info(theirs, "page") + "," + window + `]}`
		case "Target.createBrowserContext":
			result = fmt.Sprintf(`{"browserContextId":"MADE%d"}`, n)
		case "Target.createTarget":
			result = fmt.Sprintf(`{"targetId":"MADE-T%d"}`, n)
		}
		says <- fmt.Sprintf(`{"id":%d,"result":%s%s}`, q.ID, result, of)
	}
}

// script is a client that says what it has to, and hears all.
type script struct {
	says    [][]byte
	said    int
	patient bool // it does not wait for answers

	mu      sync.Mutex
	change  sync.Cond
	replies int
	heard   bytes.Buffer
}

// Read is its next message, once all before were answered.
func (s *script) Read() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.replies < s.said && !s.patient {
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
		s.change.Signal()
	}
	return nil
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
		Input:   func(string, map[string]json.RawMessage) error { return nil },
		NewPage: func() error { return nil }, NewContext: func() error { return nil },
		Answered: func(string) {}, Opened: func(string) {}, Closed: func(string) {}}
}

// play has a client say messages, and is what the browser was asked by it.
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

// harmless is what is sent where somebody else's target came: it goes on as if
// nobody had come.
var harmless = []string{"Runtime.runIfWaitingForDebugger", "Target.detachFromTarget"}

// FuzzClient: whatever a client says, the browser is asked only what is on the
// list, of targets and contexts of the client's, and the client is told of no
// others. S2 is its session with the browser, S5 one with a page.
func FuzzClient(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"method":"Target.closeTarget","params":{"targetId":"THEIRS-T"}}`,
		`{"id":1,"method":"Target.closeTarget","params":{"targetId":"MINE-T","targetId":"THEIRS-T"}}`,
		`{"id":1,"method":"Storage.getCookies","params":{"browserContextId":"THEIRS"}}`,
		`{"id":1,"method":"Storage.getCookies","params":{"BrowserContextId":"THEIRS","browserContextId":"MINE"}}`,
		`{"id":1,"method":"Target.createBrowserContext","params":{"proxyServer":"","disposeOnDetach":false}}`,
		`{"id":1,"method":"Target.createTarget","params":{"url":"about:blank","hidden":true}}`,
		`{"id":1,"method":"Browser.grantPermissions","params":{"permissions":["clipboardReadWrite"]}}`,
		`{"id":1,"method":"Target.setAutoAttach","params":{"autoAttach":true,"flatten":false,"filter":[{}]}}`,
		`{"id":1,"method":"Target.disposeBrowserContext","params":{"browserContextId":"MADE5"}}`,
		`{"id":1,"method":"Fetch.enable"}`, `{"id":1,"method":"Runtime.evaluate","sessionId":"S5"}`,
		`{"id":1,"method":"Runtime.evaluate","sessionId":"THEIRS-S6"}`, `{"ID":2,"id":1.0,"method":"Browser.close"}`,
		`{"id":1,"method":"Page.navigate","sessionId":"S5","params":{"url":"file:///x","url":7}}`, `[{}]`, "null", "\x00", "{\"id\":1,\"method\":\"Target.getTargets\",\"params\":{\"a\":\"\xff\"}}",
	} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		list, heard := play(t, strict(), `{"id":1,"method":"Target.setDiscoverTargets","params":{"discover":true}}`, `{"id":2,"method":"Target.getTargets"}`,
			`{"id":3,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`, `{"id":4,"method":"Target.setAutoAttach","params":{"autoAttach":true,"waitForDebuggerOnStart":true,"flatten":true}}`, one, two, one)
		for _, q := range list {
			if _, offered := ruleFor(q.Method, false); !offered && q.Method != "Runtime.runIfWaitingForDebugger" {
				t.Errorf("the browser was asked %s", q.text)
			}
			if q.Session == "S2" && !ofBrowser(q.Method) {
				t.Errorf("a session with the browser was asked %s", q.text)
			}
			if strings.Contains(q.Session, theirs) && !slices.Contains(harmless, q.Method) {
				t.Errorf("somebody else's target was asked %s", q.text)
			}
			names(t, q)
		}
		for line := range strings.Lines(heard) {
			if strings.Contains(line, theirs) && !strings.Contains(line, `"error"`) && !strings.Contains(one+two, theirs) {
				t.Errorf("the client was told %s", line)
			}
		}
	})
}

// names fails for a command that names what is somebody else's.
func names(t *testing.T, q asked) {
	t.Helper()
	if slices.Contains(harmless, q.Method) {
		return
	}
	// As Chromium reads it: by exact names.
	var p map[string]any
	_ = json.Unmarshal(q.Params, &p)
	for _, name := range []string{"targetId", "browserContextId", "sessionId"} {
		if id, _ := p[name].(string); strings.HasPrefix(id, theirs) {
			if rule, _ := table[q.Method]; rule != "" {
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
