package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/refs"
	"pwpipe/provider"
)

// A ref names an element of the page that was open then. In a log, which is run
// on another page, a selector stands in its place that finds the element by
// itself: the one that Playwright's own generator writes.

type refNotesKey struct{}

// RefNotes hold what stands in a call's line for the refs that it was given.
type RefNotes struct {
	byParam map[string]string // of the call itself: by the parameter's name, or position
	byRef   map[string]string // of the steps within it
	about   map[string]About  // the elements of the call and of its steps, as Repair has them
	late    []func()          // looks for elements that were not there before the call
}

// withRefNotes has the refs of the call under ctx noted. A step notes them for
// its batch too, whose line holds it.
func withRefNotes(ctx context.Context) context.Context {
	own := &RefNotes{byParam: map[string]string{}, byRef: map[string]string{}, about: map[string]About{}}
	if batch := RefNotesFrom(ctx); batch != nil {
		own.byRef = batch.byRef
		if provider.RequestFrom(ctx).Step() > 0 {
			own.about = batch.about
		}
	}
	return context.WithValue(ctx, refNotesKey{}, own)
}

// note notes what a selector in a parameter means, before the tool runs: afterwards its
// element may be gone. made is the driver's form of the selector.
func (notes *RefNotes) note(c *Call, param, given, made string) {
	name, at := provider.ParamFrom(c.Ctx, param)
	element := ElementName(c.Ctx, param)
	look := func() bool {
		about, found := c.Describe(made)
		if found {
			notes.about[element] = about
		}
		return found
	}
	if !look() {
		notes.late = append(notes.late, func() { look() })
	}
	if !strings.Contains(made, "ref=e") {
		return
	}
	sel, err := c.generated(made)
	if err != nil {
		return // the call itself says what is the matter
	}
	notes.byParam[name], notes.byParam[strconv.Itoa(at)] = sel, sel
	notes.byRef[given] = sel
}

// noteLate looks for the elements that were not there before a call, which it waited for.
func (notes *RefNotes) noteLate() {
	for _, look := range notes.late {
		look()
	}
}

// Elements are the elements that the call was about, as [Repair] has them.
func (n *RefNotes) Elements() map[string]About {
	if n == nil {
		return nil
	}
	return n.about
}

var reOwnRef = regexp.MustCompile(`^ref=(e\d+)(?: in f\d+)?(.*)$`)

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
			parts[i] = refs.Public(made) + m[2]
		}
		way += part + refs.EnterFrame
	}
	return strings.Join(parts, refs.EnterFrame), nil
}

// Rewrite puts the selectors in the place of the refs of a call's parameters.
func (n *RefNotes) Rewrite(tool *provider.Spec, params json.RawMessage) json.RawMessage {
	if n == nil || len(n.byRef) == 0 {
		return params
	}
	if tool.Steps {
		return n.everywhere(params)
	}
	made, _ := mapped(params, func(param string, value json.RawMessage) json.RawMessage {
		if sel, ok := n.byParam[param]; ok {
			return pwerrors.EncodeLine(sel)
		}
		return value
	})
	return made
}

// mapped maps the values of a JSON array or object, by position or name. ok is false for any
// other value, which stays as it is.
func mapped(
	raw json.RawMessage, fn func(at string, value json.RawMessage) json.RawMessage,
) (_ json.RawMessage, ok bool) {
	var list []json.RawMessage
	var named map[string]json.RawMessage
	switch {
	case json.Unmarshal(raw, &list) == nil:
		for i := range list {
			list[i] = fn(strconv.Itoa(i), list[i])
		}
		return pwerrors.EncodeLine(list), true
	case json.Unmarshal(raw, &named) == nil:
		for name := range named {
			named[name] = fn(name, named[name])
		}
		return pwerrors.EncodeLine(named), true
	}
	return raw, false
}

// reStepRef is a ref that stands as a word of a step written as a line.
var reStepRef = regexp.MustCompile(`(^|\s)((?:f\d+)?e\d+)(\s|$)`)

// everywhere replaces the refs of a batch's steps.
func (n *RefNotes) everywhere(raw json.RawMessage) json.RawMessage {
	made, ok := mapped(raw, func(_ string, value json.RawMessage) json.RawMessage { return n.everywhere(value) })
	var text string
	if ok || json.Unmarshal(raw, &text) != nil {
		return made
	}
	if sel, ok := n.byRef[text]; ok {
		return pwerrors.EncodeLine(sel)
	}
	return pwerrors.EncodeLine(reStepRef.ReplaceAllStringFunc(text, func(word string) string {
		m := reStepRef.FindStringSubmatch(word)
		if sel, ok := n.byRef[m[2]]; ok {
			return m[1] + string(pwerrors.EncodeLine(sel)) + m[3]
		}
		return word
	}))
}

// ElementName is the name that a recorded element has: see [RefNotes].
func ElementName(ctx context.Context, param string) string {
	name, _ := provider.ParamFrom(ctx, param)
	if step := provider.RequestFrom(ctx).Step(); step > 0 {
		return fmt.Sprintf("%d.%s", step, name)
	}
	return name
}
