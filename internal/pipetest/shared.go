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

// idle are the pipes that no test uses, by their arguments; each is on a sample site of
// its own. Main ends them.
var idle = struct {
	sync.Mutex
	by    map[string][]*Pipe
	sites []*fixtures.Server
	dirs  []string
}{by: map[string][]*Pipe{}}

// Shared is StartSite for a test that needs no process of its own: it must not end the
// process, and send only requests. The test gets a session of its own, with handles
// from p1 on, in a pwpipe that another test may have used before, but not at the same
// time. This saves a start of the browser.
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

// idleSite is a sample site that runs until Main has ended the shared processes.
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

// SharedIn is Shared with only one allowed folder: dir is the test's own folder in it.
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

// allowed is the folder of SharedIn, which Main removes.
var allowed = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "pwpipe-allowed-")
	if err == nil {
		idle.Lock()
		defer idle.Unlock()
		idle.dirs = append(idle.dirs, dir)
	}
	return dir, err
})

// giveBack closes the session, and keeps the process for the next test unless this one
// has failed.
func (p *Pipe) giveBack(key string) {
	if p.T.Failed() || p.session == "" {
		p.cleanup()
		return
	}
	id := p.session
	p.session = ""
	last := fmt.Sprint(p.Request("session.close", Object{"session_id": id}))
	for r := p.Reply(); string(r.ID) != last; r = p.Reply() { // replies to requests for which the test did not wait
	}
	idle.Lock()
	defer idle.Unlock()
	idle.by[key] = append(idle.by[key], p)
}

// endShared ends unused processes, and reports whether all went well.
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
