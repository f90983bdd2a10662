package cdpview

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"pwpipe/internal/browser/cdp"
)

// command is a command that a rule judges. The rule may change the params, answer itself,
// or change the reply.
type command struct {
	*browser
	session *session
	method  string
	params  map[string]json.RawMessage
	answer  *json.RawMessage                // in place of the browser's answer
	instead func() (json.RawMessage, error) // does the command in place of the browser
	leaves  bool                            // the client leaves after the answer
	then    func(result json.RawMessage, err error) json.RawMessage
	failed  func(err error) (again any, _ error) // rewords the error, or returns params to send it again with
	settles func()                               // waits before the answer
	drawn   func()                               // called when the browser has answered
}

// rule judges a command. Its error is the answer.
type rule func(*command) error

// rules are the rules of table.txt, by name.
var rules = map[string]rule{
	"attach": attach, "attachBrowser": attachBrowser, "autoAttach": autoAttach, "detach": detach,
	"discover": discover, "target": target, "targets": listTargets, "targetOf": targetOf,
	"context": ownContext, "contexts": listContexts, "dropContext": dropContext, "newContext": newContext,
	"newPage": newPage, "leave": leave, "permissions": permissions, "trusts": trusts,

	"clip": clip, "metrics": metrics, "paper": paper, "window": ownWindow, "windowBounds": windowBounds,
	"windowOf": windowOf, "input": input, "drag": drag, "files": uploads, "intercepts": intercepts, "node": node,
	"pageOff": pageOff, "entries": entries, "history": history, "navigates": navigates,
	"resource": both(toURL, streams), "stream": ownStream, "downloads": downloadBehavior,
	"enableFetch": enableFetch, "held": heldRequest, "heldRedirect": heldRedirect,
	"heldStream": both(heldRequest, streams), "startTrace": startTrace, "mark": mark, "noParams": noParams,

	"breakpoint": breakpoint, "evaluate": evaluate, "inMain": inMain, "listeners": listeners, "notLent": notLent,
	"runtimeOn": runtimeOn, "runtimeOff": runtimeOff,
	"onLoad": begins("scriptSource"), "reload": begins("scriptToEvaluateOnLoad"),
	"newDocument": both(nameWorld("worldName"), begins("source")),
	"bindingIn":   nameWorld("executionContextName"), "isolated": nameWorld("worldName"),
}

// read decodes the params, once: what is judged is what is sent.
func (c *command) read(raw json.RawMessage) error {
	c.params = map[string]json.RawMessage{}
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return json.Unmarshal(raw, &c.params)
}

// judge applies a rule, nil for none.
func (c *command) judge(rule rule) error {
	if c.session.lent {
		if err := c.worlds.judge(c.session, c.params); err != nil {
			return err
		}
	}
	if rule == nil {
		return nil
	}
	return rule(c)
}

// has decodes a param. It reports whether there is one.
func (c *command) has(name string, to any) (bool, error) {
	if raw, ok := c.params[name]; !ok || string(raw) == "null" {
		delete(c.params, name)
		return false, nil
	}
	err := member(c.params, name, to)
	return err == nil, err
}

func (c *command) decode(to map[string]any) error {
	for name, v := range to {
		if _, err := c.has(name, v); err != nil {
			return err
		}
	}
	return nil
}

// param is one of the params, zero if there is none.
func param[T any](c *command, name string) (v T, err error) {
	_, err = c.has(name, &v)
	return v, err
}

// with makes a rule that decodes one param. The param is zero if it is missing.
func with[T any](name string, judge func(c *command, v T) error) rule {
	return func(c *command) error {
		v, err := param[T](c, name)
		if err != nil {
			return err
		}
		return judge(c, v)
	}
}

func both(first, second rule) rule {
	return func(c *command) error {
		if err := first(c); err != nil {
			return err
		}
		return second(c)
	}
}

// ifNamed makes a rule that judges only commands with a param.
func ifNamed(name string, rule rule) rule {
	return func(c *command) error {
		if named, err := c.has(name, &json.RawMessage{}); err != nil || !named {
			return err
		}
		return rule(c)
	}
}

// object decodes a param that is an object, and has it sent as it is read here: the
// browser would read a repeated member in another way. If known are given, other members
// are left out.
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

// chromiums is an error with Chromium's text.
func chromiums(why string) error { return &cdp.Error{Code: codeRefused, Message: why} }

func leave(c *command) error {
	c.leaves = true
	return c.answers(nothing)
}

// ownContext is the rule of commands for a browser context: one of the session's, or the
// default one if none is named.
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
	case !named && c.o.Shared != nil: // Chromium would take the other person's
		return errors.New("browserContextId is missing")
	}
	if c.o.Shared != nil && id == c.o.Shared.Home {
		delete(c.params, "browserContextId") // Chromium takes no name for it
	}
	return nil
}

func shown(s string) string { return fmt.Sprintf("%.80s", s) }

var permissions = with("permissions", func(c *command, list []string) error {
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
})

// target is the rule of commands for a target that the client has heard of.
var target = with("targetId", func(c *command, id string) error {
	if !c.targets.known.contains(id) {
		return chromiums("No target with given id found")
	}
	return nil
})

// maybeTarget is target; if none is named, the command is for the session's own.
var maybeTarget = ifNamed("targetId", target)

// autoAttach judges Target.setAutoAttach. The targets that it brings are judged by attached.
var autoAttach = with("autoAttach", func(c *command, on bool) error {
	c.session.attaches.Store(on && c.session.root)
	return flat(c)
})

// discover judges Target.setDiscoverTargets. The targets that it brings are judged by
// ownEvent.
var discover = with("discover", func(c *command, on bool) error {
	c.session.discovers.Store(on)
	return nil
})

// flat allows only flat sessions, whose messages are judged one by one.
func flat(c *command) error {
	c.set("flatten", true)
	return nil
}

var attach = both(target, with("targetId", func(c *command, of string) error {
	if err := c.targets.full(of); err != nil {
		return err
	}
	return flat(c)
}))

func attachBrowser(c *command) error { return c.targets.full("") }

var detach = with("sessionId", func(c *command, id string) error {
	delete(c.params, "targetId")
	if id == "" || c.targets.session(id) == nil {
		return chromiums("No session with given id")
	}
	return nil
})
