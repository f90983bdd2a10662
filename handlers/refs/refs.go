// Package refs turns the refs of a snapshot (e5) into selectors that stay with
// their elements.
package refs

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/bundle"
	"pwpipe/provider"
)

// refEngine is the selector engine "ref": see the file. docs/agent.md says what
// Playwright's own refs lack. These stay with their element for as long as it lives,
// and are never given twice.
//
//go:embed refs.js
var refEngine string

// The parts of it: see the files.
var (
	//go:embed labels.js
	labels string
	//go:embed highlight.js
	highlight string
	//go:embed seen.js
	seen string
	//go:embed walk.js
	walk string
	//go:embed facts.js
	facts string
	//go:embed kept.js
	kept string
	//go:embed lines.js
	lines string
	//go:embed captions.js
	captions string
	//go:embed about.js
	about string
)

// Walk is the part of it that makes the tree; tests compare it with Playwright's own.
func Walk() string { return strings.Replace(walk, "FACTS(", "("+facts+")(", 1) }

// Engine is the source of the engine, for code that makes an injected script
// without the driver.
func Engine() string {
	return strings.NewReplacer("LABELS", "("+labels+")", "HIGHLIGHT", "("+highlight+")", "LINES(", "("+lines+")(",
		"SEEN(", "("+seen+")(", "WALK(", "("+Walk()+")(", "KEPT(", "("+kept+")(",
		"CAPTIONS(", "("+captions+")(", "ABOUT(", "("+about+")(", "STAND_IN", bundle.StandIn).Replace(refEngine)
}

// registerEngines makes "ref=e5" and "names=…" valid selectors: selectors.register.
func registerEngines(pw *playwright.Playwright) error {
	o := playwright.SelectorsRegisterOptions{ContentScript: playwright.Bool(true)}
	engine := Engine()
	if err := pw.Selectors.Register("ref", playwright.Script{Content: &engine}, o); err != nil {
		return err
	}
	return pw.Selectors.Register("names", playwright.Script{Content: &nameEngine}, o)
}

// Hooks makes refs valid selectors in every browser.
var Hooks = browser.Hooks{Engine: registerEngines}

// Named is a page's state of refs.
var Named = browser.State[*browser.Page, pageRefs]{New: func(p *browser.Page) *pageRefs {
	r := &pageRefs{frames: map[string]string{}, byFrame: map[string]string{}, next: map[string]int{}}
	p.OnLeave(r.forgetFrames)
	return r
}}

type pageRefs struct {
	mu      sync.Mutex
	frames  map[string]string // "f1": selector of the iframe, within its parent frame
	byFrame map[string]string // selector of the iframe: its name
	given   int               // frames named so far
	next    map[string]int    // frame, "" for the page: lowest free number
}

// FrameFor names the frame of an iframe element.
func (r *pageRefs) FrameFor(iframe string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if name := r.byFrame[iframe]; name != "" {
		return name
	}
	r.given++
	name := fmt.Sprintf("f%d", r.given)
	r.frames[name], r.byFrame[iframe] = iframe, name
	return name
}

// forgetFrames drops the frames of a document that the page leaves. Numbers continue,
// so that an old ref never gets a new meaning.
func (r *pageRefs) forgetFrames() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.frames)
	clear(r.byFrame)
}

// Start is the lowest number for a new ref of a frame.
func (r *pageRefs) Start(frame string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(r.next[frame], 1)
}

// Used stores the lowest free number of a frame.
func (r *pageRefs) Used(frame string, next int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next[frame] = max(r.next[frame], next)
}

// staleRef is the error of a ref whose element is gone. like are the elements that it may mean, "" for none.
func staleRef(ref, like string) *provider.Error {
	if like != "" {
		return provider.Errorf(provider.KindFailed, "ref %s is stale: its element is gone", ref).
			WithHint("what may have its place: %s", like)
	}
	return provider.Errorf(provider.KindFailed, "ref %s is stale: its element is gone", ref).
		WithHint("the page may have navigated or changed; take a ref of the newest outline, or call snapshot")
}

// unknownRef is the error of a ref that no outline has given.
func unknownRef(ref string) *provider.Error {
	return provider.Errorf(provider.KindFailed, "there is no ref %s: no outline of this page has given it", ref).
		WithHint("snapshot gives refs")
}

var reStale = regexp.MustCompile(`(stale|ungiven) ref ((?:f\d+)?e\d+)(?: \[(\d+)\] ([^\n]*))?`)

// AsStale recognises the engine's error for a ref without an element; nil for other errors. p may be nil.
func AsStale(p *browser.Page, head string) *provider.Error {
	m := reStale.FindStringSubmatch(head)
	switch {
	case m == nil:
		return nil
	case m[1] == "ungiven" && p != nil && !Named.Of(p).gave(m[2]):
		return unknownRef(m[2])
	case m[3] == "" || p == nil:
		return staleRef(m[2], "")
	}
	next, _ := strconv.Atoi(m[3])
	Named.Of(p).usedUpTo(next)
	return staleRef(m[2], p.Short(m[4], 400))
}

// IsGone reports whether an error is that of a ref whose element is gone: to one who waits for that, or asks
// whether it is there, this is the answer.
func IsGone(err error) bool {
	return err != nil && strings.Contains(err.Error(), " is stale: its element is gone")
}

// usedUpTo stores that the engine has given refs below next by itself, in one of the page's documents.
func (r *pageRefs) usedUpTo(next int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next[""] = max(r.next[""], next)
	for frame, n := range r.next {
		r.next[frame] = max(n, next)
	}
}

// gave reports whether an outline of any document of the page may have given a ref.
func (r *pageRefs) gave(ref string) bool {
	n, err := strconv.Atoi(ref[strings.LastIndex(ref, "e")+1:])
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, next := range r.next {
		if err == nil && n < next {
			return true
		}
	}
	return false
}

// SelectorOr is Selector. If the element of a ref is gone, it only tells a ref that no outline has given.
func (r *pageRefs) SelectorOr(sel string, gone bool) (string, error) {
	if !gone {
		return r.Selector(sel)
	}
	if m := reRef.FindStringSubmatch(sel); m != nil && !r.gave(m[2]) {
		return "", unknownRef(m[1] + m[2])
	}
	return "", nil
}
