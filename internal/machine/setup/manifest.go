package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pwpipe/internal/machine/writefile"
)

// manifestName is the file that each install carries. It is written last, so
// its presence says that the folder is complete.
const manifestName = "pwpipe.json"

// manifest lists the files of an install with their sizes, so that each start
// notices a truncated or lost file with a stat and without hashing.
type manifest struct {
	Name      string           `json:"name"`
	Version   string           `json:"version"`
	Integrity string           `json:"integrity"`
	Detail    string           `json:"detail"` // the version that the program itself gives
	Files     map[string]int64 `json:"files"`  // slash path -> bytes
}

var errMissing = errors.New("missing")

// damage says what is wrong with an install that is there.
type damage struct{ what string }

func (d damage) Error() string { return "damaged (" + d.what + ")" }

func isDamaged(err error) bool { return errors.As(err, new(damage)) }

// reason is how checkInstall's error reads inside a sentence.
func reason(err error) string {
	if isDamaged(err) || errors.Is(err, errMissing) {
		return err.Error()
	}
	return "not readable (" + err.Error() + ")"
}

// write records every file under dir and makes all of it durable.
func (m *manifest) write(dir string) (err error) {
	if m.Files, err = sizes(dir); err != nil {
		return err
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, manifestName), data, 0o644)
}

// sizes are the sizes of the files below a folder, in bytes by their slash paths.
func sizes(dir string) (map[string]int64, error) {
	files := map[string]int64{}
	return files, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = info.Size()
		return err
	})
}

// checkInstall answers the manifest of a sound install, errMissing where there
// is none, or a damage.
func checkInstall(dir string, r release) (*manifest, error) {
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		if _, serr := os.Stat(dir); serr == nil {
			return nil, damage{manifestName + " is missing"}
		}
		return nil, errMissing
	}
	if err != nil {
		return nil, err
	}
	m := &manifest{}
	if json.Unmarshal(data, m) != nil || m.Integrity != r.Integrity {
		return nil, damage{manifestName + " does not belong to this version"}
	}
	if _, ok := m.Files[r.Key]; !ok {
		return nil, damage{r.Key + " was never unpacked"}
	}
	for name, want := range m.Files {
		st, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, damage{name + " is missing"}
		}
		if st.Size() != want {
			return nil, damage{fmt.Sprintf("%s has %d bytes, not %d", name, st.Size(), want)}
		}
	}
	return m, nil
}

// writeFile writes a small file durably.
func writeFile(path string, data []byte, mode os.FileMode) error {
	return writefile.Whole(path, mode, func(f *os.File) error {
		_, err := f.Write(data)
		return errors.Join(err, f.Sync())
	})
}
