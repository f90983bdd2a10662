//go:build evidence && unix

// Package scale tests what needs more than one service or machine: the files of
// deploy/scale with the real programs, on loopback.
package scale

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// balancer is a HAProxy with the project's configuration.
type balancer struct {
	*pipetest.Service // as its clients see it
	t                 *testing.T
	file              string
	socket            *os.File // its listening socket
	cmd               *exec.Cmd
	log               logged
}

// logged is a program's output.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// haproxy is the program; the test is skipped without it.
func haproxy(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"haproxy", "/usr/sbin/haproxy", "/usr/local/sbin/haproxy"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no haproxy here")
	return ""
}

var reServer = regexp.MustCompile(`(server pwpipe-(\d) )"[^"]*"`)

// startBalancer runs HAProxy before services at addresses; the first is pwpipe-0. The
// configuration is the project's, except for addresses and check intervals.
func startBalancer(t *testing.T, every string, services ...string) *balancer {
	t.Helper()
	b := &balancer{t: t, file: filepath.Join(t.TempDir(), "haproxy.cfg")}
	haproxy(t)
	text, err := os.ReadFile("../../deploy/scale/haproxy.cfg")
	if err != nil {
		t.Fatal(err)
	}
	own := reServer.ReplaceAllStringFunc(string(text), func(line string) string {
		m := reServer.FindStringSubmatch(line)
		at := "127.0.0.1:1" // nobody listens there
		if n := int(m[2][0] - '0'); n < len(services) {
			at = services[n]
		}
		return m[1] + at
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	// The port makes the names of this balancer's internal sockets unique.
	name := fmt.Sprint("abns@pwpipe-", l.Addr().(*net.TCPAddr).Port)
	own = strings.NewReplacer("bind :8080", "bind fd@3", "inter 2s", "inter "+every, "abns@pwpipe", name, "bind :8404", "bind "+name).Replace(own)
	if err := os.WriteFile(b.file, []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	if b.socket, err = l.(*net.TCPListener).File(); err != nil {
		t.Fatal(err)
	}
	b.Service = &pipetest.Service{T: t, URL: "http://" + l.Addr().String(), Site: pipetest.Site(t), Key: pipetest.Key}
	b.start()
	t.Cleanup(func() {
		b.stop()
		if t.Failed() {
			t.Logf("haproxy:\n%s", &b.log)
		}
	})
	return b
}

func (b *balancer) start() {
	b.t.Helper()
	b.cmd = exec.Command(haproxy(b.t), "-db", "-f", b.file)
	b.cmd.ExtraFiles = []*os.File{b.socket}
	b.cmd.Stdout, b.cmd.Stderr = &b.log, &b.log
	if err := b.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
}

// stop ends it and the connections that clients keep. A request on such a connection
// would fail, because POST is not repeated.
func (b *balancer) stop() {
	_ = b.cmd.Process.Signal(syscall.SIGTERM)
	_ = b.cmd.Wait()
	http.DefaultClient.CloseIdleConnections()
}

// restart starts a new HAProxy that knows nothing of the first.
func (b *balancer) restart() {
	b.t.Helper()
	b.stop()
	b.start()
}

// ready waits until exactly these services take sessions, as HAProxy sees it: in a
// whole round over all servers of the file, each of them answers and no other does.
func (b *balancer) ready(names ...string) {
	b.t.Helper()
	pipetest.Eventually(b.t, "haproxy is up", func() bool {
		answer, err := http.Get(b.URL + "/balancer")
		if err == nil {
			_ = answer.Body.Close()
		}
		return err == nil
	})
	pipetest.Eventually(b.t, fmt.Sprint(names, " take sessions"), func() bool {
		seen := map[string]bool{}
		for range 10 + len(names) {
			id := b.mcp()
			if id == "" {
				return false
			}
			seen[strings.Split(id, "_")[1]] = true
		}
		for _, name := range names {
			if !seen[name] {
				return false
			}
		}
		return len(seen) == len(names)
	})
}

// mcp is the id of a new MCP session, "" if there is none.
func (b *balancer) mcp() string {
	_, _, head := b.Do("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`,
		"Accept: application/json, text/event-stream")
	return head.Get("Mcp-Session-Id")
}

// startNamed runs pwpipe-n at an address.
func startNamed(t *testing.T, n int, addr string, settings ...string) *pipetest.Service {
	t.Helper()
	return pipetest.StartService(t, append([]string{"--addr=" + addr, fmt.Sprint("--name=pwpipe-", n), "--trusted-proxies=127.0.0.1", "OPERATOR_KEY=op"}, settings...)...)
}

// TestBalancer: a balancer keeps a session on its service by its id alone: in every
// place where a request can name it, after a restart, and while the service takes no
// new sessions. An unreachable service is reported as such.
func TestBalancer(t *testing.T) {
	t.Parallel()
	haproxy(t)
	at := []string{pipetest.FreeAddr(t), pipetest.FreeAddr(t)}
	svc := []*pipetest.Service{startNamed(t, 0, at[0]), startNamed(t, 1, at[1])}
	b := startBalancer(t, "200ms", at...)
	b.ready("pwpipe-0", "pwpipe-1")
	var all []pipetest.Session
	of := map[string]int{}
	for range 4 {
		s := b.Open(nil)
		all = append(all, s)
		of[strings.Split(s.ID, "_")[1]]++
		if status, text, _ := b.Do("POST", "/rpc", `{"jsonrpc":"2.0","id":1,"method":"page.goto","params":{"url":"/form"}}`, "X-Session-Id: "+s.ID); status != 200 || !strings.Contains(text, "/form") {
			t.Errorf("%d %s", status, text)
		}
	}
	if of["pwpipe-0"] != 2 || of["pwpipe-1"] != 2 {
		t.Errorf("sessions of services: %v", of)
	}
	b.reached(all)
	b.restart()
	b.reached(all)

	if status, text, _ := svc[0].Do("POST", "/drain", "", "X-Api-Key: op"); status != 200 {
		t.Fatal(text)
	}
	b.ready("pwpipe-1")
	b.reached(all)
	if s := b.Open(nil); !strings.HasPrefix(s.ID, "s_pwpipe-1_") {
		t.Errorf("a service that is being drained has got %s", s.ID)
	}

	told := b.whileIn(all, "s_pwpipe-1_")
	svc[1].Signal(syscall.SIGKILL)
	svc[1].Stop()
	pipetest.Has(t, <-told, `502 {"error":"the service ended while the request ran","kind":"unavailable"}`)
	for _, s := range all {
		status, text, _ := b.Do("POST", "/tools/url", "", "X-Session-Id: "+s.ID)
		if lives := strings.HasPrefix(s.ID, "s_pwpipe-0_"); lives != (status == 200) || !lives && (status != 503 || !strings.Contains(text, "the service that has this session does not answer")) {
			t.Errorf("%s: %d %s", s.ID, status, text)
		}
	}
	pipetest.Eventually(t, "no service takes sessions", func() bool {
		status, text, _ := b.Do("POST", "/rpc", `{"jsonrpc":"2.0","id":1,"method":"session.create"}`)
		return status == 503 && strings.Contains(text, `"error":"no service takes sessions; try again later"`)
	})
	startNamed(t, 1, at[1])
	b.ready("pwpipe-1")
	for _, s := range all {
		if strings.HasPrefix(s.ID, "s_pwpipe-1_") {
			pipetest.Has(t, s.Refuse(-32002, "url", nil), "no session "+s.ID[:20])
		}
	}
}

// whileIn makes a call in a session of a service, on a used connection, and returns its
// answer.
func (b *balancer) whileIn(all []pipetest.Session, service string) <-chan string {
	b.t.Helper()
	i := slices.IndexFunc(all, func(s pipetest.Session) bool { return strings.HasPrefix(s.ID, service) })
	runs, told := make(chan bool, 1), make(chan string, 1)
	asked := pipetestServer(b.t, func(_ http.ResponseWriter, r *http.Request) {
		runs <- true
		<-r.Context().Done()
	})
	one := &http.Client{Timeout: pipetest.Patience, Transport: &http.Transport{MaxConnsPerHost: 1}}
	ask := func(expression string) string {
		text, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "page.evaluate", "params": map[string]any{"expression": expression}})
		r, err := http.NewRequest("POST", b.URL+"/rpc", bytes.NewReader(text))
		if err != nil {
			return err.Error()
		}
		r.Header = http.Header{"X-Session-Id": {all[i].ID}, "X-Api-Key": {b.Key}, "Content-Type": {"application/json"}}
		answer, err := one.Do(r)
		if err != nil {
			return err.Error()
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(answer.StatusCode, " ", string(body))
	}
	pipetest.Has(b.t, ask("1 + 1"), "200 ")
	go func() { told <- ask("fetch('" + asked + "', {mode: 'no-cors'})") }()
	select {
	case <-runs:
	case said := <-told:
		b.t.Fatal(said)
	}
	return told
}

// reached requests each session by every route.
func (b *balancer) reached(all []pipetest.Session) {
	b.t.Helper()
	for _, s := range all {
		const at = "/form"
		call := `{"jsonrpc":"2.0","id":1,"method":"url","params":{"session_id":"` + s.ID + `"}}`
		for what, answer := range map[string]func() (int, string, http.Header){
			"header":    func() (int, string, http.Header) { return b.Do("POST", "/tools/url", "", "X-Session-Id: "+s.ID) },
			"query":     func() (int, string, http.Header) { return b.Do("POST", "/tools/url?session_id="+s.ID, "") },
			"rpc query": func() (int, string, http.Header) { return b.Do("POST", "/rpc?session_id="+s.ID, call) },
			"body":      func() (int, string, http.Header) { return b.Do("POST", "/rpc", call) },
			"batch":     func() (int, string, http.Header) { return b.Do("POST", "/rpc", "["+call+"]") },
			"long body": func() (int, string, http.Header) { return b.Do("POST", "/rpc", call+strings.Repeat(" ", 200_000)) },
			"two of one": func() (int, string, http.Header) {
				return b.Do("POST", "/rpc?session_id="+s.ID, call, "X-Session-Id: s_pwpipe-9_x")
			},
		} {
			if status, text, _ := answer(); status != 200 || !strings.Contains(text, at) {
				b.t.Errorf("%s of %s: %d %s", what, s.ID, status, text)
			}
		}
		if status, text, _ := b.Do("GET", "/cdp/"+s.ID+"/json/version", ""); status != 200 || !strings.Contains(text, s.ID) {
			b.t.Errorf("cdp of %s: %d %s", s.ID, status, text)
		}
	}
	id := b.mcp()
	for range 3 {
		if status, text, _ := b.Do("POST", "/mcp", `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, "Accept: application/json, text/event-stream", "Mcp-Session-Id: "+id); status != 200 || !strings.Contains(text, "nav") {
			b.t.Errorf("%s: %d %.200s", id, status, text)
		}
	}
	for _, path := range []string{"/metrics", "/drain", "/", "/watch/socket"} {
		if status, text, _ := b.Do("GET", path, ""); status != 404 || !strings.Contains(text, "ask the service itself") {
			b.t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if status, _, _ := b.Do("GET", "/balancer", ""); status != 200 {
		b.t.Errorf("the balancer itself: %d", status)
	}
}
