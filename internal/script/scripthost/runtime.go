// Package scripthost runs scripts on the real Playwright, in one Node process a
// session that is connected to the session's virtual browser.
//
// The process is a sandboxed process (package nodesandbox): all that it has are the descriptors that
// connect it with us. DevTools messages go over one pair, judged by package
// virtual; calls both ways over another, and those that it waits for without
// going on over a third. What it wants of files, of the network and of our
// helpers it asks us for, and what comes from it is taken for hostile: frames,
// calls and what is held for them are bounded, and what is no call of ours ends
// it.
package scripthost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"pwpipe/internal/script/nodesandbox"
)

// Runtime is a process and what a script keeps in it.
type Runtime struct {
	host     Host
	programs Programs
	cell     *nodesandbox.Cell
	scratch  string

	line    line
	control writer // to the process
	now     writer // answers to what it waits for
	stop    *os.File
	ours    []*os.File // our ends

	ready chan struct{} // closed when it takes scripts
	gone  chan struct{} // closed when it has ended
	one   chan struct{} // holds a token while a script runs: one at a time
	over  atomic.Int64  // what it held when it was ended for that
	said  lastWords

	stopped atomic.Bool // a script was stopped

	ctx  context.Context // ends with the process
	end  context.CancelFunc
	once sync.Once
	held atomic.Int64  // bytes of frames that are being worked on
	busy chan struct{} // holds a token for each call that is being worked on

	mu      sync.Mutex
	why     error // why it was ended
	waiting map[int64]chan frame
	run     *run
	tunnels tunnels
	films   films

	lowering sync.Mutex // held while types are removed from a source
}

// run is a script that runs.
type run struct {
	id      int64
	ctx     context.Context
	mu      sync.Mutex
	console []Line
	bytes   int
	wrote   []string // files, the newest last; the runtime's lock guards it
}

// Errors of scripts that did not end by themselves.
var (
	// ErrLost is joined to the error of a script whose process had to be ended.
	ErrLost = errors.New("the process of the scripts has ended, and state is empty")
	// ErrMemory is the error of a process that held too much.
	ErrMemory = errors.New("the scripts of this session hold too much memory")
	// ErrNotBegun is the error of a script whose process had ended before.
	ErrNotBegun = errors.New("the script did not begin")

	errFailed = errors.New("the process of the scripts failed")
	errStuck  = errors.New("a script did not stop")
	errEnded  = errors.New("the process of the scripts has ended")
	errClosed = errors.New("the session was closed while the script ran")
)

// maxOutput bounds the console of a run, in bytes.
const maxOutput = 1 << 20

// Start starts a process. It takes scripts at once: they wait until it is ready.
func Start(host Host, programs Programs) (*Runtime, error) {
	r := &Runtime{host: host, programs: programs, ready: make(chan struct{}), gone: make(chan struct{}), one: make(chan struct{}, 1),
		busy: make(chan struct{}, mostCalls), waiting: map[int64]chan frame{}}
	r.ctx, r.end = context.WithCancel(context.Background())
	if err := r.start(); err != nil {
		r.end()
		return nil, fmt.Errorf("starting the process of the scripts: %w", err)
	}
	return r, nil
}

// Began reports whether the process has come to take scripts.
func (r *Runtime) Began() bool {
	select {
	case <-r.ready:
		return true
	default:
		return false
	}
}

// Gone is closed when the process has ended.
func (r *Runtime) Gone() <-chan struct{} { return r.gone }

// PID is the process's id.
func (r *Runtime) PID() int { return r.cell.PID() }

// Close ends the process. A script that runs ends with an error.
func (r *Runtime) Close() { r.kill(errClosed) }

// kill ends the process, and says why.
func (r *Runtime) kill(why error) {
	r.once.Do(func() {
		r.mu.Lock()
		r.why = why
		r.mu.Unlock()
		if r.cell != nil {
			r.cell.Kill()
		}
		r.end()
	})
}

// Page says on what a script runs.
type Page struct {
	Target   string // Chromium's id of the page
	Width    int    // of its viewport, 0 where it has none of its own
	Height   int
	Contexts []string // those of the session that have no page, by Chromium's ids
}

// Run runs code on a page: an expression, or statements of which the last may
// be one, with await. It returns when the code has ended, with what it
// returned, or when ctx ends.
func (r *Runtime) Run(ctx context.Context, page Page, code string) (Result, error) {
	select {
	case r.one <- struct{}{}:
	case <-ctx.Done(): // it was not its turn before its time was over
		return Result{}, ctx.Err()
	}
	release := func() { <-r.one }
	defer func() { release() }()
	select {
	case <-r.ready:
	case <-r.gone:
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
	select {
	case <-r.gone:
		return Result{}, fmt.Errorf("%w: %w", ErrNotBegun, r.lost())
	default:
	}
	x := &run{ctx: ctx, id: number()}
	r.mu.Lock()
	r.run = x
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.run = nil
		r.mu.Unlock()
		for _, path := range x.wrote {
			if r.host.Wrote != nil {
				r.host.Wrote(ctx, path)
			}
		}
	}()
	q := runCall{ID: x.id, Page: page.Target, Contexts: page.Contexts, Left: time.Hour.Milliseconds()}
	if deadline, ok := ctx.Deadline(); ok {
		q.Left = max(1, time.Until(deadline).Milliseconds())
	}
	if page.Width > 0 && page.Height > 0 {
		q.Viewport = &Size{page.Width, page.Height}
	}
	done := r.endLeft()
	f, err := r.call(ctx, "run", q, []byte(code))
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
	x.mu.Lock()
	res := Result{Console: slices.Clone(x.console)}
	x.mu.Unlock()
	if err != nil {
		return res, err
	}
	return res, readOutcome(f, &res)
}

type runCall struct {
	ID       int64    `json:"id"`
	Page     string   `json:"page"`
	Contexts []string `json:"contexts,omitempty"`
	Left     int64    `json:"left"`
	Viewport *Size    `json:"viewport,omitempty"`
}

// lost is the error of a script whose process has ended.
func (r *Runtime) lost() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.over.Load() > 0 && r.over.Load() <= r.programs.Memory && r.programs.Together != nil:
		return fmt.Errorf("%w: %d MiB, and more than %d MiB with those of other sessions; %w", ErrMemory, r.over.Load()>>20, r.programs.Together.Memory>>20, ErrLost)
	case r.over.Load() > 0:
		return fmt.Errorf("%w: %d MiB, %d are the most; %w", ErrMemory, r.over.Load()>>20, r.programs.Memory>>20, ErrLost)
	case r.why != nil && !errors.Is(r.why, errEnded):
		return fmt.Errorf("%w; %w", r.why, ErrLost)
	}
	if why := r.said.why(r.cell.Wait()); why != "" {
		return fmt.Errorf("%w: %s", ErrLost, why)
	}
	return ErrLost
}

// outcome of a run, as it comes.
type outcome struct {
	Thrown  bool   `json:"thrown"`
	Stopped bool   `json:"stopped"`
	Late    bool   `json:"late"`
	Name    string `json:"name"`
	Message string `json:"message"`
	Line    int    `json:"line"`
	Value   int    `json:"value"`
	Images  []int  `json:"images"`
}

// readOutcome reads what a script ended with.
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
