package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

const (
	loadSessions = 8
	loadClients  = 64
	loadRounds   = 3
)

// TestLoad drives 8 sessions from 64 clients: no errors except 429, stable memory,
// and no context left at the end. PWPIPE_LOAD sets the number of calls: 10000 for
// the figures in docs/service.md. No other test of the package runs meanwhile.
func TestLoad(t *testing.T) {
	pipetest.InCIAndRace(t, "it drives eight sessions from 64 clients, and nothing may run beside it")
	calls := loadRounds * loadClients // each client has one call at a time in each round
	if n, err := strconv.Atoi(os.Getenv("PWPIPE_LOAD")); err == nil {
		calls = n
	}
	svc := pipetest.StartService(t, "RATE_LIMIT_MAX=1000000", "--timeout=60") // the 64 first calls wait for each other
	var sessions []pipetest.Session
	for range loadSessions {
		s := svc.Open(nil)
		s.On("page.goto", m{"url": "/form", "waitUntil": "load"})
		sessions = append(sessions, s)
	}
	work := []struct {
		method string
		params m
	}{
		{"page.fill", m{"selector": "#name", "value": "Ada Thorsen"}},
		{"page.text", m{"selector": "h1"}},
		{"page.evaluate", m{"expression": "document.title"}},
		{"vis", m{"sel": "#email"}},
		{"page.click", m{"selector": "#name"}},
		{"network.pull", m{"onlyErrors": false}},
		{"logs.pull", nil},
		{"page.goto", m{"url": "/form", "waitUntil": "load"}},
	}
	// Memory is measured after each round; the first fills caches.
	var at []memory
	for round := range loadRounds {
		f := drive(calls/loadRounds, func(client, i int) (int, error) {
			w := work[i%len(work)]
			return post(svc, w.method, sessions[client%loadSessions].With(w.params))
		})
		for _, e := range f.errors {
			t.Error(e)
		}
		at = append(at, memoryOf(t, svc.PID()))
		t.Logf("after %d calls: %s; PSS in MiB: %s", (round+1)*calls/loadRounds, f, at[round])
	}
	if grown := at[2].own - at[1].own; grown > 16 && !pipetest.Race { // the detector's own memory grows
		t.Errorf("pwpipe grew by %.0f MiB in the last round", grown)
	}
	for _, s := range sessions {
		s.On("session.close", nil)
	}
	for _, name := range []string{"pwpipe_sessions_open", "pwpipe_browser_contexts", "pwpipe_queue_depth"} {
		pipetest.Eventually(t, name+" is 0 at the end", func() bool { return svc.Metric(name) == "0" })
	}
}

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: loadClients}, Timeout: pipetest.Patience}

// post makes one call; the status is 200 or 429.
func post(svc *pipetest.Service, method string, params m) (int, error) {
	body, _ := json.Marshal(m{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	req, _ := http.NewRequest("POST", svc.URL+"/rpc", bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Api-Key", pipetest.Key)
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	var reply struct{ Error json.RawMessage } // nested: results of network.pull contain errors, too
	_ = json.Unmarshal(text, &reply)
	switch {
	case err != nil:
		return 0, err
	case resp.StatusCode == 429 && resp.Header.Get("Retry-After") != "":
		return 429, nil
	case resp.StatusCode != 200 || reply.Error != nil:
		return 0, fmt.Errorf("%s: status %d %.300s", method, resp.StatusCode, text)
	}
	return 200, nil
}

// loadFigures are the results of a load.
type loadFigures struct {
	calls, limited int
	failed         int // calls that failed; only the first errors are kept
	took           time.Duration
	median, p95    time.Duration
	errors         []error
}

func (f loadFigures) String() string {
	return fmt.Sprintf("%.0f calls/s, median %.1f ms, 95%% %.1f ms, %d errors, %d times 429",
		float64(f.calls)/f.took.Seconds(), f.median.Seconds()*1000, f.p95.Seconds()*1000, f.failed, f.limited)
}

// drive makes n calls from 64 clients.
func drive(n int, call func(client, i int) (int, error)) loadFigures {
	return driveBy(loadClients, n, call)
}

// driveBy makes n calls from so many clients.
func driveBy(clients, n int, call func(client, i int) (int, error)) loadFigures {
	var (
		next  atomic.Int64
		mu    sync.Mutex
		f     = loadFigures{calls: n}
		times []time.Duration
		wg    sync.WaitGroup
	)
	begin := time.Now()
	for c := range clients {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				start := time.Now()
				status, err := call(c, i)
				mu.Lock()
				times = append(times, time.Since(start))
				if err != nil {
					if f.failed++; f.failed <= 5 {
						f.errors = append(f.errors, err)
					}
				}
				if status == 429 {
					f.limited++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	f.took = time.Since(begin)
	slices.Sort(times)
	f.median, f.p95 = times[len(times)/2], times[len(times)*95/100]
	return f
}

// memory is used by the parts of a service, in MiB (PSS, which counts shared pages
// once).
type memory struct{ own, driver, browser, renderers float64 }

func (m memory) String() string {
	return fmt.Sprintf("service %.0f, driver %.0f, browser %.0f, of which renderers %.0f", m.own, m.driver, m.browser, m.renderers)
}

// memoryOf measures a process and its descendants. It recognises the browser's
// processes by their program.
func memoryOf(t testing.TB, pid int) memory {
	if runtime.GOOS != "linux" {
		return memory{}
	}
	out := memory{own: pipetest.PSS(pid)}
	for child, command := range pipetest.Descendants(t, pid) {
		program, _, _ := strings.Cut(command, " ")
		mib := pipetest.PSS(child)
		switch {
		case !strings.Contains(program, "chrom"):
			out.driver += mib
			continue
		case strings.Contains(command, "--type=renderer"):
			out.renderers += mib
		}
		out.browser += mib
	}
	return out
}

// TestPeer does the same work over MCP on this service and on another: 8 sessions,
// each a navigation and four evaluations in turn, from one client each and from 64
// clients. PWPIPE_PEER is the peer's command line with PORT in it, such as "node
// cli.js --port PORT".
func TestPeer(t *testing.T) {
	peer := os.Getenv("PWPIPE_PEER")
	if peer == "" {
		t.Skip("set PWPIPE_PEER to measure a peer")
	}
	calls := 2000
	if n, err := strconv.Atoi(os.Getenv("PWPIPE_LOAD")); err == nil {
		calls = n
	}
	svc := pipetest.StartService(t, "RATE_LIMIT_MAX=1000000")
	for _, clients := range []int{loadSessions, loadClients} {
		own := mcpWork(t, svc.URL+"/mcp", &http.Client{Transport: bearer{}}, clients, calls, svc.PID(), "nav", "eval", "code", svc.Site)
		t.Logf("pwpipe serve, /mcp, %d clients: %s", clients, own)
	}
	svc.Stop()

	args := strings.Fields(strings.ReplaceAll(peer, "PORT", "3377"))
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); _ = cmd.Wait() })
	pipetest.Eventually(t, "the peer listens", func() bool { _, err := http.Get("http://localhost:3377/"); return err == nil })
	site := pipetest.Site(t)
	for _, clients := range []int{loadSessions, loadClients} {
		theirs := mcpWork(t, "http://localhost:3377/mcp", http.DefaultClient, clients, calls, cmd.Process.Pid, "browser_navigate", "browser_evaluate", "function", site)
		t.Logf("peer, /mcp, %d clients: %s", clients, theirs)
	}
}

// mcpWork is TestPeer's work on one service.
func mcpWork(t *testing.T, url string, hc *http.Client, clients, calls, pid int, navigate, evaluate, code, site string) string {
	t.Helper()
	ctx := context.Background()
	var sessions []*mcp.ClientSession
	begin := time.Now()
	for range loadSessions {
		c := mcp.NewClient(&mcp.Implementation{Name: "load", Version: "1"}, nil)
		ss, err := c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: hc}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer ss.Close()
		sessions = append(sessions, ss)
		if _, err := ss.CallTool(ctx, &mcp.CallToolParams{Name: navigate, Arguments: m{"url": site + "/form"}}); err != nil {
			t.Fatal(err)
		}
	}
	opened := time.Since(begin)
	before := memoryOf(t, pid)
	f := driveBy(clients, calls, func(client, i int) (int, error) {
		p := &mcp.CallToolParams{Name: evaluate, Arguments: m{code: "() => document.title"}}
		if i%5 == 0 {
			p = &mcp.CallToolParams{Name: navigate, Arguments: m{"url": site + "/form"}}
		}
		r, err := sessions[client%loadSessions].CallTool(ctx, p)
		if err == nil && r.IsError {
			text, _ := json.Marshal(r.Content)
			err = fmt.Errorf("%s: %.300s", p.Name, text)
		}
		return 200, err
	})
	var errs string
	for _, e := range f.errors {
		errs += "\n  " + e.Error()
	}
	return fmt.Sprintf("8 sessions open after %.1f s; %s; PSS in MiB before: %s; after: %s%s", opened.Seconds(), f, before, memoryOf(t, pid), errs)
}
