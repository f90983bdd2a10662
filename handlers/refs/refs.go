// Package refs turns the refs of a snapshot (e5) into selectors that stay with
// their elements.
package refs

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// refEngine is the selector engine "ref": see the file. docs/agent.md says what
// Playwright's own refs lack. These stay with their element for as long as it lives,
// and are never given twice.
//
//go:embed refs.js
var refEngine string

// labels is the part of it that draws labels.
//
//go:embed labels.js
var labels string

// highlight is the part of it that marks elements for people.
//
//go:embed highlight.js
var highlight string

// seen is the part of it that finds what Playwright's tree leaves out.
//
//go:embed seen.js
var seen string

//go:embed walk.js
var walk string

//go:embed facts.js
var facts string

// Walk is the part of it that makes the tree; tests compare it with Playwright's own.
func Walk() string { return strings.Replace(walk, "FACTS(", "("+facts+")(", 1) }

// kept is the part of it that says what may have changed since the last tree.
//
//go:embed kept.js
var kept string

// about is the part of it that describes elements, and finds them again.
//
//go:embed about.js
var about string

// Engine is the source of the engine, for code that makes an injected script
// without the driver.
func Engine() string {
	return strings.NewReplacer("LABELS", "("+labels+")", "HIGHLIGHT", "("+highlight+")",
		"SEEN(", "("+seen+")(", "WALK(", "("+Walk()+")(", "KEPT(", "("+kept+")(",
		"ABOUT(", "("+about+")(").Replace(refEngine)
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
	r := &pageRefs{}
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
	if r.frames == nil {
		r.frames, r.byFrame = map[string]string{}, map[string]string{}
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
	r.frames, r.byFrame = nil, nil
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
	if r.next == nil {
		r.next = map[string]int{}
	}
	r.next[frame] = max(r.next[frame], next)
}

var (
	// reRef is a selector, or the first part of one, that is a ref: e5, f1e5, ref=e5,
	// aria-ref=e5, [ref=e5], and @e5 as agent-browser has it.
	reRef = regexp.MustCompile(`^\s*(?:(?:aria-)?ref=|\[ref=|@)?(f\d+)?(e\d+)\]?\s*(>>.*)?$`)
	// reInner finds refs in later parts of a selector.
	reInner = regexp.MustCompile(`>>\s*aria-ref=`)
)

// TheirRef begins a selector of an element by its ref in a snapshot of Playwright's own,
// whose numbers are not ours.
const TheirRef = "playwright-ref="

var reTheirs = regexp.MustCompile(`^playwright-ref=((?:f\d+)?e\d+)($| >> )`)

// EnterFrame is what Playwright's frameLocator puts behind an iframe.
const EnterFrame = " >> internal:control=enter-frame >> "

// longestSelector is the longest selector, in bytes. The driver parses each selector,
// for all sessions, and takes seconds for one with a hundred thousand parts.
const longestSelector = 10_000

// Bound refuses a selector that is too long. [pageRefs.Selector] does this too; Bound
// is for selectors that don't pass there.
func Bound(sel string) error {
	if len(sel) > longestSelector {
		return provider.Errorf(provider.KindLimit,
			"the selector has %d bytes, and the limit is %d", len(sel), longestSelector)
	}
	return nil
}

// Selector turns a selector as people write it into one for the driver: refs, and the
// engines of locate.go.
func (r *pageRefs) Selector(sel string) (string, error) {
	if err := Bound(sel); err != nil {
		return "", err
	}
	if reTheirs.MatchString(sel) {
		return reTheirs.ReplaceAllString(sel, "aria-ref=$1$2"), nil
	}
	m := reRef.FindStringSubmatch(sel)
	if m == nil {
		return engines(reInner.ReplaceAllString(sel, ">> ref=")), nil
	}
	out := "ref=" + m[2]
	if m[1] != "" {
		r.mu.Lock()
		iframe := r.frames[m[1]]
		r.mu.Unlock()
		if iframe == "" {
			return "", staleRef(m[1] + m[2])
		}
		inner, err := r.Selector(iframe)
		if err != nil {
			return "", err
		}
		out = inner + EnterFrame + out
	}
	if m[3] != "" {
		out += " " + engines(reInner.ReplaceAllString(m[3], ">> ref="))
	}
	return out, nil
}

// Driver is a selector in the driver's form, as [pageRefs.Selector] makes it, where there
// is no page and so no refs.
func Driver(sel string) (string, error) {
	if reRef.MatchString(sel) {
		return "", fmt.Errorf("%q is a ref, which means nothing without its page", sel)
	}
	return engines(sel), Bound(sel)
}

// staleRef is the error of a ref whose element is gone.
func staleRef(ref string) *provider.Error {
	return provider.Errorf(provider.KindFailed, "ref %s is stale: its element is gone", ref).
		WithHint("the page may have navigated or changed; take a ref of the newest outline, or call snapshot")
}

var reStale = regexp.MustCompile(`stale ref (e\d+)`)

// AsStale recognises the engine's error for a stale ref; nil for other errors.
func AsStale(head string) *provider.Error {
	m := reStale.FindStringSubmatch(head)
	if m == nil {
		return nil
	}
	return staleRef(m[1])
}

// Rewritten maps the driver's selectors of a call to the selectors as given.
type Rewritten map[string]string

// AsGiven makes an error name the selectors as the caller wrote them.
func (made Rewritten) AsGiven(err error) error {
	var e *provider.Error
	if len(made) == 0 || !errors.As(err, &e) {
		return err
	}
	own := *e
	for sel, given := range made {
		for _, text := range []*string{&own.Msg, &own.Hint} {
			*text = strings.ReplaceAll(*text, strconv.Quote(sel), strconv.Quote(given))
			if strings.Contains(sel, "internal:") { // others may stand in it by chance
				*text = strings.ReplaceAll(*text, sel, given)
			}
		}
	}
	return &own
}
