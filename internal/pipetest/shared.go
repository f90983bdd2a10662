package pipetest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pwpipe/fixtures"
)

// idle are the pipes that no test has now, by their arguments; each is on a
// sample site of its own. They are ended by Main.
var idle = struct {
	sync.Mutex
	by    map[string][]*Pipe
	sites []*fixtures.Server
	dirs  []string
}{by: map[string][]*Pipe{}}

// Shared is StartSite for a test that needs no process of its own: one that ends
// none, and sends nothing but requests. It has a session of its
// own, with handles from p1 on, in a pwpipe that no other test has meanwhile, but
// one may have had before. That saves a start of the browser.
func Shared(t testing.TB, args ...string) *Pipe {
	t.Helper()
	exe := Binary(t)
	key := strings.Join(args, "\n")
	lent.take(t, key)
	idle.Lock()
	var p *Pipe
	if n := len(idle.by[key]); n > 0 {
		p, idle.by[key] = idle.by[key][n-1], idle.by[key][:n-1]
	}
	idle.Unlock()
	if p == nil {
		p = &Pipe{T: t, Site: idleSite(t)}
		p.start(exec.Command(exe, append([]string{"--base-url", p.Site}, args...)...))
	}
	p.T, p.since = t, len(p.stderr.String())
	t.Cleanup(func() { p.giveBack(key) })
	p.session = Get[struct {
		ID string `json:"session_id"`
	}](p, "session.create", Object{"viewport": Object{"width": 1280, "height": 720}}).ID
	return p
}

// SharedOn is Shared, with the active page at a URL.
func SharedOn(t testing.TB, url string, args ...string) *Pipe {
	t.Helper()
	p := Shared(t, args...)
	p.Call("nav", List(url))
	return p
}

// idleSite is a sample site that stands until Main has ended what is shared.
func idleSite(t testing.TB) string {
	t.Helper()
	site, err := fixtures.Serve()
	if err != nil {
		t.Fatal(err)
	}
	idle.Lock()
	defer idle.Unlock()
	idle.sites = append(idle.sites, site)
	return site.URL
}

// SharedIn is Shared with a folder that it may use, and no other: dir is the
// test's own below it.
func SharedIn(t testing.TB, args ...string) (p *Pipe, dir string) {
	t.Helper()
	whole, err := allowed()
	if err != nil {
		t.Fatal(err)
	}
	if dir, err = os.MkdirTemp(whole, "test-"); err != nil {
		t.Fatal(err)
	}
	return Shared(t, append([]string{"--allow-dir", whole}, args...)...), dir
}

// allowed is the folder of those that are SharedIn, which Main removes.
var allowed = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "pwpipe-allowed-")
	if err == nil {
		idle.Lock()
		defer idle.Unlock()
		idle.dirs = append(idle.dirs, dir)
	}
	return dir, err
})

// giveBack closes the session, and leaves the process to the next test unless
// this one has failed.
func (p *Pipe) giveBack(key string) {
	if p.T.Failed() || p.session == "" {
		p.cleanup()
		return
	}
	id := p.session
	p.session = ""
	last := fmt.Sprint(p.Request("session.close", Object{"session_id": id}))
	for r := p.Reply(); string(r.ID) != last; r = p.Reply() { // of a request that the test did not wait for
	}
	idle.Lock()
	defer idle.Unlock()
	idle.by[key] = append(idle.by[key], p)
}

// endShared ends what no test has any more, and reports whether all went well.
func endShared() (ok bool) {
	var bad atomic.Bool
	var all sync.WaitGroup
	for _, list := range idle.by {
		for _, p := range list {
			_ = p.Stdin.Close()
			hung := time.AfterFunc(Patience, func() { _ = p.Cmd.Process.Kill() })
			all.Go(func() {
				err := p.drain()
				hung.Stop()
				if text := p.stderr.String(); err != nil || strings.Contains(text, "DATA RACE") {
					fmt.Fprintf(os.Stderr, "a shared pwpipe: %v\n%s", err, text)
					bad.Store(true)
				}
			})
		}
	}
	all.Wait()
	for _, s := range idle.sites {
		_ = s.Close()
	}
	for _, dir := range idle.dirs {
		_ = os.RemoveAll(dir)
	}
	return !bad.Load()
}
