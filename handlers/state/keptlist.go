package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pwpipe/internal/policy/storagestate"
)

// KeptFile describes the file of a session's state.
type KeptFile struct {
	Name  string    `json:"name"`    // of the session
	Saved time.Time `json:"saved"`   // the last time
	Bytes int64     `json:"bytes"`   // of the newest generation
	File  string    `json:"file"`    // its path
	Of    string    `json:"service"` // the service whose sessions are kept in this folder
}

// ListKept lists the states that are kept in the folders of a base folder.
func ListKept(base string) (list []KeptFile, err error) {
	files, err := filepath.Glob(filepath.Join(base, "*", "*.json"))
	for _, file := range files {
		info, err := os.Lstat(file)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		list = append(list, KeptFile{Name: strings.TrimSuffix(filepath.Base(file), ".json"), Saved: info.ModTime(),
			Bytes: info.Size(), File: file, Of: filepath.Base(filepath.Dir(file))})
	}
	return list, err
}

// Names reads the names in the newest whole generation of the state, without the values.
func (k KeptFile) Names(key *storagestate.Key) (n storagestate.Names, err error) {
	text, err := sound(k.File, key)
	if err != nil {
		return n, err
	}
	return storagestate.ReadNames(text)
}

// Delete removes both generations of the state, and the unfinished files of a service that was
// killed.
func (k KeptFile) Delete() error {
	half, err := filepath.Glob(k.File + ".new-*")
	for _, file := range append(half, before(k.File), k.File) {
		if failed := os.Remove(file); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}
