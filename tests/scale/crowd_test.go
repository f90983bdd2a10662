//go:build evidence && unix

package scale

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// crowd is clients that use sessions all the time through a balancer, and their
// answers.
type crowd struct {
	t     *testing.T
	b     *balancer
	pages string // each session has its own page there
	web   http.Client

	mu       sync.Mutex
	sessions []*used
	from     map[string]string // a page's path -> the address that requested it
	stop     chan struct{}
	clients  sync.WaitGroup
	calls    atomic.Int64
}

// used is a session and what happened to it since the last check.
type used struct {
	id, path string
	home     home
	moving   sync.RWMutex // held while it is brought to its page
	mu       sync.Mutex
	errors   []string
	moved    bool // it is no longer on its page
}

// home is where a session lives.
type home struct {
	service string
	browser int // its main process
	node    int
}

func newCrowd(t *testing.T, b *balancer) *crowd {
	c := &crowd{t: t, b: b, from: map[string]string{}, stop: make(chan struct{}), web: http.Client{Timeout: 100 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 100}}}
	c.pages = pipetestServer(t, func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.from[r.URL.Path] = r.RemoteAddr
		c.mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprint(w, "<title>", r.URL.Path, "</title>")
	})
	return c
}

// call sends one JSON-RPC request in a session, "" for none, and reads its one reply.
// Without a reply it fails.
func (c *crowd) call(id, method string, params any) (result json.RawMessage, said string) {
	text, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	r, err := http.NewRequest("POST", c.b.URL+"/rpc", bytes.NewReader(text))
	if err != nil {
		c.t.Error(err)
		return nil, err.Error()
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Api-Key", pipetest.Key)
	if id != "" {
		r.Header.Set("X-Session-Id", id)
	}
	answer, err := c.web.Do(r)
	if err != nil {
		c.t.Errorf("%s has no reply: %v", method, err)
		return nil, err.Error()
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	var reply struct {
		ID     int
		Result json.RawMessage
		Error  json.RawMessage
	}
	if err != nil || json.Unmarshal(body, &reply) != nil || reply.Error == nil && (reply.ID != 1 || reply.Result == nil) {
		c.t.Errorf("%s: no reply: %v, %s, %.200q", method, err, answer.Status, body)
		return nil, "no reply"
	}
	c.calls.Add(1)
	if reply.Error == nil {
		return reply.Result, ""
	}
	var e struct{ Message string }
	if json.Unmarshal(reply.Error, &e) != nil { // a balancer's error, or a plain one
		_ = json.Unmarshal(reply.Error, &e.Message)
	}
	return nil, e.Message
}

var numbered atomic.Int64

// open opens a session on its own page. It retries while there is no room or no
// service.
func (c *crowd) open() *used {
	c.t.Helper()
	var s *used
	var said string
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		var made struct {
			ID string `json:"session_id"`
		}
		var result json.RawMessage
		if result, said = c.call("", "session.create", pipetest.Object{}); said != "" {
			time.Sleep(200 * time.Millisecond)
			continue
		}
		_ = json.Unmarshal(result, &made)
		s = &used{id: made.ID, path: fmt.Sprint("/s/", numbered.Add(1))}
		if said = c.settle(s); said == "" {
			c.mu.Lock()
			c.sessions = append(c.sessions, s)
			c.mu.Unlock()
			return s
		}
	}
	c.t.Fatalf("no session can be opened: %s", said)
	return nil
}

// settle brings a session to its page, and finds out where it lives.
func (c *crowd) settle(s *used) (said string) {
	s.moving.Lock()
	defer s.moving.Unlock()
	var h home
	for range 50 { // the connection may end before it is found
		if _, said = c.call(s.id, "page.goto", pipetest.Object{"url": c.pages + s.path, "waitUntil": "load"}); said != "" {
			return said
		}
		c.mu.Lock()
		from := c.from[s.path]
		c.mu.Unlock()
		if h = homeOf(from, strings.TrimPrefix(c.pages, "http://")); h.browser != 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if h.browser == 0 {
		c.t.Errorf("nobody has the connection of %s, from %s", s.id, c.from[s.path])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.home = h
	s.home.service = strings.Split(s.id, "_")[1]
	s.errors, s.moved = nil, false
	return ""
}

// use makes clients use all sessions in turns, one call a second each.
func (c *crowd) use(clients int) {
	for n := range clients {
		c.clients.Go(func() {
			tick := time.NewTicker(time.Second)
			defer tick.Stop()
			for i := n; ; i += clients {
				select {
				case <-c.stop:
					return
				case <-tick.C:
				}
				c.mu.Lock()
				s := c.sessions[i%len(c.sessions)]
				c.mu.Unlock()
				c.look(s)
			}
		})
	}
}

// look asks a session for its page.
func (c *crowd) look(s *used) {
	s.moving.RLock()
	defer s.moving.RUnlock()
	result, said := c.call(s.id, "page.evaluate", pipetest.Object{"expression": "location.pathname"})
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case said != "":
		s.errors = append(s.errors, said)
	case !strings.Contains(string(result), `"`+s.path+`"`):
		s.moved = true
	}
}

// clear matches the errors of sessions that lost their browser or service.
var clear = regexp.MustCompile(`went away (while the request ran|since the last request, and the session's pages with it); the next request gets a fresh (browser|page)$` +
	`|^(the service that has this session does not answer; try again, or open another session with session\.create|the service ended while the request ran)$` +
	`|no session s_pwpipe-\d_\S+; session\.create opens one$` +
	`|no browser of the grid at |the Playwright driver died|the browser or its driver hung and was ended` +
	`|(is|was) (gone|closed)`)

// judge checks every session. Those that lived where something was ended must have a
// clear error or another page; the others must not notice. It returns the former.
func (c *crowd) judge(what string, lived func(home) bool) (victims []*used) {
	c.t.Helper()
	c.mu.Lock()
	all := append([]*used(nil), c.sessions...)
	c.mu.Unlock()
	told := map[string]int{}
	for _, s := range all {
		s.mu.Lock()
		if lived(s.home) {
			victims = append(victims, s)
			if len(s.errors) == 0 && !s.moved {
				c.t.Errorf("%s: %s lived there, and goes on", what, s.id)
			}
			for _, said := range s.errors {
				told[reNumber.ReplaceAllString(said, "#")]++
				if !clear.MatchString(said) {
					c.t.Errorf("%s: %s is told %q", what, s.id, said)
				}
			}
		} else if len(s.errors) > 0 || s.moved {
			c.t.Errorf("%s: %s did not live there, and has moved (%v) or is told %q", what, s.id, s.moved, s.errors)
		}
		s.mu.Unlock()
	}
	c.t.Logf("%s: %d of %d sessions lived there; told:", what, len(victims), len(all))
	for said, n := range told {
		c.t.Logf("  %3d times %s", n, said)
	}
	return victims
}

var reNumber = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|127\.0\.0\.1:\d+`)

// mend brings sessions back to their pages, or replaces them.
func (c *crowd) mend(victims []*used) {
	c.t.Helper()
	for _, s := range victims {
		var said string
		for range 20 {
			if said = c.settle(s); said == "" || strings.Contains(said, "no session") || strings.Contains(said, "does not answer") {
				break
			}
			time.Sleep(500 * time.Millisecond)
		}
		if said == "" {
			continue
		}
		c.mu.Lock()
		for i, other := range c.sessions {
			if other == s {
				c.sessions = append(c.sessions[:i:i], c.sessions[i+1:]...)
				break
			}
		}
		c.mu.Unlock()
		c.open()
	}
}

// homeOf finds the browser with a connection from one address to another, and its
// node: the socket's owner and that one's parent. One address alone could be another
// process's, because a port may have several connections.
func homeOf(from, to string) (h home) {
	table, _ := os.ReadFile("/proc/net/tcp")
	local, remote := inTable(from), inTable(to)
	inode := ""
	for line := range strings.Lines(string(table)) {
		if f := strings.Fields(line); len(f) > 9 && f[1] == local && f[2] == remote {
			inode = "socket:[" + f[9] + "]"
		}
	}
	fds, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, fd := range fds {
		if to, _ := os.Readlink(fd); to != inode || inode == "" {
			continue
		}
		pid, _ := strconv.Atoi(strings.Split(fd, "/")[2])
		for pid > 1 {
			cmd, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			switch text := string(cmd); {
			case strings.Contains(text, "--remote-debugging-p") && !strings.Contains(text, "--type="):
				h.browser = pid
			case strings.Contains(text, "org.openqa.selenium"):
				h.node = pid
			}
			stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
			if len(f) < 2 {
				break
			}
			pid, _ = strconv.Atoi(f[1])
		}
	}
	return h
}

// inTable is a loopback address in the form of /proc/net/tcp.
func inTable(addr string) string {
	_, port, _ := strings.Cut(addr, ":")
	n, _ := strconv.Atoi(port)
	return fmt.Sprintf("0100007F:%04X", n)
}
