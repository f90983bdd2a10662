package state

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/policy/storagestate"
)

// kept says what a session keeps after its browser ends: the cookies, the local storage, the
// IndexedDB and the session storage of one context, in a file.
var kept browser.State[*browser.Session, keptState]

type keptState struct {
	place // where it is kept

	mu      sync.Mutex // not held across a call into Playwright
	begins  place      // with what it begins, where that is not what it keeps
	context playwright.BrowserContext
	engine  *browser.Engine

	session sessionStorage
}

// place is a file with a state, and what encrypts it.
type place struct {
	path string // "" for none
	key  *storagestate.Key
}

// first is what a context begins with.
func (k *keptState) first() place {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.begins.path != "" {
		return k.begins
	}
	return k.place
}

// current is the context whose state is kept, nil for none, and its engine.
func (k *keptState) current() (playwright.BrowserContext, *browser.Engine) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.context, k.engine
}

// Keep has a session keep its state in a file, and begin with what the file holds. The
// session has no context yet. The key encrypts the file.
func Keep(s *browser.Session, path string, key *storagestate.Key) error {
	if _, err := sound(path, key); err != nil {
		return err
	}
	kept.Of(s).place = place{path, key}
	return nil
}

// KeptHooks restore a session's state before its first page opens, and again in its new context
// after its browser was lost.
var KeptHooks = browser.Hooks{
	Context: func(s *browser.Session, o *browser.Opened) error {
		k := kept.Of(s)
		from := k.first()
		c, e := k.current()
		if from.path == "" || !o.Own || c != nil && e == o.Engine && !c.IsClosed() {
			return nil
		}
		text, err := sound(from.path, from.key)
		if err == nil {
			err = k.restore(o.BrowserContext, text, filepath.Dir(from.path))
		}
		if err != nil { // nothing is saved then: what was kept stays
			return fmt.Errorf("the state that is kept in %s can't be restored: %w", from.path, err)
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.path != "" { // from now on that is the newer one
			k.begins = place{}
		}
		k.context, k.engine = o.BrowserContext, o.Engine
		return nil
	},
	Page: func(p *browser.Page) {
		k := kept.Of(p.Session)
		if c, _ := k.current(); c == p.Context {
			k.session.watch(p)
		}
	},
}

// restore puts a state into a context, nil for none.
func (k *keptState) restore(c playwright.BrowserContext, text []byte, dir string) error {
	if text == nil {
		k.session.restore(nil)
		return nil
	}
	state, session, err := storagestate.SplitSession(text)
	if err != nil {
		return err
	}
	f, path, done, err := scratch(dir)
	if err != nil {
		return err
	}
	defer done()
	if _, err := f.Write(state); err != nil {
		return err
	}
	k.session.restore(session)
	return c.SetStorageState(path)
}

// sound returns a whole state: the newest one, or else the one before. It returns nil if there
// is none yet.
func sound(path string, key *storagestate.Key) ([]byte, error) {
	var failed error
	for _, file := range []string{path, before(path)} {
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var text []byte
		if err == nil {
			text, err = key.Open(data)
		}
		if err == nil && len(text) == 0 { // Parse takes it as one without cookies
			err = errors.New("it is empty")
		}
		if err == nil {
			_, err = storagestate.Parse(text)
		}
		if err == nil {
			return text, nil
		}
		if failed == nil {
			failed = fmt.Errorf("%s: %w", file, err)
		} else if err.Error() != errors.Unwrap(failed).Error() {
			failed = fmt.Errorf("%w; %s: %w", failed, file, err)
		}
	}
	return nil, failed
}

// before returns the path of the previous generation.
func before(path string) string { return path + ".1" }

// SaveKept writes the state of a session that keeps one. The file is whole whenever the process
// or the machine ends, and the previous one stays beside it.
func SaveKept(ctx context.Context, s *browser.Session) error {
	k := kept.Of(s)
	c, e := k.current()
	// A closed one is restored when a context is opened again.
	if k.path == "" || c == nil || e != s.Current() || c.IsClosed() {
		return nil
	}
	text, big, err := k.text(ctx, s, e, c, filepath.Dir(k.path))
	if err == nil {
		err = replace(text, k.path, k.key)
	}
	return errors.Join(err, big)
}

// text is the state of one of a session's contexts. big says what was too large for it. On
// some systems a file in dir has the state meanwhile.
func (k *keptState) text(
	ctx context.Context, s *browser.Session, e *browser.Engine, c playwright.BrowserContext, dir string,
) (text []byte, big, err error) {
	session := &sessionStorage{}
	if own, _ := k.current(); c == own {
		session = &k.session
	}
	withDB, big := fits(s)
	big = errors.Join(big, session.read(ctx, s, e, c))
	f, path, done, err := scratch(dir)
	if err != nil {
		return nil, big, err
	}
	defer done()
	_, err = browser.Await(ctx, e, nil, func() (*playwright.StorageState, error) {
		return c.StorageState(playwright.BrowserContextStorageStateOptions{IndexedDB: &withDB, Path: &path})
	})
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil {
		text, err = io.ReadAll(f)
	}
	if err == nil {
		text, err = storagestate.WithSession(text, session.kept())
	}
	return text, big, err
}

// replace puts a new state in the place of the old one, which becomes the previous generation.
func replace(text []byte, path string, key *storagestate.Key) error {
	old, failed := os.ReadFile(path)
	was, is := storagestate.SealingOf(old), key.Sealing()
	if failed == nil && was == is {
		if before, err := key.Open(old); err == nil && bytes.Equal(before, text) {
			return nil
		}
	}
	changed := failed == nil && was != is // what opens the old one must not open this session any more
	data, err := key.Seal(text)
	if err != nil {
		return err
	}
	err = writefile.Whole(path, writefile.Private, func(f *os.File) error {
		_, err := f.Write(data)
		if err = errors.Join(err, f.Sync()); err == nil && failed == nil && !changed {
			err = writefile.Keep(path, before(path))
		}
		return err
	})
	if err != nil {
		return err
	}
	if changed {
		_ = os.Remove(before(path))
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	_ = dir.Sync() // not every file system can
	return nil
}

// maxIndexedDB bounds the databases that are kept: the driver holds all of them in memory.
const maxIndexedDB = 32 << 20

// fits reports whether the databases of the open pages are small enough to be kept.
func fits(s *browser.Session) (bool, error) {
	sum, asked := 0.0, map[string]bool{}
	for _, p := range s.OpenPages() {
		for _, f := range p.PW.Frames() {
			u, err := url.Parse(f.URL())
			if err != nil || u.Host == "" || asked[u.Scheme+u.Host] {
				continue
			}
			asked[u.Scheme+u.Host] = true
			devtools, err := p.DevToolsSession()
			if err != nil {
				return true, nil // no Chromium
			}
			got, err := devtools.Send("Storage.getUsageAndQuota", map[string]any{"origin": u.Scheme + "://" + u.Host})
			if err != nil {
				continue
			}
			answer, _ := got.(map[string]any)
			parts, _ := answer["usageBreakdown"].([]any)
			for _, part := range parts {
				of, _ := part.(map[string]any)
				if n, ok := of["usage"].(float64); ok && of["storageType"] == "indexeddb" {
					sum += n
				}
			}
		}
	}
	if sum > maxIndexedDB {
		return false, fmt.Errorf("IndexedDB has %d MiB, and %d are kept at most: it is left out",
			int(sum)>>20, maxIndexedDB>>20)
	}
	return true, nil
}
