package cdpview

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pwpipe/internal/browser/cdp"
)

// Errors of Chromium's.
var (
	errNoRealm  = chromiums("Cannot find context with specified id")
	errNoMain   = chromiums("Cannot find default execution context")
	errNoObject = chromiums("Could not find object with given id")
)

// maxWorlds is how many worlds a client may name, maxRuns how often something is
// sent anew that came when a document had gone.
const (
	maxWorlds = 1000
	maxRuns   = 5
)

// inRealms says whether a command is about realms, or what is in them.
func inRealms(q message) bool {
	switch q.Method {
	case "Runtime.evaluate", "Runtime.callFunctionOn", "Runtime.compileScript", "Runtime.globalLexicalScopeNames", "Debugger.enable":
		return true
	}
	return bytes.Contains(q.Params, []byte("bjectId\"")) || bytes.Contains(q.Params, []byte("ontextId\"")) || bytes.Contains(q.Params, []byte("callFrameId\""))
}

// later keeps a command until it is known which realms there are: we ask where the
// client has not. It reports whether it does.
func (b *browser) later(s *session, q message, rule rule) bool {
	if !s.lent || !inRealms(q) {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	r := &s.realms
	if r.state == known && !r.draining {
		return false
	}
	if len(r.waits) >= maxCalls {
		b.queue.budget.release(q.held)
		go b.fail(q, codeRefused, "too much waits for the page to say what runs in it")
		return true
	}
	r.waits = append(r.waits, func() { b.do(s, q, rule) })
	if r.state == unknown {
		r.state = underWay
		go s.Send("Runtime.enable", nil, func(_ json.RawMessage, err error) { b.knows(s, err) })
	}
	return true
}

// knows hears that all realms have been told, and sends what has waited for that.
func (b *browser) knows(s *session, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := &s.realms
	if r.state == underWay {
		r.state = known
		if err != nil {
			r.state = unknown
		}
	}
	if r.draining || len(r.waits) == 0 {
		return
	}
	r.draining = true
	go func() {
		for {
			b.mu.Lock()
			if len(r.waits) == 0 {
				r.draining = false
				b.mu.Unlock()
				return
			}
			next := r.waits[0]
			r.waits = r.waits[1:]
			b.mu.Unlock()
			next()
		}
	}()
}

// runtimeOn is the rule of who wants to hear of realms. Those that we have asked for
// already are told of here.
func runtimeOn(c *command) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := &c.session.realms
	first := !r.hears
	r.hears = true
	if r.state == unknown {
		r.state = underWay
	} else if first {
		for _, id := range slices.Sorted(maps.Keys(r.list)) {
			c.tells(c.session, r.list[id])
		}
	}
	c.then = func(result json.RawMessage, err error) json.RawMessage {
		c.knows(c.session, err)
		return result
	}
	return nil
}

// runtimeOff is the rule of who does not any more. We still do: a debugger stops in the
// client's realms only.
func runtimeOff(c *command) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session.realms.hears = false
	return c.answers(none{})
}

// evaluate is the rule of what runs code in a realm, which is given its one id.
func evaluate(c *command) error {
	name := map[bool]string{true: "contextId", false: "executionContextId"}[c.method == "Runtime.evaluate"]
	id, err := param[int64](c, name)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, named := c.params[name]; named {
		r := c.session.ownRealm(id)
		if r == nil {
			return errNoRealm
		}
		if _, twice := c.params["uniqueContextId"]; !twice { // else it is refused there
			delete(c.params, name)
			c.set("uniqueContextId", r.Unique)
		}
		c.failed = func(err error) (any, error) { return nil, inWords(err, errNoRealm) }
		return nil
	}
	if _, named := c.params["uniqueContextId"]; named || c.method != "Runtime.evaluate" {
		return nil
	}
	r := c.session.main()
	if r == nil {
		return errNoMain
	}
	c.set("uniqueContextId", r.Unique)
	c.failed = c.again(r, c.params)
	return nil
}

// again has an expression run in the document that has come, where it came too late for
// the one that was there, and that is the client's, too.
func (c *command) again(r *realm, params map[string]json.RawMessage) func(err error) (any, error) {
	runs := 0
	return func(err error) (any, error) {
		if err = inWords(err, errNoMain); !errors.Is(err, errNoMain) || runs == maxRuns {
			return nil, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		next := c.session.main()
		if next == nil || next.Unique == r.Unique {
			return nil, err
		}
		r, runs = next, runs+1
		params["uniqueContextId"] = encoded(r.Unique)
		return params, nil
	}
}

// inWords is what a client that named no unique id is told of one that is no more.
func inWords(err, instead error) error {
	if e := (*cdp.Error)(nil); errors.As(err, &e) && e.Message == "uniqueContextId not found" {
		return instead
	}
	return err
}

// inMain is the rule of what is asked of a realm by its number, and of the main one if
// there is none.
func inMain(c *command) error {
	if keeps, err := param[bool](c, "persistScript"); err != nil || keeps {
		return errors.Join(err, errors.New("persistScript is not offered in lent tabs"))
	}
	if named, err := c.has("executionContextId", new(int64)); err != nil || named {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.session.main()
	if r == nil {
		return errNoMain
	}
	c.set("executionContextId", r.ID)
	return nil
}

// within judges what a command of a lent tab names of realms: they, and what is in
// them, are to be the client's. Their ids, and those of objects, could be guessed.
func (c *command) within() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, raw := range c.params {
		var id string
		switch lower := strings.ToLower(name); {
		case string(raw) == "null":
			continue
		case lower == "executioncontextid":
			var n int64
			if json.Unmarshal(raw, &n) != nil || c.session.ownRealm(n) == nil {
				return errNoRealm
			}
		case lower == "uniquecontextid":
			if json.Unmarshal(raw, &id) != nil || !c.ownUnique(id) {
				return &cdp.Error{Code: codeNoParams, Message: "uniqueContextId not found"}
			}
		case lower == "scriptid":
			if json.Unmarshal(raw, &id) != nil || !c.session.realms.scripts[id] {
				return chromiums("No script with passed id")
			}
		case strings.HasSuffix(lower, "objectid") || lower == "callframeid":
			if json.Unmarshal(raw, &id) != nil || !c.ownObject(c.session, id) {
				return errNoObject
			}
		}
	}
	return nil
}

func (c *command) ownUnique(id string) bool {
	for _, r := range c.session.realms.list {
		if r.told && r.Unique == id {
			return true
		}
	}
	return false
}

// objectID is how V8 names what it holds for a session: by isolate, which is random,
// realm and number.
var objectID = regexp.MustCompile(`^-?[0-9]{1,20}\.([0-9]{1,9})\.[0-9]{1,9}$`)

// ownObject says whether an object, or a frame of a call, is in a realm of the
// client's. The lock is held.
func (b *browser) ownObject(s *session, id string) bool {
	parts := objectID.FindStringSubmatch(id)
	if parts == nil {
		return false
	}
	n, err := strconv.ParseInt(parts[1], 10, 64)
	return err == nil && s.ownRealm(n) != nil
}

// notLent is the rule of what shows, or changes, all that there is in a process, a
// document or the profile, whosever it is: also of sites that the policy refuses.
func notLent(c *command) error {
	return errors.New(c.method + " is not offered in lent tabs: it does not keep to what is the page's")
}

// listeners: with pierce they would be told of every world, as objects of this one.
func listeners(c *command) error {
	delete(c.params, "pierce")
	return nil
}
