package wire

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"sync"

	"pwpipe/provider"
)

// Bounds of the queue, so that a client that does not read, or one that never stops
// writing, can't take more memory than this.
const (
	maxPending  = 1024     // requests read and not yet answered
	maxInBytes  = 64 << 20 // their bytes
	maxOutBytes = 8 << 20  // replies not yet written; above it nothing new starts
	maxRunning  = 32       // requests running at once
)

// Pages tells the lanes about pages. The handlers implement it.
type Pages interface {
	Active() string    // handle of the active page, "" before the first
	Known(string) bool // whether the handle names a page, open or closed
}

// Lanes keeps the order of requests and replies of one stream.
//
//   - Requests that name no page run one after the other.
//   - Requests that name a page run in order among themselves, and in parallel
//     with other pages.
//   - A request on the active page's handle and one that names no page act on
//     the same page, so they keep their order too; and a handle that is not
//     known yet may be the work of an earlier request, which is waited for.
//   - A request that names its page by a label waits for all before it, and all
//     after it wait: a label may be given, or be free again, by any of them.
//   - Requests that only read do not wait for each other.
//   - Replies of a lane leave in the order of its requests; only a cancelled
//     request is answered at once.
type Lanes struct {
	pages Pages
	mu    sync.Mutex
	room  sync.Cond // signalled when pending, bytes or outbox shrink

	pending  []*job // submitted, in order, until finished and answered
	ready    []*job // ready to start when a slot is free
	running  int
	inBytes  int
	outBytes int                        // replies that may be sent and have not been written
	held     int                        // replies that wait for an earlier one of their lane
	lanes    map[string][]*job          // unanswered jobs of a lane, in order
	turns    map[string]<-chan struct{} // of the lane's read that started last

	outside int // expected answers outside of any lane

	out     io.Writer
	outbox  []output
	wake    chan struct{}
	stopped bool // strict mode had an error, or the output failed
	strict  bool
	failed  bool  // an error reply was sent
	err     error // of the output
	onStop  func()
	done    chan struct{}
	closing bool
}

// job is one line of input: a request, or a batch.
type job struct {
	touches []provider.Touch
	ids     []json.RawMessage // the id that a cancel may name
	size    int
	run     func(ctx context.Context) Reply
	// cancelled makes the reply of a job that is cancelled before its end. It is nil if
	// only the job's members can be cancelled.
	cancelled func() Reply
	ctx       context.Context
	cancel    context.CancelFunc
	written   func() // its reply: see [Answering]

	lane     string
	waits    int
	blocks   []*job
	started  bool
	finished bool
	answered bool
	reply    Reply
}

// newLanes starts lanes that write replies to out. onStop is called once, when the
// output fails or, in strict mode, after the first error.
func newLanes(pages Pages, out io.Writer, strict bool, onStop func()) *Lanes {
	l := &Lanes{pages: pages, out: out, strict: strict, onStop: onStop,
		lanes: map[string][]*job{}, turns: map[string]<-chan struct{}{},
		wake: make(chan struct{}, 1), done: make(chan struct{})}
	l.room.L = &l.mu
	go l.write()
	return l
}

// submit queues a job. It blocks while the queue is full.
func (l *Lanes) submit(ctx context.Context, j *job) {
	j.ctx, j.written = provider.Answering(provider.WithOthers(ctx, func() bool { return l.othersWait(j) }))
	j.ctx, j.cancel = context.WithCancel(j.ctx)
	context.AfterFunc(ctx, j.written) // the stream has ended
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.stopped && len(l.pending) > 0 && (len(l.pending) >= maxPending || l.inBytes+j.size > maxInBytes) {
		l.room.Wait()
	}
	if l.stopped {
		j.cancel()
		return
	}
	active, switching := l.pages.Active(), false
	for _, e := range l.pending {
		for _, t := range e.touches {
			switching = switching || !e.finished && t.Page == "" && t.Effect == provider.Switches
		}
	}
	for _, e := range l.pending {
		if !e.finished && l.conflict(e, j, active, switching) {
			e.blocks = append(e.blocks, j)
			j.waits++
		}
	}
	j.lane = laneOf(j)
	l.pending = append(l.pending, j)
	l.lanes[j.lane] = append(l.lanes[j.lane], j)
	l.inBytes += j.size
	if j.waits == 0 {
		l.ready = append(l.ready, j)
	}
	l.start()
}

// othersWait reports whether other jobs wait for the end of one.
func (l *Lanes) othersWait(j *job) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(j.blocks, func(b *job) bool { return !b.finished })
}

func (l *Lanes) conflict(earlier, later *job, active string, switching bool) bool {
	for _, e := range earlier.touches {
		for _, r := range later.touches {
			if blocks(e, r, l.pages, active, switching) {
				return true
			}
		}
	}
	return false
}

// start runs the ready jobs. The lock is held.
func (l *Lanes) start() {
	for len(l.ready) > 0 && l.running < maxRunning && l.outBytes < maxOutBytes &&
		(l.held < maxOutBytes || l.running == 0) { // held jobs may wait for the ready one
		j := l.ready[0]
		l.ready = l.ready[1:]
		if j.finished { // cancelled while it waited
			continue
		}
		j.started = true
		l.running++
		ctx, turn := l.turnFor(j)
		go func() {
			r := j.run(ctx)
			turn.Pass()
			j.cancel()
			l.mu.Lock()
			defer l.mu.Unlock()
			l.running--
			l.finish(j, r)
		}()
	}
}

// finish stores a job's reply, sends the replies that may leave, and starts the jobs
// that waited for it. The lock is held.
func (l *Lanes) finish(j *job, r Reply) {
	if !j.finished {
		j.finished = true
		for _, b := range j.blocks {
			if b.waits--; b.waits == 0 {
				l.ready = append(l.ready, b)
			}
		}
		j.blocks = nil
	}
	if !j.answered {
		j.reply = r
		l.held += len(r.Line)
	}
	l.forget(j)
	l.release(j.lane)
	l.start()
}

// release sends the replies at the head of a lane. The lock is held.
func (l *Lanes) release(lane string) {
	queue := l.lanes[lane]
	for len(queue) > 0 && (queue[0].finished || queue[0].answered) {
		if j := queue[0]; !j.answered {
			l.held -= len(j.reply.Line)
			l.answer(j)
		}
		queue = queue[1:]
	}
	if len(queue) == 0 {
		delete(l.lanes, lane)
		delete(l.turns, lane)
		return
	}
	l.lanes[lane] = queue
}

// answer gives a job's reply to the writer. The lock is held.
func (l *Lanes) answer(j *job) {
	j.answered = true
	l.forget(j)
	if !l.stopped && j.reply.Line != nil {
		l.push(output{j.reply.Line, j.written})
	} else {
		j.written()
	}
	if j.reply.Failed && l.strict {
		l.stop()
	}
	l.failed = l.failed || j.reply.Failed
	l.room.Broadcast()
}

// forget removes a finished and answered job from the list. A job that was cancelled
// while it ran stays: later jobs wait for its end.
func (l *Lanes) forget(j *job) {
	i := slices.Index(l.pending, j)
	if i < 0 || !j.finished || !j.answered {
		return
	}
	l.pending = slices.Delete(l.pending, i, i+1)
	l.inBytes -= j.size
	l.room.Broadcast()
}

// cancel cancels the newest unanswered request with that id and answers it at once. It
// reports whether there was one.
func (l *Lanes) cancel(id json.RawMessage) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := len(l.pending) - 1; i >= 0; i-- {
		j := l.pending[i]
		for _, own := range j.ids {
			if string(own) != string(id) || j.answered {
				continue
			}
			if j.cancelled == nil {
				return false
			}
			j.cancel()
			j.reply = j.cancelled()
			l.answer(j)
			if !j.started {
				l.finish(j, Reply{})
			}
			l.release(j.lane)
			return true
		}
	}
	return false
}

// stop drops queued jobs and cancels running ones. The lock is held.
func (l *Lanes) stop() {
	if l.stopped {
		return
	}
	l.stopped = true
	for _, j := range l.pending {
		j.cancel()
		if !j.started {
			j.finished, j.answered = true, true
		}
	}
	l.ready = nil
	go l.onStop()
	l.room.Broadcast()
	l.push(output{})
}

// drain waits until everything submitted has been answered and written. It reports
// whether any reply was an error, and the output's own error.
func (l *Lanes) drain() (failed bool, err error) {
	l.mu.Lock()
	for !l.stopped && len(l.pending)+l.outside > 0 {
		l.room.Wait()
	}
	l.closing = true
	l.push(output{})
	l.mu.Unlock()
	<-l.done
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed, l.err
}

// turnFor is the context of a job that is about to run, with its turn. A job that does
// not only read has none: jobs that run beside it use other pages. The lock is held.
func (l *Lanes) turnFor(j *job) (context.Context, *provider.Turn) {
	if len(j.touches) != 1 || j.touches[0].Effect != provider.Reads {
		return j.ctx, nil
	}
	lane := j.lane
	if lane != "" && lane == l.pages.Active() {
		lane = ""
	}
	ctx, t := provider.WithTurn(j.ctx, l.turns[lane])
	l.turns[lane] = t.Passed()
	return ctx, t
}

// blocks reports whether a later call must wait for this one on a stream, which also
// keeps the order of replies. switching: a call that chooses pages is running.
func blocks(e, later provider.Touch, pages Pages, active string, switching bool) bool {
	if e.Any || later.Any {
		return e.Page != later.Page || e.Effect != provider.Reads || later.Effect != provider.Reads
	}
	if e.Page == "" && later.Page != "" && !pages.Known(later.Page) {
		return true // it may be about to open that very page
	}
	if e.Effect == provider.Reads && later.Effect == provider.Reads {
		return false
	}
	if later.Target != "" && later.Target == e.Page || e.Target != "" && e.Target == later.Page {
		return true
	}
	switch {
	case e.Page == later.Page:
		return true
	case e.Page == "":
		return e.Effect == provider.Switches || later.Page == active
	case later.Page == "":
		return e.Page == active || switching
	}
	return false
}

// laneOf is the lane whose order the reply keeps.
func laneOf(j *job) string {
	lane := j.touches[0].Page
	for _, t := range j.touches {
		if t.Page != lane {
			return ""
		}
	}
	return lane
}
