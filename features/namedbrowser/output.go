package namedbrowser

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/internal/machine/writefile"
	"pwpipe/provider"
)

// outputs is the folder for a session's files: in the service one of the session's own.
func outputs(s *browser.Session) (string, error) {
	dir := cmp.Or(files.ChosenOutput(), filepath.Join(os.TempDir(), files.BrowserFolder))
	if err := files.MayTouch(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", files.WriteError(dir, err)
	}
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return "", provider.Errorf(provider.KindFailed, "%s is not a folder", dir)
	}
	if s.Options.Keep == nil {
		return dir, nil
	}
	own := outputOf.Of(s)
	own.mu.Lock()
	defer own.mu.Unlock()
	var err error
	if own.dir == "" {
		own.dir, err = files.NewFolder(dir, files.SessionPrefix)
	}
	return own.dir, err
}

// outputOf is the folder of a session of the service, once there is one.
var outputOf browser.State[*browser.Session, sessionFolder]

type sessionFolder struct {
	mu  sync.Mutex
	dir string
}

// saveOutput writes <browser_id>_<action>_<timestamp>.<ext>. A second file of the same
// second gets a number.
func (b *ownBrowser) saveOutput(ctx context.Context, action, ext string, data []byte) (string, error) {
	dir, err := outputs(b.owner)
	if err != nil {
		return "", err
	}
	id := b.page.Hide(b.id)
	base := filepath.Join(dir, fileName(id)+"_"+action+"_"+time.Now().Format("20060102_150405"))
	for n := 1; ; n++ {
		path := base + "." + ext
		if n > 1 {
			path = base + "_" + strconv.Itoa(n) + "." + ext
		}
		f, err := writefile.New(path, writefile.Private)
		if errors.Is(err, fs.ErrExist) && n < 10000 {
			continue
		}
		if err != nil {
			return "", files.WriteError(path, err)
		}
		_, err = f.Write(data)
		if err = cmp.Or(err, f.Close()); err != nil {
			_ = os.Remove(path) // no half files
			return "", files.WriteError(path, err)
		}
		provider.Wrote(ctx, path)
		return path, nil
	}
}

// fileName is an id as part of a file's name. An underscore replaces each character that
// could leave the folder or confuse a shell.
func fileName(id string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, id)
	name = strings.TrimLeft(name, ".-")
	if r := []rune(name); len(r) > 60 {
		name = string(r[:60])
	}
	return cmp.Or(name, "_")
}
