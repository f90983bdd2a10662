package state

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/internal/policy/storagestate"
)

// kept is what a session keeps over the end of its browser: the cookies, the local storage
// and the IndexedDB of one context, in a file.
var kept browser.State[*browser.Session, keptState]

type keptState struct {
	path string // "" for none

	mu      sync.Mutex // not held across a call into Playwright
	context playwright.BrowserContext
	engine  *browser.Engine
}

// has reports whether the context whose state is kept is open in an engine.
func (k *keptState) has(e *browser.Engine) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.context != nil && k.engine == e && !k.context.IsClosed()
}

// Keep has a session keep its state in a file, and begin with what the file holds. The
// session has no context yet.
func Keep(s *browser.Session, path string) error {
	if _, err := sound(path); err != nil {
		return err
	}
	kept.Of(s).path = path
	return nil
}

// KeptHooks restore the state of a session: before its first page is opened, and in the
// context that it has after its browser was lost.
var KeptHooks = browser.Hooks{Context: func(s *browser.Session, o *browser.Opened) error {
	k := kept.Of(s)
	if k.path == "" || !o.Own || k.has(o.Engine) {
		return nil
	}
	file, err := sound(k.path)
	if err == nil && file != "" {
		err = o.SetStorageState(file)
	}
	if err != nil { // nothing is saved then: what was kept stays
		return fmt.Errorf("the state that is kept in %s can't be restored: %w", k.path, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.context, k.engine = o.BrowserContext, o.Engine
	return nil
}}

// sound is the file that holds a whole state: the newest, or else the one before. It is ""
// where there is none yet.
func sound(path string) (string, error) {
	var failed error
	for _, file := range []string{path, before(path)} {
		text, err := os.ReadFile(file)
		if err == nil {
			_, err = storagestate.Parse(text)
		}
		switch {
		case err == nil:
			return file, nil
		case !errors.Is(err, fs.ErrNotExist):
			failed = errors.Join(failed, fmt.Errorf("%s: %w", file, err))
		}
	}
	return "", failed
}

// before is the file of the generation before.
func before(path string) string { return path + ".1" }

// SaveKept writes the state of a session that keeps one. A file is there whole or not at
// all, whenever the process or the machine ends, and the one before stays beside it.
func SaveKept(ctx context.Context, s *browser.Session) error {
	k := kept.Of(s)
	k.mu.Lock()
	c, e := k.context, k.engine
	k.mu.Unlock()
	if c == nil || e != s.Current() || c.IsClosed() { // it is restored when a context is opened again
		return nil
	}
	withDB, big := fits(s)
	temp, err := os.CreateTemp(filepath.Dir(k.path), filepath.Base(k.path)+".new-*") // with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	defer temp.Close()
	_, err = browser.Await(ctx, e, nil, func() (*playwright.StorageState, error) {
		file := temp.Name()
		return c.StorageState(playwright.BrowserContextStorageStateOptions{IndexedDB: &withDB, Path: &file})
	})
	if err == nil {
		err = temp.Sync()
	}
	if err == nil {
		err = replace(temp.Name(), k.path)
	}
	return errors.Join(err, big)
}

// replace puts a whole file in the place of another, which becomes the one before.
func replace(temp, path string) error {
	is, err := os.ReadFile(temp)
	if err != nil {
		return err
	}
	if was, err := os.ReadFile(path); err == nil {
		if bytes.Equal(is, was) {
			return nil
		}
		link := temp + ".1"
		if err := os.Link(path, link); err != nil {
			return err
		}
		if err := os.Rename(link, before(path)); err != nil {
			_ = os.Remove(link)
			return err
		}
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	_ = dir.Sync() // which not every file system can
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
