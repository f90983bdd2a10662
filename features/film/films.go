package film

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"pwpipe/handlers/browser"
)

// Made is a film that calls of a session have made.
type Made struct {
	Number int
	Path   string
	Page   string
	At     time.Time // when it ended
}

// maxMade is the number of films that are kept for a session.
const maxMade = 20

// made has the films of each session that a browser can play.
var made browser.State[*browser.Session, madeFilms]

type madeFilms struct {
	mu   sync.Mutex
	last int
	list []Made
}

// note keeps a film.
func (m *madeFilms) note(path, page string) {
	if !strings.EqualFold(filepath.Ext(path), ".webm") {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last++
	m.list = append(m.list, Made{m.last, path, page, time.Now()})
	m.list = m.list[max(0, len(m.list)-maxMade):]
}

// FilmsOf are the kept films of a session's calls, the oldest first.
func FilmsOf(s *browser.Session) []Made {
	m := made.Of(s)
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.list)
}
