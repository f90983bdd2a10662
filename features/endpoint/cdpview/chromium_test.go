package cdpview

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"

	"pwpipe/internal/browser/cdp"
)

// Ids of the other side: MINE belongs to the session, THEIRS to another one. HIDDEN
// is in the session's context, but a client of a lent browser may not see it.
const foreign, hidden = "THEIRS", "HIDDEN"

// chromium is the other end of the connection. It answers everything, and reports
// everybody's targets.
type chromium struct {
	in  *bufio.Reader
	out io.WriteCloser

	mu    sync.Mutex
	asked []asked
	last  int
	mute  string     // a method that it never answers
	muted chan asked // its unanswered calls
	says  chan string
}

// mutes makes it not answer a method, but hand over the calls.
func (b *chromium) mutes(method string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mute = method
}

// count returns how many calls of a method it got.
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

// first returns the first call of a method.
func (b *chromium) first(method string) asked {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, q := range b.asked {
		if q.Method == method {
			return q
		}
	}
	return asked{}
}

// asked is a call as it was read.
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
	// It writes while it reads, as a browser does.
	says := b.says
	defer close(says)
	go func() {
		for m := range says {
			_, _ = b.out.Write([]byte(m + "\x00"))
		}
	}()
	var enabled []string
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
			if whose == hidden {
				return fmt.Sprintf(`{"targetId":"%s-T","type":"%s","url":"https://hidden.test/","browserContextId":"MINE"}`, whose, kind)
			}
			return fmt.Sprintf(`{"targetId":"%s-T","type":"%s","browserContextId":"%s"}`, whose, kind, whose)
		}
		// A part of the browser's own window, in the client's context.
		window := fmt.Sprintf(`{"targetId":"%s-UI-T","type":"browser_ui","browserContextId":"MINE"}`, foreign)
		result := `{}`
		switch q.Method {
		case "Target.attachToBrowserTarget", "Target.attachToTarget":
			kind := map[bool]string{true: "browser", false: "page"}[q.Method == "Target.attachToBrowserTarget"]
			whose := map[bool]string{true: "", false: "MINE"}[kind == "browser"]
			says <- fmt.Sprintf(`{"method":"Target.attachedToTarget","params":{"sessionId":"S%d","targetInfo":%s}%s}`, n, info(whose, kind), of)
			result = fmt.Sprintf(`{"sessionId":"S%d"}`, n)
		case "Target.setAutoAttach":
			for _, whose := range []string{"MINE", foreign, hidden} {
				says <- fmt.Sprintf(`{"method":"Target.attachedToTarget","params":{"sessionId":"%s-S%d","targetInfo":%s,"waitingForDebugger":true}%s}`, whose, n, info(whose, "page"), of)
			}
			says <- fmt.Sprintf(`{"method":"Target.attachedToTarget","params":{"sessionId":"%s-UI-S%d","targetInfo":%s}%s}`, foreign, n, window, of)
		case "Target.setDiscoverTargets":
			for _, whose := range []string{"MINE", foreign, hidden} {
				says <- fmt.Sprintf(`{"method":"Target.targetCreated","params":{"targetInfo":%s}%s}`, info(whose, "page"), of)
			}
			says <- fmt.Sprintf(`{"method":"Target.targetCreated","params":{"targetInfo":%s}%s}`, window, of)
		case "Target.getTargets":
			result = `{"targetInfos":[` + info("MINE", "page") + "," + info(foreign, "page") + "," + info(hidden, "page") + "," + window + `]}`
		case "Storage.getStorageKeyForFrame":
			result = `{"storageKey":"https://fine.test/"}`
		case "Runtime.enable":
			if slices.Contains(enabled, q.Session) {
				break
			}
			enabled = append(enabled, q.Session)
			for i, world := range []string{`"origin":"https://fine.test","auxData":{"type":"default","frameId":"MINE-T"}`, `"origin":"chrome-extension://id","name":"vault","auxData":{"type":"isolated","frameId":"MINE-T"}`,
				`"origin":"https://fine.test","name":"somebody's","auxData":{"type":"isolated","frameId":"MINE-T"}`} {
				says <- fmt.Sprintf(`{"method":"Runtime.executionContextCreated","params":{"context":{"id":%d,"uniqueId":"U%d",%s}}%s}`, i+1, i+1, world, of)
			}
		case "Page.getNavigationHistory":
			result = `{"currentIndex":1,"entries":[{"id":1,"url":"about:blank","title":"fine"},{"id":2,"url":"https://hidden.test/","userTypedURL":"","title":"SECRET"},{"id":3,"url":"about:blank","userTypedURL":"hidden.test","title":"SECRET"}]}`
		case "Target.createBrowserContext":
			result = fmt.Sprintf(`{"browserContextId":"MADE%d"}`, n)
		case "Target.createTarget":
			result = fmt.Sprintf(`{"targetId":"MADE-T%d"}`, n)
		}
		says <- fmt.Sprintf(`{"id":%d,"result":%s%s}`, q.ID, result, of)
	}
}

// stay is a client that stays until it is told to leave. left gets the result of
// serving it.
func stay(root *cdp.Session, o Options) (s *script, left <-chan error) {
	s = &script{stays: true}
	s.change.L = &s.mu
	served := make(chan error)
	go func() { served <- Serve(context.Background(), root, s, o) }()
	return s, served
}
