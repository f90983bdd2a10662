package fastpath

import (
	"context"
	"encoding/json"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// question is one read.
type question struct {
	kind, sel string
	arg       any
	ctx       context.Context
	acts      bool        // it may change the page, as if a person did
	over      atomic.Bool // nobody waits for the answer
	answer    chan json.RawMessage
}

// MarshalJSON is the question as fastpath.js takes it.
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

// alone tells questions that act, and those that may take long for a reason of
// their own: a regular expression can. They have a message to themselves.
func (q *question) alone() bool { return q.acts || reEndless.MatchString(q.sel) }

var reEndless = regexp.MustCompile(`=\s*/[^/]|text-matches`)

// mostTogether bounds a message.
const mostTogether = 256

// reader asks a page's document. One message is under way at a time; what is
// asked meanwhile leaves together, in the order in which it was asked.
type reader struct {
	page     *browser.Page
	answered atomic.Int64
	sent     atomic.Int64
	document document // whoever flies has it

	mu      sync.Mutex
	waiting []*question
	flying  bool
}

var readers = browser.State[*browser.Page, reader]{New: func(p *browser.Page) *reader { return &reader{page: p} }}

// elsewhere reports that a read is the driver's from the start.
func (r *reader) elsewhere(ctx context.Context) bool {
	p := r.page
	if p.Direct() == nil || p.IsPaused() || ctx.Value(withoutKey{}) != nil {
		return true
	}
	_, avoid := avoided.Of(p.Session).Load(p.Context)
	return avoid
}

// ask puts a question behind the others, and has them sent.
func (r *reader) ask(q *question) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, q)
	if !r.flying {
		r.flying = true
		go r.fly()
	}
}

// fly sends what waits until nothing does.
func (r *reader) fly() {
	for list := r.next(); list != nil; list = r.next() {
		r.hand(list, r.send(list))
	}
}

// next takes what leaves together, nil for nothing.
func (r *reader) next() (list []*question) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, q := range r.waiting {
		own := !q.over.Load() && q.alone()
		if len(list) == mostTogether || own && len(list) > 0 {
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

// hand gives each question its answer; none is for the driver to give. What the
// document asks for again goes back to the head.
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

// What fastpath.js says for a question that did not fit, and for one whose answer is too
// long for anybody.
const (
	again = "1"
	long  = "2"
)

// ErrLong: an answer is too long. The driver is not to be asked.
var ErrLong = provider.Errorf(provider.KindFailed,
	"the result is longer than 33554432 characters, and no more are handed over").WithHint("ask for a part of it")

// longest bounds a message that gets no answer: those who asked have given up.
const longest = 10 * time.Second

// send asks the document, nil if it does not answer, or is not the one that the
// driver knows of: the guard looks where the page is by the driver's word, so
// nothing may be read of a page before that has come.
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
