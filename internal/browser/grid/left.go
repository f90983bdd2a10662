package grid

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"sync"
)

// noteName is the file in a run's folder that names its session, for the sweep after
// the run was killed.
const noteName = "grid.json"

type note struct {
	Session string `json:"session"` // its address
}

// Note writes the session's name into a run's folder.
func (s *Session) Note(dir string) error {
	text, err := json.Marshal(note{s.at})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, noteName), text, 0o600)
}

// EndLeft ends the sessions of killed runs, by their folders. It returns their number.
func EndLeft(folders []string) int {
	var all sync.WaitGroup
	n := 0
	for _, dir := range folders {
		file := filepath.Join(dir, noteName)
		text, err := os.ReadFile(file)
		var left note
		if err != nil || json.Unmarshal(text, &left) != nil {
			continue
		}
		if at, err := url.Parse(left.Session); err != nil || at.Scheme != "http" && at.Scheme != "https" {
			continue
		}
		n++
		all.Go(func() { _ = end(left.Session) })
	}
	all.Wait()
	return n
}
