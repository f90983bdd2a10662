package fastpath

import (
	"context"
	"encoding/json"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"pwpipe/handlers/browser"
)

// question is one read.
type question struct {
	kind, sel string
	arg       any
	ctx       context.Context
	acts      bool        // it may change the page, as a person would
	over      atomic.Bool // nobody waits for the answer
	answer    chan json.RawMessage
}

// MarshalJSON encodes the question for fastpath.js.
func (q *question) MarshalJSON() ([]byte, error) { return json.Marshal([]any{q.kind, q.sel, q.arg}) }

// wait is the answer, nil if there is none in time.
func (q *question) wait(most time.Duration) json.RawMessage {
	late := time.NewTimer(most)
	defer late.Stop()
	select {
	case raw := <-q.answer:
		return raw
	case <-late.C:
	case <-q.ctx.Done():
	}
	q.over.Store(true)
	return nil
}

// alone reports whether a question must be sent alone: it acts, or it may take long by
// itself, as a regular expression may.
func (q *question) alone() bool { return q.acts || reEndless.MatchString(q.sel) }

var reEndless = regexp.MustCompile(`=\s*/[^/]|text-matches`)

// reader asks a page's document. One message is pending at a time; questions that
// arrive meanwhile are sent together, in their order.
type reader struct {
	page     *browser.Page
	answered atomic.Int64
	sent     atomic.Int64
	document document // whoever runs fly owns it

	mu      sync.Mutex
	waiting []*question
	flying  bool
}

// Counted is what went straight to a page, past the driver, since it was opened: answers of its
// document and messages for them; clicks, and those of them that awaited no frame.
type Counted struct{ Answers, Messages, Clicks, Quiet int64 }

// Counts tells which way the calls on a page went.
func Counts(p *browser.Page) Counted {
	r, m := readers.Of(p), pointers.Of(p)
	m.mu.Lock()
	defer m.mu.Unlock()
	return Counted{r.answered.Load(), r.sent.Load(), m.made, m.quiet}
}

// elsewhere reports whether the driver must do a read from the start.
func (r *reader) elsewhere(ctx context.Context) bool {
	p := r.page
	if p.Direct() == nil || p.IsPaused() || ctx.Value(withoutKey{}) != nil {
		return true
	}
	_, avoid := avoided.Of(p.Session).Load(p.Context)
	return avoid && ctx.Value(unshownKey{}) == nil
}

// ask queues a question and starts sending.
func (r *reader) ask(q *question) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, q)
	if !r.flying {
		r.flying = true
		go r.fly()
	}
}

// fly sends queued questions until none is left.
func (r *reader) fly() {
	for list := r.next(); list != nil; list = r.next() {
		r.hand(list, r.send(list))
	}
}

// next takes the questions for the next message, nil for none.
func (r *reader) next() (list []*question) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, q := range r.waiting {
		own := !q.over.Load() && q.alone()
		if len(list) == maxTogether || own && len(list) > 0 {
			break
		}
		n++
		if !q.over.Load() {
			list = append(list, q)
		}
		if own {
			break
		}
	}
	r.waiting = r.waiting[n:]
	r.flying = list != nil
	return list
}

// hand gives each question its answer. Without an answer the driver is asked. Questions
// that did not fit go back to the head of the queue.
func (r *reader) hand(list []*question, answers []json.RawMessage) {
	for i, q := range list {
		switch {
		case i >= len(answers):
			q.answer <- nil
		case string(answers[i]) == again:
			r.mu.Lock()
			r.waiting = append(list[i:], r.waiting...)
			r.mu.Unlock()
			return
		case string(answers[i]) == long:
			q.answer <- answers[i]
		case len(answers[i]) > 2 && answers[i][0] == '[':
			q.answer <- answers[i][1 : len(answers[i])-1]
		default:
			q.answer <- nil
		}
	}
}

// send asks the document. It answers nil if the document does not answer, or differs
// from the driver's: the guard uses the driver's URL, so nothing may be read of a page
// before the driver knows it.
func (r *reader) send(list []*question) []json.RawMessage {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	asked, err := json.Marshal(list)
	if err != nil {
		return nil
	}
	r.sent.Add(1)
	answers := r.document.read(ctx, r.page, string(asked), list[0].acts)
	if len(answers) != len(list)+1 {
		return nil
	}
	var at string
	if json.Unmarshal(answers[0], &at) != nil || at == "" || at != r.page.PW.URL() {
		return nil
	}
	return answers[1:]
}
