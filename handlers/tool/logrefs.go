package tool

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/words"
	"pwpipe/provider"
)

// A ref names an element of the page that was open then. In a log, which is run
// on another page, a selector stands in its place that finds the element by
// itself: the one that Playwright's own generator writes.

// StandaloneKey finds a [Standalone] in the context of a call.
type StandaloneKey struct{}

// Standalone holds what stands in a call's line for the refs that it was given.
type Standalone struct {
	ByParam map[string]string // of the call itself: by the parameter's name, or position
	ByRef   map[string]string // of the steps within it
}

// noteRef finds a selector for a ref that a tool was given in a parameter,
// the at-th, before it runs: afterwards its element may be gone. made is what
// became of it.
func noteRef(c *Call, param string, at int, given, made string) {
	notes, ok := c.Ctx.Value(StandaloneKey{}).(*Standalone)
	if !ok || !strings.Contains(made, "ref=e") {
		return
	}
	sel, err := c.generated(made)
	if err != nil {
		return // the call itself says what is the matter
	}
	notes.ByParam[param], notes.ByParam[strconv.Itoa(at)] = sel, sel
	notes.ByRef[given] = sel
}

var reOwnRef = regexp.MustCompile(`^ref=(e\d+)(.*)$`)

// generated is a selector of the driver's with its refs replaced: each part, up
// to the next frame, by what the generator makes of its element.
func (c *Call) generated(sel string) (string, error) {
	mask := c.Session.Browser.Config.Mask
	parts := strings.Split(sel, refs.EnterFrame)
	way := ""
	for i, part := range parts {
		m := reOwnRef.FindStringSubmatch(part)
		if m != nil {
			made, err := browser.Await(c.Ctx, c.Engine, c.Page, func() (string, error) {
				return c.PW.TextContent(way+"ref=!selector "+m[1], playwright.PageTextContentOptions{Timeout: c.Left()})
			})
			if err != nil {
				return "", err
			}
			if mask != nil {
				made = mask(made)
			}
			parts[i] = made + m[2]
		}
		way += part + refs.EnterFrame
	}
	return strings.Join(parts, refs.EnterFrame), nil
}

// Rewrite puts the selectors in the place of the refs of a call's parameters.
func (s *Standalone) Rewrite(tool *provider.Spec, params json.RawMessage) json.RawMessage {
	if s == nil || len(s.ByRef) == 0 {
		return params
	}
	if tool.Steps {
		return s.everywhere(params)
	}
	var list []json.RawMessage
	if json.Unmarshal(params, &list) == nil {
		for i := range list {
			list[i] = s.chosen(strconv.Itoa(i), list[i])
		}
		return words.EncodeLine(list)
	}
	var named map[string]json.RawMessage
	if json.Unmarshal(params, &named) != nil {
		return params
	}
	for name := range named {
		named[name] = s.chosen(name, named[name])
	}
	return words.EncodeLine(named)
}

func (s *Standalone) chosen(param string, value json.RawMessage) json.RawMessage {
	if sel, ok := s.ByParam[param]; ok {
		return words.EncodeLine(sel)
	}
	return value
}

// reStepRef is a ref that stands as a word of a step written as a line.
var reStepRef = regexp.MustCompile(`(^|\s)((?:f\d+)?e\d+)(\s|$)`)

// everywhere replaces the refs of a batch's steps.
func (s *Standalone) everywhere(raw json.RawMessage) json.RawMessage {
	var list []json.RawMessage
	var named map[string]json.RawMessage
	var text string
	switch {
	case json.Unmarshal(raw, &list) == nil:
		for i := range list {
			list[i] = s.everywhere(list[i])
		}
		return words.EncodeLine(list)
	case json.Unmarshal(raw, &named) == nil:
		for name := range named {
			named[name] = s.everywhere(named[name])
		}
		return words.EncodeLine(named)
	case json.Unmarshal(raw, &text) != nil:
		return raw
	}
	if sel, ok := s.ByRef[text]; ok {
		return words.EncodeLine(sel)
	}
	return words.EncodeLine(reStepRef.ReplaceAllStringFunc(text, func(word string) string {
		m := reStepRef.FindStringSubmatch(word)
		if sel, ok := s.ByRef[m[2]]; ok {
			return m[1] + string(words.EncodeLine(sel)) + m[3]
		}
		return word
	}))
}
