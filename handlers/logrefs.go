package handlers

import (
	"context"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

// A ref names an element of the page that was open then. In a log, which is run
// on another page, a selector stands in its place that finds the element by
// itself: the one that Playwright's own generator writes.

type standaloneKey struct{}

// standalone holds what stands in a call's line for the refs that it was given.
type standalone struct {
	byParam map[string]string // of the call itself: by the parameter's name, or position
	byRef   map[string]string // of the steps within it
}

// logged puts room for the refs of a call into its context, where its session
// writes a log.
func logged(prepare func(context.Context) (context.Context, error)) func(context.Context) (context.Context, error) {
	return func(ctx context.Context) (context.Context, error) {
		if prepare != nil {
			var err error
			if ctx, err = prepare(ctx); err != nil {
				return ctx, err
			}
		}
		s, ok := sessionIn(ctx)
		if !ok || !logging.Of(s).open() {
			return ctx, nil
		}
		outer, _ := ctx.Value(standaloneKey{}).(*standalone)
		own := &standalone{byParam: map[string]string{}, byRef: map[string]string{}}
		if outer != nil { // a step: the batch's line holds it
			own.byRef = outer.byRef
		}
		return context.WithValue(ctx, standaloneKey{}, own), nil
	}
}

// noteRef finds a selector for a ref that a tool was given in a parameter,
// the at-th, before it runs: afterwards its element may be gone. made is what
// became of it.
func noteRef(c *call, param string, at int, given, made string) {
	notes, ok := c.ctx.Value(standaloneKey{}).(*standalone)
	if !ok || !strings.Contains(made, "ref=e") {
		return
	}
	sel, err := c.generated(made)
	if err != nil {
		return // the call itself says what is the matter
	}
	notes.byParam[param], notes.byParam[strconv.Itoa(at)] = sel, sel
	notes.byRef[given] = sel
}

var reOwnRef = regexp.MustCompile(`^ref=(e\d+)(.*)$`)

// generated is a selector of the driver's with its refs replaced: each part, up
// to the next frame, by what the generator makes of its element.
func (c *call) generated(sel string) (string, error) {
	mask := c.session.browser.cfg.Mask
	parts := strings.Split(sel, enterFrame)
	way := ""
	for i, part := range parts {
		m := reOwnRef.FindStringSubmatch(part)
		if m != nil {
			made, err := await(c.ctx, c.engine, c.page, func() (string, error) {
				return c.pw.TextContent(way+"ref=!selector "+m[1], playwright.PageTextContentOptions{Timeout: c.left()})
			})
			if err != nil {
				return "", err
			}
			if mask != nil {
				made = mask(made)
			}
			parts[i] = made + m[2]
		}
		way += part + enterFrame
	}
	return strings.Join(parts, enterFrame), nil
}

// rewrite puts the selectors in the place of the refs of a call's parameters.
func (s *standalone) rewrite(tool *provider.Spec, params json.RawMessage) json.RawMessage {
	if s == nil || len(s.byRef) == 0 {
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
		return encodeLine(list)
	}
	var named map[string]json.RawMessage
	if json.Unmarshal(params, &named) != nil {
		return params
	}
	for name := range named {
		named[name] = s.chosen(name, named[name])
	}
	return encodeLine(named)
}

func (s *standalone) chosen(param string, value json.RawMessage) json.RawMessage {
	if sel, ok := s.byParam[param]; ok {
		return encodeLine(sel)
	}
	return value
}

// reStepRef is a ref that stands as a word of a step written as a line.
var reStepRef = regexp.MustCompile(`(^|\s)((?:f\d+)?e\d+)(\s|$)`)

// everywhere replaces the refs of a batch's steps.
func (s *standalone) everywhere(raw json.RawMessage) json.RawMessage {
	var list []json.RawMessage
	var named map[string]json.RawMessage
	var text string
	switch {
	case json.Unmarshal(raw, &list) == nil:
		for i := range list {
			list[i] = s.everywhere(list[i])
		}
		return encodeLine(list)
	case json.Unmarshal(raw, &named) == nil:
		for name := range named {
			named[name] = s.everywhere(named[name])
		}
		return encodeLine(named)
	case json.Unmarshal(raw, &text) != nil:
		return raw
	}
	if sel, ok := s.byRef[text]; ok {
		return encodeLine(sel)
	}
	return encodeLine(reStepRef.ReplaceAllStringFunc(text, func(word string) string {
		m := reStepRef.FindStringSubmatch(word)
		if sel, ok := s.byRef[m[2]]; ok {
			return m[1] + string(encodeLine(sel)) + m[3]
		}
		return word
	}))
}

// encodeLine is JSON as a line of the log has it.
func encodeLine(v any) json.RawMessage {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // strings, and JSON that was read before
	return json.RawMessage(strings.TrimSpace(b.String()))
}
