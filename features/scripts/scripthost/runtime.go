// Package scripthost runs scripts on the real Playwright, in one Node process a
// session that is connected to the session's virtual browser.
//
// The process runs in a sandbox (package nodesandbox): all that it has are the descriptors
// that connect it with us. DevTools messages go over one pair, judged by package cdpview;
// calls both ways over another; and the calls for which it blocks over a third. It asks us
// for files, for the network and for our helpers. What comes from it is taken for hostile:
// frames, calls and what is held for them are bounded, and a call that we do not know ends
// it.
package scripthost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Runtime is a process, the scripts that wait for it, and what they keep in it. Each part
// has its own lock, and holds it across no call of another part.
type Runtime struct {
	host    Host
	process process
	calls   calls
	queue   queue
	line    line
	tunnels tunnels
	films   films

	lowering sync.Mutex // held while types are removed from a source
}

// Errors of scripts that did not end by themselves.
var (
	// ErrLost is joined to the error of a script whose process had to be ended.
	ErrLost = errors.New("the script process ended, and state is empty")
	// ErrMemory is the error of a process that held too much.
	ErrMemory = errors.New("the scripts of this session hold too much memory")
	// ErrNotBegun is the error of a script whose process had ended before.
	ErrNotBegun = errors.New("the script did not start")

	errFailed = errors.New("the script process failed")
	errStuck  = errors.New("a script did not stop")
	errEnded  = errors.New("the script process ended")
	errClosed = errors.New("the session was closed while the script ran")
)

// Start starts a process. It takes scripts at once: they wait until it is ready.
func Start(host Host, programs Programs) (*Runtime, error) {
	r := newRuntime(host, programs)
	if err := r.start(); err != nil {
		r.process.end(errEnded)
		return nil, fmt.Errorf("starting the script process: %w", err)
	}
	return r, nil
}

func newRuntime(host Host, programs Programs) *Runtime {
	r := &Runtime{host: host, process: process{programs: programs, gone: make(chan struct{})}}
	r.process.ctx, r.process.end = context.WithCancelCause(context.Background())
	r.calls = calls{busy: make(chan struct{}, maxCalls), waiting: map[int64]chan frame{}}
	r.tunnels.open = map[int64]tunnel{}
	r.films.counted, r.films.open = map[*countedFilm]bool{}, map[int64]*countedFilm{}
	r.queue = queue{turn: make(chan struct{}, 1), ready: make(chan struct{})}
	return r
}

// Began reports whether the process has come to take scripts.
func (r *Runtime) Began() bool { return isClosed(r.queue.ready) }

// Gone is closed when the process has ended.
func (r *Runtime) Gone() <-chan struct{} { return r.process.gone }

// PID is the process's id.
func (r *Runtime) PID() int { return r.process.cell.PID() }

// Close ends the process. A script that runs ends with an error.
func (r *Runtime) Close() { r.process.kill(errClosed) }

// Page says on what a script runs.
type Page struct {
	Target   string // Chromium's id of the page
	Width    int    // of its viewport, 0 if it has none of its own
	Height   int
	Contexts []string // contexts of the session that have no page, by Chromium's ids
}

// Run runs code on a page: an expression, or statements that may end with one; with await.
// It returns when the code has ended, with its value, or when ctx ends.
func (r *Runtime) Run(ctx context.Context, page Page, code string) (Result, error) {
	release, err := r.queue.enter(ctx, r.process.gone)
	if err != nil {
		return Result{}, err
	}
	defer func() { release() }()
	if isClosed(r.process.gone) {
		return Result{}, fmt.Errorf("%w: %w", ErrNotBegun, r.process.lost())
	}
	x := &run{ctx: ctx, id: number()}
	r.queue.running.Store(x)
	defer func() {
		r.queue.running.Store(nil)
		for _, path := range x.files() {
			if r.host.Wrote != nil {
				r.host.Wrote(ctx, path)
			}
		}
	}()
	done := r.interruptStopped()
	f, err := r.call(ctx, "run", newRunCall(ctx, x.id, page), []byte(code))
	done()
	if err != nil && ctx.Err() != nil {
		var settled <-chan struct{}
		if settled, err = r.halt(ctx, x); settled != nil { // the next one waits for it
			free := release
			release = func() {
				go func() { <-settled; free() }()
			}
		}
	}
	res := Result{Console: x.lines()}
	if err != nil {
		return res, err
	}
	return res, readOutcome(f, &res)
}

type runCall struct {
	ID        int64    `json:"id"`
	Page      string   `json:"page"`
	Contexts  []string `json:"contexts,omitempty"`
	Remaining int64    `json:"left"` // milliseconds
	Viewport  *Size    `json:"viewport,omitempty"`
}

func newRunCall(ctx context.Context, id int64, page Page) runCall {
	q := runCall{ID: id, Page: page.Target, Contexts: page.Contexts, Remaining: time.Hour.Milliseconds()}
	if deadline, ok := ctx.Deadline(); ok {
		q.Remaining = max(1, time.Until(deadline).Milliseconds())
	}
	if page.Width > 0 && page.Height > 0 {
		q.Viewport = &Size{page.Width, page.Height}
	}
	return q
}

type outcome struct {
	Thrown  bool   `json:"thrown"`
	Stopped bool   `json:"stopped"`
	Late    bool   `json:"late"`
	Name    string `json:"name"`
	Message string `json:"message"`
	Line    int    `json:"line"`
	Value   int    `json:"value"`
	Images  []int  `json:"images"`
	Went    string `json:"went"`
	Clicked bool   `json:"clicked"`
}

func readOutcome(f frame, res *Result) error {
	o, err := decode[outcome](f)
	if err != nil {
		return errFrame
	}
	if o.Late { // the page was not there in time
		return context.DeadlineExceeded
	}
	if o.Stopped {
		return context.Canceled
	}
	if o.Thrown {
		return o.failure()
	}
	res.Went, res.Clicked = o.Went, o.Clicked
	rest := f.raw
	take := func(n int) ([]byte, bool) {
		if n < 0 || n > len(rest) {
			return nil, false
		}
		part := rest[:n]
		rest = rest[n:]
		return part, true
	}
	value, ok := take(o.Value)
	if !ok || len(value) > 0 && !json.Valid(value) {
		return errFrame
	}
	if len(value) > 0 {
		res.Value = value
	}
	for _, n := range o.Images {
		img, ok := take(n)
		if !ok {
			return errFrame
		}
		res.Images = append(res.Images, img)
	}
	return nil
}
