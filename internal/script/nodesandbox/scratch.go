package nodesandbox

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strconv"
)

// RemoveScratch removes a scratch folder once its cell has ended. It keeps no folder
// open and uses no long path, because a hostile process can make folders deeper than
// [os.RemoveAll] has descriptors for.
func RemoveScratch(dir string) error {
	mark := rand.Text() // no name of its own
	for n := 0; ; {
		folders, err := removeFiles(dir)
		if err != nil || len(folders) == 0 {
			if rerr := os.Remove(dir); !errors.Is(rerr, os.ErrNotExist) {
				err = errors.Join(err, rerr)
			}
			return err
		}
		for _, folder := range folders {
			inner, err := removeFiles(folder)
			for _, f := range inner { // one level up, where its turn will come
				err = errors.Join(err, os.Rename(f, filepath.Join(dir, mark+strconv.Itoa(n))))
				n++
			}
			if err = errors.Join(err, os.Remove(folder)); err != nil {
				return err
			}
		}
	}
}

// removeFiles removes a folder's contents except its folders, which it lists.
func removeFiles(dir string) (folders []string, err error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			folders = append(folders, path)
			continue
		}
		err = errors.Join(err, os.Remove(path))
	}
	return folders, err
}
