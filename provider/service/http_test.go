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

func TestAxe(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestTranscripts is quick")
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
	slow, err := net.Dial("tcp", strings.TrimPrefix(svc.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "POST /rpc HTTP/1.1\r\nHost: localhost\r\n") // the rest never follows
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

func TestSeenFromOutside(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestLimits is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "--log-level=debug")
	s := svc.Open(nil)
	s.On("page.goto", m{"url": "/form?token=secret-in-url"})
	s.On("page.fill", m{"selector": "input >> nth=0", "value": "typed-secret"})
	s.On("page.text", nil)
	s.Refuse(-32000, "page.evaluate", m{"expression": `(() => { throw new Error("page-secret") })()`})
	_, _, head := svc.Do("GET", "/openrpc.json", "", "X-Request-Id: not-a-uuid")
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
