package pipetest

import (
	"fmt"
	"strings"
	"testing"
)

// idleServices are the services that no test uses.
var idleServices = pool[*Service]{by: map[string][]*Service{}}

// SharedService is StartService for a test that needs no service of its own: it must
// not end the service, nor read totals since its start. Another test may have used the
// service before, but not at the same time. Sessions of Open are closed. This saves a
// start of the browser.
func SharedService(t testing.TB, settings ...string) *Service {
	t.Helper()
	key := strings.Join(settings, "\n")
	lent.take(t, "serve\n"+key)
	s, ok := idleServices.take(key)
	if !ok {
		s = &Service{T: t, Site: idleSite(t), Key: Key, done: make(chan struct{}), shared: true}
	}
	s.T, s.since = t, len(s.log.String())
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
