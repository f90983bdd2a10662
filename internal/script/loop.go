package script

import (
	"sync"
	"time"
)

// loop runs jobs one after the other on a goroutine of its own: the only one
// that touches the engine.
type loop struct {
	mu     sync.Mutex
	jobs   []func()
	wake   chan struct{}
	closed bool
	timers map[int64]*time.Timer
	lastID int64
}

func newLoop() *loop {
	l := &loop{wake: make(chan struct{}, 1), timers: map[int64]*time.Timer{}}
	go l.run()
	return l
}

// post queues a job. It never blocks, so event callbacks of Playwright may
// call it. A closed loop drops it, and post reports false.
func (l *loop) post(job func()) (taken bool) {
	l.mu.Lock()
	if taken = !l.closed; taken {
		l.jobs = append(l.jobs, job)
	}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
	return taken
}

func (l *loop) run() {
	for range l.wake {
		for {
			l.mu.Lock()
			if l.closed {
				l.mu.Unlock()
				return
			}
			if len(l.jobs) == 0 {
				l.mu.Unlock()
				break
			}
			job := l.jobs[0]
			l.jobs = l.jobs[1:]
			l.mu.Unlock()
			do(job)
		}
	}
}

// do runs a job. What it throws must not end the process, and with it every
// other session.
func do(job func()) {
	defer func() { _ = recover() }()
	job()
}

// after runs a job in d, and again every d if repeat is set.
func (l *loop) after(d time.Duration, repeat bool, job func()) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
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
			job()
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
