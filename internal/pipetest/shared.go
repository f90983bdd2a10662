package pipetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pwpipe/fixtures"
)

// idle are the pipes that no test uses; each is on a sample site of its own.
var idle = pool[*Pipe]{by: map[string][]*Pipe{}}

// pool has what no test uses, by its arguments or settings. Main ends it.
type pool[T any] struct {
	mu sync.Mutex
	by map[string][]T
}

func (p *pool[T]) take(key string) (one T, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.by[key]
	if len(list) == 0 {
		return one, false
	}
	p.by[key] = list[:len(list)-1]
	return list[len(list)-1], true
}

func (p *pool[T]) keep(key string, one T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.by[key] = append(p.by[key], one)
}

// end ends all, and reports whether all went well.
func (p *pool[T]) end(what string, end func(T) error) (ok bool) {
	var bad atomic.Bool
	var all sync.WaitGroup
	for _, list := range p.by {
		for _, one := range list {
			all.Go(func() {
				if err := end(one); err != nil {
					fmt.Fprintf(os.Stderr, "a shared %s: %v", what, err)
					bad.Store(true)
				}
			})
		}
	}
	all.Wait()
	return !bad.Load()
}

// remains are to be removed by Main when all processes have ended.
var remains struct {
	sync.Mutex
	remove []func() error
}

func removeLast(remove func() error) {
	remains.Lock()
	defer remains.Unlock()
	remains.remove = append(remains.remove, remove)
}

// Shared is StartSite for a test that needs no process of its own: it must not end the
// process, and send only requests. The test gets a session of its own, with handles
// from p1 on, in a pwpipe that another test may have used before, but not at the same
// time. This saves a start of the browser.
func Shared(t testing.TB, args ...string) *Pipe {
	t.Helper()
	exe := Binary(t)
	key := strings.Join(args, "\n")
	lent.take(t, key)
	p, ok := idle.take(key)
	if !ok {
		p = &Pipe{T: t, Site: idleSite(t)}
		p.start(exec.Command(exe, append([]string{"--base-url", p.Site}, args...)...))
	}
	p.T, p.since = t, len(p.stderr.String())
	t.Cleanup(func() { p.giveBack(key) })
	p.session = Get[created](p, "session.create", Object{"viewport": Object{"width": 1280, "height": 720}}).ID
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
	removeLast(site.Close)
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
	removeLast(func() error { return os.RemoveAll(dir) })
	return dir, err
})

// sharedFiles are the files of SharedFile, by their texts.
var sharedFiles sync.Map

// SharedFile is a file that only this user may read, the same for each test that asks for this text,
// so that their [Shared] processes are the same too. Main removes it.
func SharedFile(t testing.TB, name, text string) string {
	t.Helper()
	made, _ := sharedFiles.LoadOrStore(text, sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp("", "pwpipe-shared-")
		removeLast(func() error { return os.RemoveAll(dir) })
		return filepath.Join(dir, name), errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}))
	file, err := made.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

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
	idle.keep(key, p)
}

// endIdle ends a process that no test uses.
func (p *Pipe) endIdle() error {
	_ = p.Stdin.Close()
	defer time.AfterFunc(Patience, func() { _ = p.Cmd.Process.Kill() }).Stop()
	err := p.drain()
	if text := p.stderr.String(); err != nil || strings.Contains(text, "DATA RACE") {
		return fmt.Errorf("%v\n%s", err, text)
	}
	return nil
}

// idleServices are the services that no test uses.
var idleServices = pool[*Service]{by: map[string][]*Service{}}

// SharedService is StartService for a test that needs no service of its own: it must
// not end the service, nor read totals since its start. Another test may have used the
// service before, but not at the same time. Sessions of Open are closed. This saves a
// start of the browser.
func SharedService(t testing.TB, settings ...string) *Service {
	t.Helper()
	exe := Binary(t)
	key := strings.Join(settings, "\n")
	lent.take(t, "serve\n"+key)
	s, ok := idleServices.take(key)
	if !ok {
		s = &Service{T: t, Site: idleSite(t), Key: Key, done: make(chan struct{}), shared: true}
	}
	s.T, s.since = t, len(s.log.String())
	t.Cleanup(func() { s.giveBack(key) })
	if s.cmd == nil {
		s.start(exe, settings)
	}
	return s
}

// own fails for a shared service.
func (s *Service) own(what string) {
	s.T.Helper()
	if s.shared {
		s.T.Fatalf("%s takes a service of the test's own, not one that is shared", what)
	}
}

// giveBack closes the test's sessions, and keeps the service for the next test unless
// this one has failed or left something behind.
func (s *Service) giveBack(key string) {
	s.mu.Lock()
	opened := s.opened
	s.opened = nil
	s.mu.Unlock()
	if !s.T.Failed() {
		for _, id := range opened {
			s.Try("session.close", Object{"session_id": id})
		}
		if s.Metric("pwpipe_sessions_open") == "0" && s.Metric("pwpipe_browser_contexts") == "0" {
			idleServices.keep(key, s)
			return
		}
	}
	s.endWithTest()
}

// endIdle ends a service that no test uses.
func (s *Service) endIdle() error {
	if err := s.end(); err != nil || s.cmd.ProcessState.ExitCode() != 0 {
		return fmt.Errorf("%v, %v\n%s", err, s.cmd.ProcessState, s.log.String())
	}
	return nil
}
