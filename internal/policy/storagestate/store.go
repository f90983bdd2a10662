package storagestate

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
)

// Store keeps states under names that clients choose, in a folder of its own.
type Store struct {
	Dir string
	Key *Key
	// Ready makes the folder and the key, and says how states are encrypted.
	Ready func() (how string, err error)
}

// stateName is what a name may be: one part of a path, that is neither hidden nor an option.
var stateName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$`)

// Path is the file of a name.
func (s *Store) Path(name string) (string, error) {
	file := name + ".json"
	if s.Dir == "" {
		return "", errors.New("there is no folder for states: set HOME, or XDG_STATE_HOME")
	}
	if !stateName.MatchString(name) || !filepath.IsLocal(file) { // a device of Windows is not local
		return "", fmt.Errorf("name: expected up to 64 of a-z A-Z 0-9 - _ ., "+
			"the first a letter or a digit, got %q", name)
	}
	return filepath.Join(s.Dir, file), nil
}
