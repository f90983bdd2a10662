package script

import (
	"sync"
	"time"
)

// loop runs jobs one after the other on a goroutine of its own: the only one
// that touches the engine.
type loop struct {
	mu     sync.Mutex
	jobs   []job
	events int // of the jobs
	wake   chan struct{}
	closed bool
	timers map[int64]*time.Timer
	lastID int64
	gone   chan struct{} // closed once nothing runs any more
}

// job is what is to be done on the loop; an event's may be left out.
type job struct {
	run   func()
	event bool
}

// maxTimers bounds the timers that a script has set, maxEvents the events that
// it has not come to yet.
const (
	maxTimers = 10_000
	maxEvents = 10_000
)

// newLoop makes a loop. atWork is called when it begins to run jobs, and what
// that returns when there are none left.
func newLoop(atWork func() (rest func())) *loop {
	l := &loop{wake: make(chan struct{}, 1), timers: map[int64]*time.Timer{}, gone: make(chan struct{})}
	go func() {
		defer close(l.gone)
		l.run(atWork)
	}()
	return l
}

func (l *loop) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// post queues a job. It never blocks, so event callbacks of Playwright may
// call it. A closed loop drops it, and post reports false.
func (l *loop) post(run func()) (taken bool) { return l.add(job{run, false}) }

// postEvent is post for what may be left out if there is too much of it.
func (l *loop) postEvent(run func()) (taken bool) { return l.add(job{run, true}) }

func (l *loop) add(j job) (taken bool) {
	l.mu.Lock()
	if taken = !l.closed && (!j.event || l.events < maxEvents); taken {
		l.jobs = append(l.jobs, j)
		if j.event {
			l.events++
		}
	}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
	return taken
}

func (l *loop) run(atWork func() (rest func())) {
	for range l.wake {
		rest := atWork()
		for {
			run, more := l.next()
			if !more {
				break
			}
			do(run)
		}
		rest()
		if l.isClosed() {
			return
		}
	}
}

// do runs a job. What it throws must not end the process, and with it every
// other session.
func do(job func()) {
	defer func() { _ = recover() }()
	job()
}

// next takes the job whose turn it is.
func (l *loop) next() (run func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || len(l.jobs) == 0 {
		return nil, false
	}
	j := l.jobs[0]
	l.jobs[0] = job{}
	l.jobs = l.jobs[1:]
	if j.event {
		l.events--
	}
	return j.run, true
}

// after runs something in d, and again every d if repeat is set. It answers 0 where
// there are too many timers.
func (l *loop) after(d time.Duration, repeat bool, run func()) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.timers) >= maxTimers {
		return 0
	}
	l.lastID++
	id := l.lastID
	var fire func()
	fire = func() {
		l.post(func() {
			l.mu.Lock()
			t := l.timers[id]
			if t != nil && !repeat {
				delete(l.timers, id)
			}
			l.mu.Unlock()
			if t == nil {
				return // cleared meanwhile
			}
			run()
			if repeat {
				l.mu.Lock()
				if l.timers[id] != nil {
					l.timers[id] = time.AfterFunc(d, fire)
				}
				l.mu.Unlock()
			}
		})
	}
	l.timers[id] = time.AfterFunc(d, fire)
	return id
}

func (l *loop) clear(id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t := l.timers[id]; t != nil {
		t.Stop()
		delete(l.timers, id)
	}
}

// clearAll stops every timer: they end with the call that set them.
func (l *loop) clearAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, t := range l.timers {
		t.Stop()
		delete(l.timers, id)
	}
}

func (l *loop) close() {
	l.clearAll()
	l.mu.Lock()
	l.closed = true
	l.jobs = nil
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}
