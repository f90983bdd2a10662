package storagestate

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/util"

	"pwpipe/internal/machine/writefile"
)

// Names in the folder that Chromium takes as --user-data-dir.
const (
	ownProfile   = "Default"
	localStorage = "Local Storage/leveldb"
	indexedDB    = "IndexedDB"
)

// logins is what a profile keeps log-ins in. Extensions, settings and caches are none. Windows
// has the cookies in Network, and their key in Local State beside the profile.
var logins = []string{
	"Cookies", "Cookies-journal", "Network/Cookies", "Network/Cookies-journal", localStorage, indexedDB, "../Local State",
}

// maxOrigins bounds the origins of a profile: each of them is visited.
const maxOrigins = 1000

// CopyProfile copies what keeps log-ins from a profile of Chromium into an empty folder, which
// Chromium then takes as --user-data-dir. from is such a folder too, or a profile in it. It
// returns the origins that have stored something; cookies don't count.
func CopyProfile(from, to string) (origins []string, err error) {
	profile := filepath.Join(from, ownProfile)
	if _, err := os.Stat(profile); err != nil {
		profile = from
	}
	found := 0
	for _, name := range logins {
		err := copyTree(filepath.Join(profile, name), filepath.Join(to, ownProfile, name))
		switch {
		case err == nil:
			found++
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	if found == 0 {
		return nil, errors.New("it is a folder without cookies and storage: no profile of Chromium")
	}
	stored, err := originsOfStorage(filepath.Join(to, ownProfile, localStorage))
	if err != nil {
		return nil, fmt.Errorf("its local storage can't be read, as while a browser writes it: %w", err)
	}
	list := append(stored, originsOfDatabases(filepath.Join(to, ownProfile, indexedDB))...)
	slices.Sort(list)
	if list = slices.Compact(list); len(list) > maxOrigins {
		return nil, fmt.Errorf("%d sites have stored something there, and %d is the most", len(list), maxOrigins)
	}
	return list, nil
}

// copyTree copies a file, or the files below a folder. It follows no links.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		at := filepath.Join(to, below)
		switch {
		case d.IsDir():
			return os.MkdirAll(at, 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		return copyFile(path, at)
	})
}

func copyFile(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := writefile.New(to, writefile.Private)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// originsOfStorage reads the origins from the keys of Chromium's local storage: "META:" and a
// storage key, which for a site within another one has more than its origin.
func originsOfStorage(dir string) (list []string, err error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, nil
	}
	db, err := leveldb.OpenFile(dir, &opt.Options{ReadOnly: true, ErrorIfMissing: true})
	if err != nil {
		return nil, err
	}
	const meta = "META:"
	keys := db.NewIterator(util.BytesPrefix([]byte(meta)), nil)
	for keys.Next() {
		if origin := originOf(strings.TrimPrefix(string(keys.Key()), meta)); origin != "" {
			list = append(list, origin)
		}
	}
	keys.Release()
	return list, errors.Join(keys.Error(), db.Close())
}

// originsOfDatabases reads the origins from the names of folders, https_example.com_0.indexeddb.leveldb.
func originsOfDatabases(dir string) (list []string) {
	entries, _ := os.ReadDir(dir) // none is no databases
	for _, e := range entries {
		name, is := strings.CutSuffix(e.Name(), ".indexeddb.leveldb")
		scheme, host, _ := strings.Cut(name, "_")
		last := strings.LastIndex(host, "_")
		if !is || last < 0 {
			continue
		}
		text := scheme + "://" + host[:last]
		if port := host[last+1:]; port != "0" {
			text += ":" + port
		}
		if origin := originOf(text); origin != "" {
			list = append(list, origin)
		}
	}
	return list
}

// originOf is the origin of a site, "" for what is none.
func originOf(text string) string {
	if text = strings.TrimSuffix(text, "/"); !isOrigin(text) {
		return ""
	}
	return text
}
