//go:build evidence && unix

package scale

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

func pipetestServer(t *testing.T, h http.HandlerFunc) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// TestKills: 64 clients use 24 sessions on a real Selenium Grid of two nodes, three
// services and a balancer. Whatever is killed, only the sessions on it fail, each with
// a clear error. New ones start, and nothing is left behind. It takes minutes and both
// cores, so it runs only with PWPIPE_TEST_SCALE, as in CI.
func TestKills(t *testing.T) {
	if os.Getenv("PWPIPE_TEST_SCALE") == "" {
		t.Skip("PWPIPE_TEST_SCALE=1 has it run")
	}
	g := startGrid(t, gridParts(t), 2)
	temp := t.TempDir()
	var at []string
	services := map[string]*pipetest.Service{}
	start := func(n int) {
		services[fmt.Sprint("pwpipe-", n)] = startNamed(t, n, at[n], "--grid="+g.url(), "--browsers=2", "MAX_CONTEXTS=16", "ALLOW_HOST_REGEX=.*", "TMPDIR="+temp, "--session-ttl-ms=600000")
	}
	for n := range 3 {
		at = append(at, pipetest.FreeAddr(t))
		start(n)
	}
	b := startBalancer(t, "2s", at...)
	b.ready("pwpipe-0", "pwpipe-1", "pwpipe-2")
	c := newCrowd(t, b)
	open(c, 24)
	c.use(64)
	c.after(1)
	c.judge("nothing", func(home) bool { return false })

	one := c.sessions[0].home
	step := func(what string, lived func(home) bool, do func()) {
		t.Helper()
		begin := time.Now()
		do()
		c.noticed(lived)
		c.after(1)
		c.mend(c.judge(what, lived))
		c.look(c.open())
		t.Logf("%s: all is well again after %s", what, time.Since(begin).Round(100*time.Millisecond))
	}
	step("a browser is killed", func(h home) bool { return h.browser == one.browser }, func() { kill(t, one.browser) })
	step("a service is killed", func(h home) bool { return h.service == "pwpipe-1" }, func() {
		services["pwpipe-1"].Signal(os.Kill)
		services["pwpipe-1"].Stop()
		c.after(3)
		start(1)
		b.ready("pwpipe-0", "pwpipe-1", "pwpipe-2")
	})
	dead := g.nodes[0]
	step("a node is killed", func(h home) bool { return h.node == dead.cmd.Process.Pid }, func() {
		g.end(dead)
		g.startNode()
	})
	step("the hub stands still for five seconds", func(home) bool { return false }, func() {
		_ = g.hub.cmd.Process.Signal(syscall.SIGSTOP)
		time.Sleep(5 * time.Second)
		_ = g.hub.cmd.Process.Signal(syscall.SIGCONT)
	})
	step("the hub is away for five seconds", func(home) bool { return true }, func() { // everybody's DevTools goes through it
		g.end(g.hub)
		time.Sleep(5 * time.Second)
		g.startHub()
		g.ready(2)
	})
	close(c.stop)
	c.clients.Wait()
	t.Logf("%d calls, each with one reply", c.calls.Load())
	for _, s := range services {
		if s.Stop() != 0 {
			t.Error("a service did not end well")
		}
	}
	pipetest.Eventually(t, "no session of the grid is left", func() bool {
		_, sessions, ok := g.status()
		return ok && sessions == 0
	})
	if left, _ := filepath.Glob(filepath.Join(temp, "pwpipe-*")); len(left) > 0 {
		t.Errorf("folders are left: %v", left)
	}
	for _, n := range g.nodes[1:] {
		pipetest.Eventually(t, "no browser is left", func() bool { return len(pipetest.Descendants(t, n.cmd.Process.Pid)) == 0 })
	}
}

// open opens sessions, a few at a time.
func open(c *crowd, n int) {
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range n / 4 {
				c.open()
			}
		})
	}
	all.Wait()
}

// noticed waits until every session that lived somewhere got an error, or an answer
// from another page.
func (c *crowd) noticed(lived func(home) bool) {
	c.t.Helper()
	pipetest.Eventually(c.t, "they notice", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, s := range c.sessions {
			s.mu.Lock()
			waits := lived(s.home) && len(s.errors) == 0 && !s.moved
			s.mu.Unlock()
			if waits {
				return false
			}
		}
		return true
	})
}

// after waits until each session, and each client, has made this number of calls more.
func (c *crowd) after(times int64) {
	c.t.Helper()
	c.mu.Lock()
	until := c.calls.Load() + times*max(64, int64(len(c.sessions)))
	c.mu.Unlock()
	pipetest.Eventually(c.t, "the clients go on", func() bool { return c.calls.Load() >= until })
}

func kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}
