package cdpview

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"sync"

	"pwpipe/internal/browser/cdp"
)

// SharedBrowser describes a browser that somebody else uses as well, and used before.
type SharedBrowser struct {
	// Home is the browser context that the browser has from its start, with that person's
	// tabs and cookies; "" if it is not known. Chromium takes no name for it.
	Home string
	// Shows reports whether the client may see what is at a URL. It must not wait.
	Shows func(url string) bool
}

// hidesOwnPages reports whether the client may not see the browser's own pages.
func (s *SharedBrowser) hidesOwnPages() bool { return s != nil && !s.Shows("chrome://settings/") }

// visibility decides which targets of a shared browser the client may see, by where they
// are. A session of ours watches all of them. A page that goes where the client may not
// see it is gone for the client, until it comes back.
type visibility struct {
	shared *SharedBrowser // nil: all targets of the session may be seen
	client viewer
	watch  *cdp.Session // ours, nil if all may be seen

	mu       sync.Mutex
	urls     map[string]string       // where pages are, by target
	hidden   map[string]bool         // targets that the client may not see
	leaving  map[string]string       // hidden pages that have not arrived; the loader that turns them round, or ""
	followed map[string]*cdp.Session // our sessions with pages that the client has a session with

	foreign set[string] // frames on their way to what is not of the web
	barred  set[string] // frames that may not load the file that they are about to load
}

// viewer is told what a client may see. None of its methods is called with a lock held.
type viewer interface {
	// owns reports whether a browser context is the client's.
	owns(context string) bool
	// lose takes a target from the client.
	lose(target string)
	// relocated: a page is at another URL.
	relocated(target string)
	// appears: a target may be seen again; params are the event that said so.
	appears(info Target, params json.RawMessage)
}

func newVisibility(shared *SharedBrowser, client viewer) visibility {
	return visibility{shared: shared, client: client, urls: map[string]string{}, hidden: map[string]bool{},
		leaving: map[string]string{}, followed: map[string]*cdp.Session{}}
}

// holdDocuments has the watching session hold documents, for requestPaused to release.
var holdDocuments = map[string]any{"patterns": []any{map[string]any{"urlPattern": "*", "resourceType": "Document"}}}

func (v *visibility) start(ctx context.Context, devtools *cdp.Session) (err error) {
	if v.shared == nil {
		return nil
	}
	if v.watch, err = devtools.Browser(ctx); err != nil {
		return err
	}
	v.watch.On("Target.targetCreated", v.targetChanged)
	v.watch.On("Target.targetInfoChanged", v.targetChanged)
	v.watch.On("Target.targetDestroyed", read(v.targetDestroyed))
	v.watch.On("Fetch.requestPaused", v.requestPaused)
	if err := v.watch.Call(ctx, "Fetch.enable", holdDocuments, nil); err != nil {
		return err
	}
	discover := map[string]any{"discover": true, "filter": everything["filter"]}
	if err := v.watch.Call(ctx, "Target.setDiscoverTargets", discover, nil); err != nil {
		return err
	}
	return v.hideByOrigin(ctx)
}

// shows reports whether the client may see a target where it is.
func (v *visibility) shows(info Target) bool {
	if v.shared == nil {
		return true
	}
	v.mu.Lock()
	_, leaving := v.leaving[info.TargetID]
	// A page without an address has the origin of its opener, or of where it was.
	inside := (v.hidden[info.Opener] || v.hidden[info.TargetID]) && nowhere(info.URL)
	v.mu.Unlock()
	return !leaving && !inside && v.shared.Shows(info.URL)
}

func (v *visibility) url(target string) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.urls[target]
}

// targetChanged follows where a target is. It runs where the connection is read.
func (v *visibility) targetChanged(params json.RawMessage) {
	var e struct {
		Info Target `json:"targetInfo"`
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	id := e.Info.TargetID
	if part[e.Info.Type] {
		v.partChanged(e.Info)
	}
	if e.Info.Type != "page" && e.Info.Type != "tab" {
		return
	}
	arrived := !v.shared.Shows(e.Info.URL)
	v.mu.Lock()
	if v.urls[id] = e.Info.URL; arrived {
		delete(v.leaving, id)
	}
	v.mu.Unlock()
	v.client.relocated(id)
	shown := v.shows(e.Info)
	v.mu.Lock()
	before := !v.hidden[id]
	if shown {
		delete(v.hidden, id)
	} else {
		v.hidden[id] = true
	}
	v.mu.Unlock()
	switch {
	case shown && !before:
		v.client.appears(e.Info, params)
	case before && !shown:
		v.client.lose(id)
	}
}

func (v *visibility) targetDestroyed(e Target) {
	v.foreign.remove(e.TargetID)
	v.barred.remove(e.TargetID)
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.leaving, e.TargetID)
	delete(v.urls, e.TargetID)
	delete(v.followed, e.TargetID)
	delete(v.hidden, e.TargetID)
}

// hidesEvent reports whether an event tells that a page is on its way to where the client
// may not see it.
func (v *visibility) hidesEvent(method string, params json.RawMessage) bool {
	if v.shared == nil {
		return false
	}
	var e struct {
		URL, DocumentURL, Type string
	}
	switch method {
	case "Page.frameStartedNavigating", "Page.frameRequestedNavigation", "Page.frameScheduledNavigation",
		"Network.requestWillBeSent":
		return json.Unmarshal(params, &e) != nil ||
			(e.Type == "Document" || e.DocumentURL == "") && !v.shared.Shows(cmp.Or(e.URL, e.DocumentURL))
	}
	return false
}

// showsPart reports whether the client may see a part of a page that it sees, a frame or a
// worker. It may if the part is of the web; extensions put frames into pages, too.
func (v *visibility) showsPart(info Target) bool {
	return !v.shared.hidesOwnPages() || !v.foreign.contains(info.TargetID) && v.inWeb(info.URL)
}

func (v *visibility) partChanged(info Target) {
	if !v.shared.hidesOwnPages() || info.URL == "" {
		return
	}
	if v.inWeb(info.URL) {
		v.foreign.remove(info.TargetID)
		return
	}
	v.foreign.add(info.TargetID)
	v.client.lose(info.TargetID)
}

// inWeb reports whether a URL is of the web, or may be seen.
func (v *visibility) inWeb(url string) bool {
	return nowhere(url) || ofWeb.MatchString(url) || v.shared.Shows(url)
}

// nowhere reports whether a document has no address of its own: it is of the origin of
// its creator.
func nowhere(url string) bool { return url == "" || strings.HasPrefix(url, "about:") }
