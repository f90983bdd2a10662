package cdpview

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"pwpipe/internal/browser/cdp"
)

// command is one that a rule judges. It may change the params, answer itself, or
// see to the reply.
type command struct {
	*browser
	session *session
	method  string
	params  map[string]json.RawMessage
	answer  *json.RawMessage                // instead of the browser's
	instead func() (json.RawMessage, error) // of the browser doing it
	leaves  bool                            // the client, after the answer
	then    func(result json.RawMessage, err error) json.RawMessage
	failed  func(err error) (again any, _ error) // the error in other words, or params with which it is sent again
	settles func()                               // waited for before the answer
	drawn   func()                               // called when the browser has answered
}

// rule judges a command. Its error is the answer.
type rule func(*command) error

// rules are those of table.txt, by name: [ruleNamed] makes them when it is first
// called. Some lead back to it, so they can't be a variable's first value.
var rules struct {
	once   sync.Once
	byName map[string]rule
}

// ruleNamed is a rule of table.txt, nil for none.
func ruleNamed(name string) rule {
	rules.once.Do(func() { rules.byName = allRules() })
	return rules.byName[name]
}

func allRules() map[string]rule {
	return map[string]rule{
		"attach": attach, "attachBrowser": attachBrowser, "autoAttach": autoAttach, "breakpoint": breakpoint, "clip": clip, "discover": discover, "metrics": metrics, "paper": paper, "windowBounds": windowBounds,
		"context": ownContext, "contexts": listContexts, "detach": detach, "downloads": downloads, "drag": drag,
		"dropContext": dropContext, "enableFetch": enableFetch, "entries": entries, "files": uploads, "flat": flat, "held": heldRequest, "heldGoing": heldGoing, "heldStream": heldStream, "history": history, "input": input, "intercepts": intercepts, "leave": leave, "maybeTarget": maybeTarget,
		"maybeURL": maybeURL, "evaluate": evaluate, "inMain": inMain, "runtimeOn": runtimeOn, "runtimeOff": runtimeOff, "notLent": notLent, "listeners": listeners, "newContext": newContext, "newPage": newPage, "newDocument": inWorld("worldName", begins("source")), "bindingIn": inWorld("executionContextName", nil), "isolated": inWorld("worldName", nil), "onLoad": begins("scriptSource"), "reload": begins("scriptToEvaluateOnLoad"), "node": node, "pageOff": pageOff, "permissions": permissions, "resource": resource,
		"stream": ownStream, "streams": streams, "target": target, "targets": listTargets, "targetOf": targetOf, "url": toURL, "window": ownWindow,
		"windowOf": windowOf, "navigates": navigates, "startTrace": startTrace, "mark": mark, "noParams": noParams, "trusts": trusts,
	}
}

// read takes the params apart, once: what is judged is what is sent.
func (c *command) read(raw json.RawMessage) error {
	c.params = map[string]json.RawMessage{}
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return json.Unmarshal(raw, &c.params)
}

// judge judges it by its rule, nil for none.
func (c *command) judge(rule rule) error {
	if c.session.lent {
		if err := c.within(); err != nil {
			return err
		}
		if rule == nil {
			rule = lentRule(c.method)
		}
	}
	if rule == nil {
		return nil
	}
	return rule(c)
}

// has decodes a param. It reports whether there is one.
func (c *command) has(name string, to any) (bool, error) {
	raw, ok := c.params[name]
	if !ok || string(raw) == "null" {
		delete(c.params, name)
		return false, nil
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return true, nil
}

// param is one of the params, zero if there is none.
func param[T any](c *command, name string) (v T, err error) {
	_, err = c.has(name, &v)
	return v, err
}

// object decodes a param that is an object, and has it sent as it is read here:
// a member that is there twice, or in another case, would be read otherwise
// there. Where known are named, the others are left out.
func (c *command) object(name string, known ...string) (members map[string]json.RawMessage, err error) {
	if named, err := c.has(name, &members); err != nil || !named {
		return nil, err
	}
	if len(known) > 0 {
		maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool { return !slices.Contains(known, name) })
	}
	c.set(name, members)
	return members, nil
}

// member decodes a member of an object, if it is there.
func member(of map[string]json.RawMessage, name string, to any) error {
	raw, ok := of[name]
	if !ok {
		return nil
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (c *command) set(name string, v any) {
	c.params[name] = encoded(v)
}

// answers ends the command here.
func (c *command) answers(v any) error {
	raw, err := cdp.Encode(v)
	c.answer = &raw
	return err
}

// chromiums is an error in the words that Chromium has for it.
func chromiums(why string) error { return &cdp.Error{Code: codeRefused, Message: why} }

type none struct{}

func leave(c *command) error {
	c.leaves = true
	return c.answers(none{})
}

// ownContext: one of the session's, the default one if none is named.
func ownContext(c *command) error {
	var id string
	named, err := c.has("browserContextId", &id)
	switch {
	case err != nil:
		return err
	case named && !c.owns(id):
		return chromiums("Failed to find browser context with id " + shown(id))
	case !named && c.o.Context != "":
		id = c.o.Context
		c.set("browserContextId", id)
	case !named && c.o.Theirs != nil: // Chromium would take the one that is somebody's
		return errors.New("browserContextId is to be named here")
	}
	if c.o.Theirs != nil && id == c.o.Theirs.Home {
		delete(c.params, "browserContextId") // Chromium knows it by no name
	}
	return nil
}

func shown(s string) string { return fmt.Sprintf("%.80s", s) }

func permissions(c *command) error {
	list, err := param[[]string](c, "permissions")
	if err != nil {
		return err
	}
	one, err := c.object("permission")
	if err != nil {
		return err
	}
	if one != nil {
		var name string
		if err := member(one, "name", &name); err != nil {
			return err
		}
		list = append(list, name)
	}
	for _, name := range list {
		if err := c.o.Permission(name); err != nil {
			return err
		}
	}
	return ownContext(c)
}

// target: one that the client has heard of.
func target(c *command) error {
	id, err := param[string](c, "targetId")
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.targets[id] {
		return chromiums("No target with given id found")
	}
	return nil
}

// maybeTarget: likewise, or the session's own.
func maybeTarget(c *command) error {
	if named, err := c.has("targetId", new(string)); err != nil || !named {
		return err
	}
	return target(c)
}

// flat: only sessions whose messages come by themselves, where they are judged.
func flat(c *command) error {
	c.set("flatten", true)
	return nil
}

func attach(c *command) error {
	if err := target(c); err != nil {
		return err
	}
	of, err := param[string](c, "targetId")
	if err != nil {
		return err
	}
	if err := c.sessionsFull(of); err != nil {
		return err
	}
	return flat(c)
}

func attachBrowser(c *command) error { return c.sessionsFull("") }

func detach(c *command) error {
	id, err := param[string](c, "sessionId")
	if err != nil {
		return err
	}
	delete(c.params, "targetId")
	c.mu.Lock()
	defer c.mu.Unlock()
	if id == "" || c.sessions[id] == nil {
		return chromiums("No session with given id")
	}
	return nil
}
