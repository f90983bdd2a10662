package cdpview

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"pwpipe/internal/browser/cdp"
)

// take handles a message of the client. It reports whether the client stays.
func (b *browser) take(m []byte) bool {
	var q message
	if !utf8.Valid(m) || json.Unmarshal(m, &q) != nil || q.ID == nil {
		b.fail(q, codeInvalid, "a message is a JSON object with an integer as its id")
		return true
	}
	if deep(m) {
		why := "the message is over %d arrays and objects deep, which Chromium does not read"
		b.fail(q, codeInvalid, fmt.Sprintf(why, maxDeep))
		return true
	}
	if q.Session == "" {
		q.Session = b.targets.ownSession()
	}
	s := b.targets.session(q.Session)
	if s == nil || s.lost.Load() {
		b.fail(q, codeSession, "Session with given id not found.")
		return true
	}
	rule, offered := ruleFor(q.Method, s.root, s.lent)
	if !offered {
		b.fail(q, codeNoMethod, fmt.Sprintf("'%.100s' is not offered here", q.Method))
		return true
	}
	if err := b.queue.held.take(len(m)); err != nil {
		b.refuse(q, err)
		return true
	}
	q.held = len(m)
	waits, err := b.postpone(s, q, rule)
	if err != nil {
		b.queue.held.give(q.held)
		b.refuse(q, err)
	}
	return waits || err != nil || b.do(s, q, rule)
}

// postpone has a command that can't be judged yet be done later. It reports whether that
// is so.
func (b *browser) postpone(s *session, q message, rule rule) (waits bool, err error) {
	if q.Method == "Target.createTarget" {
		waits, err = b.queue.delay(s, q, rule)
	}
	if waits || err != nil || !s.lent || !concernsRealms(q) {
		return waits, err
	}
	return b.worlds.await(s, func() { b.do(s, q, rule) })
}

// do judges a command, and sends it to the browser. It reports whether the client stays.
func (b *browser) do(s *session, q message, rule rule) bool {
	c := &command{browser: b, session: s, method: q.Method}
	sent := false
	defer func() {
		if !sent {
			b.end(q)
		}
	}()
	if err := b.queue.begin(); err != nil {
		b.refuse(q, err)
		return true
	}
	var params any
	if len(q.Params) > 0 {
		params = q.Params
	}
	if rule != nil || s.lent {
		if err := c.read(q.Params); err != nil {
			b.fail(q, codeNoParams, "params: "+err.Error())
			return true
		}
		if err := c.judge(rule); err != nil {
			b.refuse(q, err)
			return true
		}
		params = c.params
	}
	if c.answer != nil {
		b.say(message{ID: q.ID, Result: *c.answer, Session: q.Session})
		return !c.leaves
	}
	q.Params, c.params, sent = nil, nil, true // they may be long, and the reply does not need them
	if c.instead != nil {
		go func() {
			result, err := c.instead()
			c.finish(q, result, err)
		}()
		return true
	}
	c.drawn = s.draw(q.Method)
	c.send(q, params)
	return true
}

func (c *command) send(q message, params any) {
	c.session.Send(q.Method, params, func(result json.RawMessage, err error) {
		if err != nil && c.failed != nil {
			var again any
			if again, err = c.failed(err); again != nil {
				c.send(q, again)
				return
			}
		}
		c.reply(q, result, err)
	})
}

// reply gives the browser's answer to the client. It runs where the connection is read.
func (c *command) reply(q message, result json.RawMessage, err error) {
	if c.drawn != nil {
		c.drawn()
	}
	if c.then != nil {
		result = c.then(result, err)
	}
	if c.settles != nil && err == nil {
		go func() {
			c.settles()
			c.finish(q, result, nil)
		}()
		return
	}
	c.finish(q, result, err)
}

// finish answers a command, and ends it.
func (c *command) finish(q message, result json.RawMessage, err error) {
	defer c.end(q)
	if c.session.lost.Load() {
		c.fail(q, codeSession, "Session with given id not found.")
		return
	}
	if q.Method == "Page.handleJavaScriptDialog" && err == nil {
		c.o.Answered(c.session.of)
	}
	if err != nil {
		c.refuse(q, err)
		return
	}
	c.say(message{ID: q.ID, Result: result, Session: q.Session})
}

// end ends a command. It lets the next page be opened.
func (b *browser) end(q message) {
	if next := b.queue.end(q); next != nil {
		go b.do(next.s, next.q, next.rule) // it may end at once, and would start the next one from within
	}
}

// refuse answers with an error. An error of the browser stays as it is.
func (b *browser) refuse(q message, err error) {
	if e := (*cdp.Error)(nil); errors.As(err, &e) {
		b.fail(q, e.Code, e.Message)
		return
	}
	b.fail(q, codeRefused, err.Error())
}

func (b *browser) fail(q message, code int, why string) {
	b.say(message{ID: cmp.Or(q.ID, new(int64)), Error: &cdp.Error{Code: code, Message: why}, Session: q.Session})
}

func (b *browser) say(m message) {
	if b.o.Page == "" || b.ofPage(&m) {
		b.out.put(m.text())
	}
}
