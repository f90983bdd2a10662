package namedbrowser

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/tool"
)

// abstracter runs in a frame: it lists the controls with selectors.
//
//go:embed abstract.js
var abstracter string

// control is what the abstracter reports of one control.
type control struct {
	Kind, Name, Selector string
	Text, Type, Value    string
	Options              []string
	More                 int // options left out
	Checked, Disabled    bool
}

// abstract lists the page's controls as text: for each a line with its name and its
// selector, and lines with details. It includes controls in frames, whose selectors lead
// through the frame.
func (b *ownBrowser) abstract(ctx context.Context, action string, w wording) (string, error) {
	list, err := do(ctx, b, func(pw playwright.Page) ([]control, error) { return b.controls(pw.MainFrame(), "") })
	if err != nil {
		return "", err
	}
	var t strings.Builder
	fmt.Fprintf(&t, "%s: %s\nURL: %s\n%s: %s\n\n=== %s ===\n", w.action, action, b.page.PW.URL(), w.time,
		time.Now().Format("2006-01-02 15:04:05"), w.heading)
	if len(list) == 0 {
		fmt.Fprintf(&t, "\n%s\n", w.none)
	}
	for _, c := range list {
		c.write(&t, w)
	}
	return t.String(), nil
}

// controls lists a frame's controls, then those in its child frames. It skips a frame
// that is going away.
func (b *ownBrowser) controls(f playwright.Frame, prefix string) ([]control, error) {
	v, err := b.list(f)
	if err != nil {
		return nil, err
	}
	text, _ := v.(string)
	var list []control
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return nil, fmt.Errorf("the page broke the listing of its controls: %w", err)
	}
	for i := range list {
		list[i].shorten(b.page.Short)
		list[i].Selector = prefix + list[i].Selector
	}
	documents := tool.Documents(b.page)
	for _, child := range b.page.Frames.Children(f) {
		if !slices.Contains(documents, child) {
			continue
		}
		el, err := child.FrameElement()
		if err != nil {
			continue
		}
		v, err := el.Evaluate("el => el.checkVisibility({visibilityProperty: true}) ? (" + abstracter + ")(null, el) : ''")
		sel, _ := v.(string)
		if err != nil || sel == "" {
			continue
		}
		inner, err := b.controls(child, prefix+sel+" >> internal:control=enter-frame >> ")
		if err == nil {
			list = append(list, inner...)
		}
	}
	return list, nil
}

// list runs the abstracter. In Chromium, and in the main frame, it runs in a world that
// the page's scripts can't reach.
func (b *ownBrowser) list(f playwright.Frame) (any, error) {
	if f.ParentFrame() == nil && b.page.Engine.Chromium && b.page.Attached() == nil {
		if v, err := b.page.Isolated("pwpipe", "("+abstracter+")(null, null)"); err == nil {
			return v, nil
		}
	}
	return f.Evaluate("() => ("+abstracter+")(null, null)", nil)
}

// Texts of controls are cut to these lengths, in characters.
const (
	controlText  = 200
	controlName  = 100
	optionLength = 60
)

// shorten cuts a control's texts.
func (c *control) shorten(short func(string, int) string) {
	c.Name, c.Text, c.Value = short(c.Name, controlName), short(c.Text, controlText), short(c.Value, controlName)
	for i, o := range c.Options {
		c.Options[i] = short(o, optionLength)
	}
}

func (c control) write(t *strings.Builder, w wording) {
	fmt.Fprintf(t, "\n[%s] %s -> %s\n", w.kinds[c.Kind], c.Name, c.Selector)
	line := func(name, value string) { fmt.Fprintf(t, "  %s: %s\n", name, value) }
	switch c.Kind {
	case "link", "button":
		line(w.text, `"`+strings.ReplaceAll(c.Text, `"`, `\"`)+`"`)
	case "input":
		line(w.kind, c.Type)
	case "select":
		options := strings.Join(c.Options, ", ")
		if c.More > 0 {
			options += fmt.Sprintf(", … (+%d)", c.More)
		}
		line(w.options, options)
	default:
		state := w.unchecked
		if c.Checked {
			state = w.checked
		}
		line(w.state, state)
		line(w.value, c.Value)
	}
	if c.Disabled {
		line(w.state, w.disabled)
	}
}
