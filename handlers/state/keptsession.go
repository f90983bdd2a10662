package state

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/internal/policy/storagestate"
	"pwpipe/internal/script/strictjson"
)

// sessionStorage is the session storage of a kept context, newest first: of its open pages, as
// it was when it was last read, and of origins that no page has come to since it was restored.
type sessionStorage struct {
	mu   sync.Mutex // not held across a call into Playwright
	list []*stored
}

type stored struct {
	storagestate.SessionStorage
	page   *browser.Page // nil: it is for the first page that comes to the origin
	offers []offer
}

// offer is the script that restores session storage in a page.
type offer struct {
	cdp    playwright.CDPSession
	script any // its id
}

// The limits of what is kept. A page chooses how much it stores, and of how many origins.
const (
	maxSessionOrigin  = 1 << 20 // bytes, of one origin
	maxSession        = 8 << 20 // bytes, of all
	maxSessionOrigins = 64      // those visited last
)

// restoring runs in a world of its own, before the scripts of each document: pages can't see
// it. It restores what an empty tab of one origin had.
const restoring = `(() => {
	if (parent !== self || location.origin !== %s) return
	try {
		if (sessionStorage.length === 0) for (const { name, value } of %s) sessionStorage.setItem(name, value)
	} catch {} // a document without storage
})()`

// reading reads what the document of a page sees, as JSON; null for a document without storage.
const reading = `(() => {
	if (!/^https?:/.test(self.origin)) return null
	const items = []
	try {
		for (let i = 0; i < sessionStorage.length; i++) {
			const name = sessionStorage.key(i)
			items.push({ name, value: sessionStorage.getItem(name) })
		}
	} catch { return null }
	const text = JSON.stringify(items), bytes = new TextEncoder().encode(text).length
	return JSON.stringify({ origin: self.origin, bytes }).slice(0, -1) + (bytes > %d ? '}' : ',"items":' + text + '}')
})()`

const (
	sessionWorld = "pwpipe session storage" // the name of that world
	readTime     = 2 * time.Second          // for a page that hangs
)

// restore begins with what was kept.
func (s *sessionStorage) restore(list []storagestate.SessionStorage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = nil
	for _, one := range list {
		s.list = append(s.list, &stored{SessionStorage: one})
	}
}

// watch offers a new page what was kept. It is called in a Page hook.
func (s *sessionStorage) watch(p *browser.Page) {
	p.PW.OnCrash(func(playwright.Page) { s.giveBack(p) })
	if len(s.waiting()) == 0 {
		return
	}
	p.OnAttach(func(cdp playwright.CDPSession) { s.offer(cdp) })
	p.OnAct(func(ctx context.Context) { // goes nowhere before that
		_ = browser.AwaitDo(ctx, p.Engine, p, p.Attached)
	})
	p.OnLeave(func() { s.reached(p) })
}

// waiting is what no page has yet.
func (s *sessionStorage) waiting() []*stored {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*stored
	for _, one := range s.list {
		if one.page == nil {
			list = append(list, one)
		}
	}
	return list
}

// offer has a page restore what no page has yet, when it comes to the origin.
func (s *sessionStorage) offer(cdp playwright.CDPSession) {
	if _, err := cdp.Send("Page.enable", nil); err != nil { // else no script of the session runs
		return
	}
	for _, one := range s.waiting() {
		origin, _ := json.Marshal(one.Origin)
		reply, err := cdp.Send("Page.addScriptToEvaluateOnNewDocument", map[string]any{
			"source": fmt.Sprintf(restoring, origin, one.Items), "worldName": sessionWorld})
		made, _ := reply.(map[string]any)
		if err != nil {
			continue
		}
		o := offer{cdp, made["identifier"]}
		s.mu.Lock()
		taken := one.page != nil
		if !taken {
			one.offers = append(one.offers, o)
		}
		s.mu.Unlock()
		if taken {
			o.withdraw()
		}
	}
}

func (o offer) withdraw() {
	_, _ = o.cdp.Send("Page.removeScriptToEvaluateOnNewDocument", map[string]any{"identifier": o.script})
}

// reached notes that a page shows another document. If none was at its origin before, what was
// kept of the origin is this page's now. It must not block.
func (s *sessionStorage) reached(p *browser.Page) {
	at, err := url.Parse(p.PW.URL())
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.list {
		if one.page == nil && one.Origin == at.Scheme+"://"+at.Host {
			offers := one.offers
			one.page, one.offers = p, nil
			go func() {
				for _, o := range offers {
					o.withdraw()
				}
			}()
		}
	}
}

// giveBack is called for a page that has crashed: the next page may have what it had.
func (s *sessionStorage) giveBack(p *browser.Page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.list {
		if one.page == p {
			one.page = nil
		}
	}
}

// read reads what the open pages of a context have. Its error names an origin that has too much.
func (s *sessionStorage) read(
	ctx context.Context, of *browser.Session, e *browser.Engine, c playwright.BrowserContext,
) error {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	pages := slices.DeleteFunc(of.OpenPages(), func(p *browser.Page) bool {
		return p.Context != c || !p.HasDevTools()
	})
	texts := make([]string, len(pages))
	var wait sync.WaitGroup
	for i, p := range pages {
		wait.Go(func() {
			value, _ := browser.Await(ctx, e, p, func() (any, error) {
				return p.Isolated(sessionWorld, fmt.Sprintf(reading, maxSessionOrigin))
			})
			texts[i], _ = value.(string) // "" of a page that says nothing
		})
	}
	wait.Wait()
	var large []error
	active := of.Active()
	for _, ofActive := range []bool{false, true} { // the last is kept first
		for i, p := range pages {
			if (p.Name == active) == ofActive {
				large = append(large, s.put(p, texts[i]))
			}
		}
	}
	return cmp.Or(append(large, s.trim())...) // the first, as there may be one a page
}

// put notes what a page has, as it was read.
func (s *sessionStorage) put(p *browser.Page, text string) error {
	var got struct {
		Origin string          `json:"origin"`
		Bytes  int             `json:"bytes"`
		Items  json.RawMessage `json:"items"`
	}
	if err := strictjson.Decode([]byte(text), &got); err != nil || got.Origin == "" {
		return nil // what was read before stays
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = slices.DeleteFunc(s.list, func(one *stored) bool {
		return one.page == p && one.Origin == got.Origin
	})
	if got.Items == nil {
		return fmt.Errorf("session storage of %s has %d KiB, and %d are kept at most: it is left out",
			got.Origin, got.Bytes>>10, maxSessionOrigin>>10)
	}
	if string(got.Items) != "[]" {
		own := storagestate.SessionStorage{Origin: got.Origin, Items: got.Items}
		s.list = slices.Insert(s.list, 0, &stored{SessionStorage: own, page: p})
	}
	return nil
}

// trim drops what closed pages had, and what is too much.
func (s *sessionStorage) trim() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = slices.DeleteFunc(s.list, func(one *stored) bool {
		return one.page != nil && one.page.Lost() != nil
	})
	s.list = s.list[:min(len(s.list), maxSessionOrigins)]
	bytes := 0
	var out []string // origins
	s.list = slices.DeleteFunc(s.list, func(one *stored) bool {
		if bytes+len(one.Items) > maxSession {
			out = append(out, one.Origin)
			return true
		}
		bytes += len(one.Items)
		return false
	})
	if out == nil {
		return nil
	}
	others := ""
	if len(out) > 1 {
		others = fmt.Sprintf(" and %d others", len(out)-1)
	}
	return fmt.Errorf("session storage is kept up to %d MiB: that of %s%s is left out", maxSession>>20, out[0], others)
}

// kept is what is kept: of each origin the newest.
func (s *sessionStorage) kept() []storagestate.SessionStorage {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []storagestate.SessionStorage
	for _, one := range s.list {
		if !slices.ContainsFunc(list, func(o storagestate.SessionStorage) bool { return o.Origin == one.Origin }) {
			list = append(list, one.SessionStorage)
		}
	}
	return list
}
