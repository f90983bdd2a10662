package pipetest

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// idleServices are the services that no test uses, by their settings. Main ends them.
var idleServices = struct {
	sync.Mutex
	by map[string][]*Service
}{by: map[string][]*Service{}}

// SharedService is StartService for a test that needs no service of its own: it must
// not end the service, nor read totals since its start. Another test may have used the
// service before, but not at the same time. Sessions of Open are closed. This saves a
// start of the browser.
func SharedService(t testing.TB, settings ...string) *Service {
	t.Helper()
	key := strings.Join(settings, "\n")
	lent.take(t, "serve\n"+key)
	idleServices.Lock()
	var s *Service
	if n := len(idleServices.by[key]); n > 0 {
		s, idleServices.by[key] = idleServices.by[key][n-1], idleServices.by[key][:n-1]
	}
	idleServices.Unlock()
	if s == nil {
		s = &Service{T: t, Site: idleSite(t), Key: Key, done: make(chan struct{}), shared: true}
	}
	s.T, s.since = t, len(s.logged())
	t.Cleanup(func() { s.giveBack(key) })
	if s.cmd == nil {
		s.start(Binary(t), settings)
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
			idleServices.Lock()
			defer idleServices.Unlock()
			idleServices.by[key] = append(idleServices.by[key], s)
			return
		}
	}
	if err := s.end(); err != nil {
		s.T.Error(err)
	} else if s.T.Failed() {
		s.T.Logf("log:\n%s", s.logged())
	}
}

// endServices ends unused services, and reports whether all went well.
func endServices() (ok bool) {
	var bad atomic.Bool
	var all sync.WaitGroup
	for _, list := range idleServices.by {
		for _, s := range list {
			all.Go(func() {
				if err := s.end(); err != nil || s.cmd.ProcessState.ExitCode() != 0 {
					fmt.Fprintf(os.Stderr, "a shared service: %v, %v\n%s", err, s.cmd.ProcessState, s.logged())
					bad.Store(true)
				}
			})
		}
	}
	all.Wait()
	return !bad.Load()
}
