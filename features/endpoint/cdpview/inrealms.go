package cdpview

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"pwpipe/internal/browser/cdp"
)

// Errors of Chromium's.
var (
	errNoRealm  = chromiums("Cannot find context with specified id")
	errNoMain   = chromiums("Cannot find default execution context")
	errNoObject = chromiums("Could not find object with given id")
)

// maxRuns is how often an expression is sent anew because its document had gone.
const maxRuns = 5

// concernsRealms reports whether a command is about realms, or what is in them.
func concernsRealms(q message) bool {
	switch q.Method {
	case "Runtime.evaluate", "Runtime.callFunctionOn", "Runtime.compileScript", "Runtime.globalLexicalScopeNames",
		"Debugger.enable":
		return true
	}
	if strings.HasPrefix(q.Method, "Target.") { // browserContextId is no realm
		return false
	}
	return slices.ContainsFunc([]string{"bjectId\"", "ontextId\"", "callFrameId\""}, func(name string) bool {
		return bytes.Contains(q.Params, []byte(name))
	})
}

// runtimeOn is the rule of Runtime.enable in lent tabs.
func runtimeOn(c *command) error {
	c.worlds.enable(c.session)
	c.then = func(result json.RawMessage, err error) json.RawMessage {
		c.worlds.answered(c.session, err)
		return result
	}
	return nil
}

// runtimeOff is the rule of Runtime.disable in lent tabs. We stay enabled: the debugger
// must stop in the client's realms only.
func runtimeOff(c *command) error {
	c.worlds.disable(c.session)
	return c.answers(nothing)
}

// evaluate is the rule of commands that run code in a realm. They name it by its unique
// id.
func evaluate(c *command) error {
	name := map[bool]string{true: "contextId", false: "executionContextId"}[c.method == "Runtime.evaluate"]
	id, err := param[int64](c, name)
	if err != nil {
		return err
	}
	if _, named := c.params[name]; named {
		r := c.worlds.realm(c.session, id)
		if r == nil {
			return errNoRealm
		}
		if _, twice := c.params["uniqueContextId"]; !twice { // otherwise Chromium refuses it
			delete(c.params, name)
			c.set("uniqueContextId", r.Unique)
		}
		c.failed = func(err error) (any, error) { return nil, notFoundAs(err, errNoRealm) }
		return nil
	}
	if _, named := c.params["uniqueContextId"]; named || c.method != "Runtime.evaluate" {
		return nil
	}
	r := c.worlds.mainRealm(c.session)
	if r == nil {
		return errNoMain
	}
	c.set("uniqueContextId", r.Unique)
	c.failed = c.again(r, c.params)
	return nil
}

// again sends an expression again if it came too late for its document: it runs in the
// next document, if that is the client's, too.
func (c *command) again(r *realm, params map[string]json.RawMessage) func(err error) (any, error) {
	runs := 0
	return func(err error) (any, error) {
		if err = notFoundAs(err, errNoMain); !errors.Is(err, errNoMain) || runs == maxRuns {
			return nil, err
		}
		next := c.worlds.mainRealm(c.session)
		if next == nil || next.Unique == r.Unique {
			return nil, err
		}
		r, runs = next, runs+1
		params["uniqueContextId"] = encoded(r.Unique)
		return params, nil
	}
}

// notFoundAs replaces Chromium's error about a unique id: the client has named none.
func notFoundAs(err, instead error) error {
	if e := (*cdp.Error)(nil); errors.As(err, &e) && e.Message == "uniqueContextId not found" {
		return instead
	}
	return err
}

// inMain is the rule of commands for a realm by its number, or for the main one.
func inMain(c *command) error {
	if keeps, err := param[bool](c, "persistScript"); err != nil || keeps {
		return errors.Join(err, errors.New("persistScript is not offered in lent tabs"))
	}
	if named, err := c.has("executionContextId", new(int64)); err != nil || named {
		return err
	}
	r := c.worlds.mainRealm(c.session)
	if r == nil {
		return errNoMain
	}
	c.set("executionContextId", r.ID)
	return nil
}

// notLent is the rule of commands that show or change all that is in a process, a document
// or the profile, including sites that the policy refuses.
func notLent(c *command) error {
	return errors.New(c.method + " is not offered in lent tabs: it does not keep to what is the page's")
}

// listeners is the rule of DOMDebugger.getEventListeners: with pierce it would report
// those of every world, as objects of this one.
func listeners(c *command) error {
	delete(c.params, "pierce")
	return nil
}
