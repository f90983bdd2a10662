package service_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

func TestRPC(t *testing.T) {
	t.Parallel()
	svc := pipetest.SharedService(t)
	s := svc.Open(nil)
	s.On("nav", m{"url": "/"})
	in := func(text string) string { return strings.ReplaceAll(text, "S_ID", s.ID) }
	for _, c := range []struct {
		name, body string
		status     int
		want       string // a regular expression for the answer
	}{
		{"a short tool", `{"jsonrpc":"2.0","id":"a","method":"txt","params":{"session_id":"S_ID","sel":"h1"}}`, 200, `^{"jsonrpc":"2.0","id":"a","result":".+"}$`},
		{"session beside params", `{"jsonrpc":"2.0","id":1,"session_id":"S_ID","method":"txt","params":["h1"]}`, 200, `"result":".+"}$`},
		{"a notification", `{"jsonrpc":"2.0","method":"title","params":{"session_id":"S_ID"}}`, 204, `^$`},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"url","params":{"session_id":"S_ID"}},{"jsonrpc":"2.0","method":"url","params":{"session_id":"S_ID"}},7,{"jsonrpc":"2.0","id":2,"method":"nope"}]`, 200,
			`^\[{"jsonrpc":"2.0","id":1,"result":"http.*"},{"jsonrpc":"2.0","id":null,"error":{"code":-32600.*},{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found".*}]$`},
		{"a batch of notifications", `[{"jsonrpc":"2.0","method":"url","params":{"session_id":"S_ID"}}]`, 204, `^$`},
		{"an empty batch", `[]`, 200, `"id":null,"error":{"code":-32600`},
		{"too long a batch", "[" + strings.TrimSuffix(strings.Repeat("1,", 101), ",") + "]", 200, `a batch of 101; at most 100`},
		{"no JSON", `{"jsonrpc":`, 400, `"id":null,"error":{"code":-32700`},
		{"nothing", ``, 400, `-32700`},
		{"a key twice", `{"jsonrpc":"2.0","id":1,"id":2,"method":"url"}`, 400, `-32600`},
		{"no version", `{"id":1,"method":"url"}`, 200, `-32600.*jsonrpc`},
		{"no session", `{"jsonrpc":"2.0","id":1,"method":"page.goto","params":{"url":"/"}}`, 200, `-32602,"message":"page.goto: missing parameter \\"session_id\\".*session.create gives one`},
		{"an unknown session", `{"jsonrpc":"2.0","id":1,"method":"url","params":{"session_id":"s_1"}}`, 200, `-32002,"message":"no session s_1; session.create opens one`},
		{"a session that is no string", `{"jsonrpc":"2.0","id":1,"method":"url","params":{"session_id":1}}`, 200, `-32602.*session_id: expected`},
		{"an unknown parameter", `{"jsonrpc":"2.0","id":1,"method":"page.goto","params":{"session_id":"S_ID","uri":"/"}}`, 200, `-32602.*unknown parameter \\"uri\\"`},
		{"a bad enum", `{"jsonrpc":"2.0","id":1,"method":"page.goto","params":{"session_id":"S_ID","url":"/","waitUntil":"soon"}}`, 200, `-32602.*waitUntil: expected one of`},
		{"a bad selector", `{"jsonrpc":"2.0","id":1,"method":"page.text","params":{"session_id":"S_ID","selector":"]["}}`, 200, `-32602.*not a valid selector`},
		{"nothing matches", `{"jsonrpc":"2.0","id":1,"method":"page.click","params":{"session_id":"S_ID","selector":"#gone","timeout":400}}`, 200, `-32000.*nothing matches \\"#gone\\" after 0.4 s on p1`},
		{"discover", `{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}`, 200, `"openrpc":"1\.`},
		{"sessions of one client are not another's", `{"jsonrpc":"2.0","id":1,"method":"session.close","params":{"session_id":"s_4f93"}}`, 200, `-32002`},
	} {
		want := regexp.MustCompile(c.want)
		status, text, _ := svc.Do("POST", "/rpc", in(c.body))
		// A busy page's error has fewer details: ask again.
		for again := 0; strings.Contains(text, " after ") && !want.MatchString(text) && again < 5; again++ {
			status, text, _ = svc.Do("POST", "/rpc", in(c.body))
		}
		if status != c.status || !want.MatchString(text) {
			t.Errorf("%s: status %d, %.400s\nwant %d, %s", c.name, status, text, c.status, c.want)
		}
	}
	// Another program's tool name is answered with ours, on every surface.
	svc.Fail(-32601, "goto", nil)
	for path, body := range map[string]string{"/rpc": `{"jsonrpc":"2.0","id":1,"method":"goto"}`, "/tools/goto": `{}`} {
		if _, text, _ := svc.Do("POST", path, body); !strings.Contains(text, "unknown method: goto; here it is nav (url, ok?)") {
			t.Errorf("%s: %s", path, text)
		}
	}
	over := pipetest.MCP{Service: svc}
	a, _, _ := over.Ask("tools/call", m{"name": "goto", "arguments": m{}}, "Mcp-Name: goto")
	if a.Error == nil || a.Error.Message != `unknown tool "goto"; here it is nav (url, ok?)` {
		t.Errorf("over MCP: %+v", a)
	}
	if status, _, _ := svc.Do("POST", "/rpc", `{}`, "Content-Type: text/plain"); status != 415 {
		t.Errorf("text/plain: status %d, want 415", status)
	}
	if status, text, _ := svc.Do("GET", "/rpc", ""); status != 405 || !strings.Contains(text, "error") {
		t.Errorf("GET /rpc: %d %s", status, text)
	}
	if status, text, _ := svc.Do("GET", "/nowhere", ""); status != 404 || !strings.Contains(text, "openrpc.json") {
		t.Errorf("GET /nowhere: %d %s", status, text)
	}
	s.On("session.close", nil)
	if got := s.On("session.close", nil); got != `{"ok":true}` { // as in the seed
		t.Errorf("closed twice: %s", got)
	}
	if msg := s.Refuse(-32002, "url", nil); !strings.Contains(msg, "it was closed") {
		t.Error(msg)
	}
}

func TestAxe(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestToolsOverHTTP is quick")
	t.Parallel()
	s := pipetest.SharedService(t).Open(nil)
	var out struct {
		Violations []struct {
			ID    string
			Nodes []any
		}
	}
	for _, path := range []string{"/a11y", "/csp"} { // a page's CSP must not block axe
		s.On("page.goto", m{"url": path})
		s.On("axe.run", nil, &out)
		if path == "/a11y" && len(out.Violations) == 0 {
			t.Error("the page with faults has none")
		}
	}
	s.On("page.goto", m{"url": "/a11y"})
	s.On("axe.run", m{"include": "h1"}, &out)
	if len(out.Violations) != 0 {
		t.Errorf("the heading alone has faults: %+v", out.Violations)
	}
	if msg := s.Refuse(-32000, "axe.run", m{"include": []string{"#gone"}}); !strings.Contains(msg, "#gone") {
		t.Error(msg)
	}
}

func TestLimits(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	svc := pipetest.SharedService(t)
	if _, _, head := svc.Do("GET", "/openrpc.json", ""); head.Get("X-RateLimit-Limit") != "100000" { // TestRate has the rest
		t.Errorf("RATE_LIMIT_MAX has no effect: %v", head)
	}
	slow, err := net.Dial("tcp", strings.TrimPrefix(svc.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "POST /rpc HTTP/1.1\r\nHost: localhost\r\n") // the rest never follows
	t.Run("body", func(t *testing.T) {
		big := `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 512<<10) + `"}`
		for _, path := range []string{"/rpc", "/tools/nav"} {
			if status, text, _ := svc.Do("POST", path, big); status != 413 || !strings.Contains(text, "524288") {
				t.Errorf("%s: status %d, %.200s; want 413", path, status, text)
			}
		}
		if status, _, _ := svc.Do("POST", "/mcp", big, "Accept: application/json, text/event-stream"); status != 413 {
			t.Errorf("/mcp: status %d, want 413", status)
		}
	})
	t.Run("contexts", func(t *testing.T) {
		svc := small(t)
		a := svc.Open(nil)
		a.On("new-ctx", nil)
		if msg := svc.Fail(-32006, "session.create", m{}); !strings.Contains(msg, "all 2 browser contexts are in use") {
			t.Error(msg)
		}
		a.On("session.close", nil)
		svc.Open(nil)
		svc.Open(nil)
		if msg := svc.Fail(-32006, "session.create", m{}); !strings.Contains(msg, "all 2 sessions are open") {
			t.Error(msg)
		}
		if n := svc.Metric("pwpipe_sessions_open"); n != "2" {
			t.Errorf("%s sessions, want 2", n)
		}
	})
	t.Run("queue", func(t *testing.T) {
		s := svc.Open(nil)
		asked, answer := make(chan bool), make(chan bool)
		late := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			asked <- true
			<-answer
		}))
		t.Cleanup(late.Close)
		var wg sync.WaitGroup
		wg.Go(func() { s.On("page.goto", m{"url": late.URL, "timeout": 80000}) }) // the others wait for it
		<-asked
		var mu sync.Mutex
		codes := map[int]int{}
		refused := func() map[int]int {
			mu.Lock()
			defer mu.Unlock()
			return maps.Clone(codes)
		}
		for range 80 {
			wg.Go(func() {
				r := svc.Try("page.waitFor", s.With(m{"state": "idleFor", "ms": 50}))
				mu.Lock()
				defer mu.Unlock()
				if r.Error != nil {
					codes[r.Error.Code]++
				}
			})
		}
		pipetest.Eventually(t, "63 of 80 calls wait, and the others are refused", func() bool {
			return maps.Equal(refused(), map[int]int{-32006: 17}) && svc.Metric("pwpipe_queue_depth") == "64"
		})
		close(answer)
		go func() { // what else the document asks for
			for range asked {
			}
		}()
		wg.Wait()
	})
	t.Run("slow client", func(t *testing.T) {
		_ = slow.SetReadDeadline(time.Now().Add(pipetest.Patience))
		_, _ = bufio.NewReader(slow).ReadString('\n') // returns when the service hangs up, which is what the test needs
		if _, err := slow.Write([]byte("x")); err == nil {
			_, err = slow.Read(make([]byte, 1))
			if nerr, ok := err.(net.Error); ok && nerr.Timeout() {
				t.Error("the connection is still open")
			}
		}
	})
}

func TestConfiguration(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		settings []string
		want     string
	}{
		{[]string{"--addr", "0.0.0.0:0"}, "needs an API key"},
		{[]string{"--addr", "192.0.2.1:0", "API_KEY=k"}, "can't listen on"},
		{[]string{"ALLOW_HOST_REGEX=["}, "ALLOW_HOST_REGEX: not a regular expression"},
		{[]string{"RATE_LIMIT_MAX=many"}, `RATE_LIMIT_MAX: expected a whole number such as 120, got "many"`},
		{[]string{"--profile", "nope"}, "no profile"},
		{[]string{"--trace-on-failure", "/dev/null/x"}, "--trace-on-failure"},
	} {
		var flags, env []string
		for i := 0; i < len(c.settings); i++ {
			if strings.HasPrefix(c.settings[i], "--") {
				flags = append(flags, c.settings[i], c.settings[i+1])
				i++
			} else {
				env = append(env, c.settings[i])
			}
		}
		cmd := exec.Command(pipetest.Binary(t), append([]string{"serve"}, flags...)...)
		cmd.Env = append(cmd.Environ(), env...)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%v: %v, %q; want one line with %q", c.settings, err, out, c.want)
		}
	}
	// An address without a host is on loopback, so it needs no key.
	svc := small(t)
	if !strings.HasPrefix(svc.URL, "http://127.0.0.1:") {
		t.Errorf("listens on %s", svc.URL)
	}
	svc.Open(nil)
}

func TestForeignPagesAreRefused(t *testing.T) {
	t.Parallel()
	svc := pipetest.SharedService(t)
	for _, c := range []struct {
		headers []string
		want    int
	}{
		{nil, 200},
		{[]string{"Host: localhost:1"}, 200},
		{[]string{"Host: evil.example"}, 403},
		{[]string{"Host: evil.example:3337"}, 403},
		{[]string{"Host: 127.0.0.1.evil.example"}, 403},
		{[]string{"Origin: http://evil.example"}, 403},
		{[]string{"Origin: null"}, 403},
		{[]string{"Origin: " + svc.URL}, 200},
	} {
		if status, text, _ := svc.Do("GET", "/openrpc.json", "", c.headers...); status != c.want {
			t.Errorf("GET %v: %d %.200s, want %d", c.headers, status, text, c.want)
		}
		if c.want == 403 {
			for _, path := range []string{"/mcp", "/rpc"} {
				if status, _, _ := svc.Do("POST", path, "{}", c.headers...); status != 403 {
					t.Errorf("POST %s %v: %d, want 403", path, c.headers, status)
				}
			}
		}
	}
	if status, _, _ := svc.Do("POST", "/rpc", "{}", "Sec-Fetch-Site: cross-site"); status != 403 {
		t.Errorf("a cross-site fetch: %d, want 403", status)
	}
	named := outside(t)
	if status, _, _ := named.Do("GET", "/openrpc.json", "", "Host: PwPipe.internal:3337"); status != 200 {
		t.Errorf("a name that is allowed: %d", status)
	}
}

func TestSeenFromOutside(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestLimits is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "--log-level=debug")
	s := svc.Open(nil)
	s.On("page.goto", m{"url": "/form?token=secret-in-url"})
	s.On("page.fill", m{"selector": "input >> nth=0", "value": "typed-secret"})
	s.On("page.text", nil)
	s.Refuse(-32000, "page.evaluate", m{"expression": `(() => { throw new Error("page-secret") })()`})
	_, _, head := svc.Do("GET", "/healthz", "", "X-Request-Id: 3b241101-e2bb-4255-8caf-4136c566a962")
	if head.Get("X-Request-Id") != "3b241101-e2bb-4255-8caf-4136c566a962" {
		t.Errorf("the request id is not echoed: %v", head)
	}
	_, _, head = svc.Do("GET", "/openrpc.json", "", "X-Request-Id: not-a-uuid")
	id := head.Get("X-Request-Id")
	if !regexp.MustCompile(`^[0-9a-f-]{36}$`).MatchString(id) {
		t.Errorf("x-request-id: %q", id)
	}
	// A request is logged after its reply was sent.
	failed := regexp.MustCompile(`"msg":"call","tool":"page.evaluate","took":"[^"]+","request_id":"[0-9a-f-]{36}","kind":"failed"`)
	log := ""
	pipetest.Eventually(t, "the log has the last request's id, and the failed call with its request's", func() bool {
		log = svc.Log()
		return strings.Contains(log, `"request_id":"`+id+`"`) && failed.MatchString(log)
	})
	for _, secret := range []string{pipetest.Key, "secret", s.ID, "Ada"} {
		if strings.Contains(strings.ReplaceAll(log, `"key":true`, ""), secret) {
			t.Errorf("the log has %q in it", secret)
		}
	}
	for line := range strings.Lines(log) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
	for metric, want := range map[string]string{
		`pwpipe_requests_total{outcome="ok",tool="page.fill"}`:         "1",
		`pwpipe_requests_total{outcome="failed",tool="page.evaluate"}`: "1",
		`pwpipe_request_duration_seconds_count{tool="page.goto"}`:      "1",
		`pwpipe_sessions_open`: "1", `pwpipe_queue_depth`: "0", `pwpipe_browser_restarts_total`: "0",
	} {
		if got := svc.Metric(metric); got != want {
			t.Errorf("%s is %q, want %s", metric, got, want)
		}
	}
	if svc.Metric("pwpipe_sent_bytes_total") == "0" || svc.Metric("pwpipe_received_bytes_total") == "0" {
		t.Error("no bytes are counted")
	}
}

// TestGracefulStop: a service whose browser died goes on. When it is stopped, it ends what runs.
func TestGracefulStop(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	svc := pipetest.StartService(t, "MAX_CONTEXTS=2", "--stop-timeout=1m") // without it a call has ten seconds
	t.Run("sessions are waited for", func(t *testing.T) { sessionsAreWaitedFor(t, svc) })
	s := svc.Open(nil)
	t.Run("the browser crashes", func(t *testing.T) {
		s.On("page.goto", m{"url": "/"})
		kill := exec.Command("sh", "-c", fmt.Sprintf("for d in $(ps -o pid= --ppid %d); do for b in $(ps -o pid= --ppid $d); do kill -9 $b; done; done; true", svc.PID())) // the end of one may be that of another
		if out, err := kill.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		pipetest.Eventually(t, "the service is ready again", func() bool {
			status, _, _ := svc.Do("GET", "/readyz", "")
			return status == 200 && svc.Metric("pwpipe_browser_restarts_total") == "1"
		})
		// The session gets one error, and goes on with a new page in the new browser.
		pipetest.Has(t, s.Said("url", s.With(nil)), "the browser died", "since the last request")
		if got := s.On("url", nil); got != `"about:blank"` {
			t.Errorf("after the crash: %s", got)
		}
		if n := svc.Metric("pwpipe_browser_contexts"); n != "1" {
			t.Errorf("%s contexts, want 1", n)
		}
	})
	answered := make(chan string, 1)
	go func() {
		r := svc.Try("page.waitFor", s.With(m{"state": "idleFor", "ms": 12_000}))
		answered <- string(r.Result)
	}()
	pipetest.Eventually(t, "the call runs", func() bool { return svc.Metric("pwpipe_queue_depth") == "1" })
	if status := svc.Stop(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if got := <-answered; got != `{"state":"idleFor"}` {
		t.Errorf("what ran when the service was stopped was answered %q", got)
	}
	if _, err := http.Get(svc.URL + "/healthz"); err == nil {
		t.Error("the service still answers")
	}
}
