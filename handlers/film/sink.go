package film

import (
	"os"
	"sync"
)

// sink is a file that keeps its first error and returns none. The WebM writer ends its
// goroutine at an error, and later writers would wait for it.
type sink struct {
	*os.File

	mu  sync.Mutex
	err error
}

func (s *sink) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

func (s *sink) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *sink) Write(b []byte) (int, error) {
	if s.failed() == nil {
		if _, err := s.File.Write(b); err != nil {
			s.note(err)
		}
	}
	return len(b), nil
}

func (s *sink) WriteAt(b []byte, at int64) (int, error) {
	if s.failed() == nil {
		if _, err := s.File.WriteAt(b, at); err != nil {
			s.note(err)
		}
	}
	return len(b), nil
}

func (s *sink) Close() error {
	if err := s.File.Close(); err != nil {
		s.note(err)
	}
	return nil
}
