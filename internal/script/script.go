// Package script runs JavaScript that drives a browser as people write it for
// Playwright, in an engine of its own: no Node, and no object but those given.
//
// A [Runtime] keeps an engine (goja), its event loop and the script's state
// from call to call. The bridge maps the JavaScript API onto playwright-go by
// reflection; prelude.js has what the two spell too differently. Every wait
// ends with the call's deadline: an endless loop is interrupted, a promise that
// does not settle is left behind, and calls into Playwright are given no more
// time than is left.
package script

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/dop251/goja"
	"github.com/playwright-community/playwright-go"
	"golang.org/x/text/collate"
)

// The bounds of a script. maxMemory is how much the process may grow while one
// runs, in bytes; maxDepth is in calls; maxOutput in bytes of console text.
const (
	maxMemory = 512 << 20
	maxDepth  = 1500
	maxOutput = 1 << 20
)

// Host is what a script can reach besides the browser.
type Host struct {
	// Assertions makes expect(locator) and its kin.
	Assertions playwright.PlaywrightAssertions
	// Helpers are functions of the page at hand, by name: arguments come as
	// the script gave them, results are what Value turns into JSON, or a
	// []byte, or a value of playwright-go.
	Helpers map[string]func(ctx context.Context, args []any) (any, error)
	// Plain are functions that answer at once: they may not call the browser.
	Plain map[string]func(args []any) (any, error)
	// Selector turns refs into selectors of the driver's.
	Selector func(page playwright.Page, sel string) (string, error)
	// Frames are a page's frames, the main frame first.
	Frames func(page playwright.Page) []playwright.Frame
	// Loaded waits until a frame has reached a load state.
	Loaded func(ctx context.Context, f playwright.Frame, state string, within time.Duration) error
	// Rules judge what leads out of a script. They are asked on the script's
	// goroutine, so they may not call the browser.
	Rules Rules
	// HAR reads a HAR that is to be replayed and answers the path of a copy
	// that is safe to hand on, there until done is called.
	HAR func(path string) (usable string, done func(), err error)
	// Recorded is told of HARs that scripts have had recorded; nil for none.
	Recorded func(c playwright.BrowserContext, path string)
	// Reword puts right what the browser said of a URL that it could not reach.
	Reword func(self any, url string, err error) error
	// Folders are those in which scripts may read and write files: relative
	// paths begin in the first, the last is for temporary ones.
	Folders []string
	// Mask hides secrets in texts that scripts write to files; nil for none.
	Mask func(string) string
	// Explain says what is the matter with the element that a call waited for
	// in vain with an error, "" if it can't be told at once.
	Explain func(l playwright.Locator, sel string, err error) string
	// Describe words a page for a result.
	Describe func(page playwright.Page) string
	// Unlisted tells the names that the listing of a folder leaves out.
	Unlisted func(name string) bool
	// Shared tells the folders that hold what is others' too: they can't be
	// removed, moved or uploaded as a whole.
	Shared func(path string) bool
	// Spent is told when the engine was given up between calls, and why.
	Spent func(why error)
	// Own is what of the browser is the script's to use.
	Own Own
}

// Line is a line that a script wrote to the console.
type Line struct {
	Level string `json:"level" doc:"log, info, warn, error, …"`
	Text  string `json:"text" doc:"line"`
}

// Result is what a script answered.
type Result struct {
	Value   json.RawMessage // nil for undefined
	Console []Line
	Images  [][]byte
}

// Runtime is an engine and what a script keeps in it.
type Runtime struct {
	host Host
	loop *loop
	vm   *goja.Runtime

	builtin builtin
	protos  map[string]*goja.Object
	held    held
	handles map[any]*goja.Object // pages and contexts, which scripts compare

	listeners    map[int]func() // what ends them, by number
	lastListener int

	defaults  map[any]*defaults            // of pages and contexts, set by scripts
	collators map[string]*collate.Collator // of localeCompare, by locale and options

	natives natives // the engine's own functions, and their bounds
	turning turning
	watched

	back    atomic.Pointer[chan struct{}] // closed when the engine has come back from an interrupt
	one     chan struct{}                 // holds a token while a script runs: one at a time
	closed  chan struct{}                 // closed with the runtime
	closing sync.Once
	dialogs dialogs

	// Of the script that runs; touched on the loop.
	call     *execution
	rejected map[*goja.Promise]bool // promises that nobody has caught yet
}

// New makes a runtime with an empty state.
func New(host Host) (*Runtime, error) {
	r := bare(host)
	if err := r.enlist(); err != nil {
		r.loop.close()
		return nil, err
	}
	ready := make(chan error, 1)
	r.loop.post(func() { ready <- r.setUp() })
	if err := <-ready; err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// bare is a runtime whose engine is still to be set up.
func bare(host Host) *Runtime {
	raiseStack()
	r := &Runtime{host: host, one: make(chan struct{}, 1), closed: make(chan struct{}), vm: goja.New(), protos: map[string]*goja.Object{}, handles: map[any]*goja.Object{},
		held: held{of: map[weak.Pointer[goja.Object]]any{}}, listeners: map[int]func(){}, rejected: map[*goja.Promise]bool{},
		collators: map[string]*collate.Collator{}, defaults: map[any]*defaults{}}
	r.measured = allocated()
	r.loop = newLoop(r.atWork)
	return r
}

var errClosed = errors.New("the session was closed while the script ran")

// Close ends the runtime. Scripts that run end with an error.
func (r *Runtime) Close() {
	r.closing.Do(func() { close(r.closed) })
	r.strike()
	r.loop.close()
	r.stop(errClosed)
}
