package recorder

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
)

// event is an action that the recorder tells. Much of it is a page's word.
type event struct {
	Action action `json:"action"`
	Frame  struct {
		PageGUID string   `json:"pageGuid"`
		Path     []string `json:"framePath"` // selectors of the frames, from the page on
	} `json:"frame"`
}

// action is one of Playwright's recorder. See internal/browser/driver/recorder.cjs for
// what pwpipe adds.
type action struct {
	Name       string     `json:"name"`
	Selector   string     `json:"selector"`
	URL        string     `json:"url"`
	Text       string     `json:"text"`
	Value      string     `json:"value"`
	Key        string     `json:"key"`
	Button     string     `json:"button"`
	Modifiers  int        `json:"modifiers"`
	ClickCount int        `json:"clickCount"`
	Options    []string   `json:"options"`
	Files      []string   `json:"files"`
	Checked    bool       `json:"checked"`
	Substring  bool       `json:"substring"`
	Snapshot   string     `json:"ariaSnapshot"`
	About      tool.About `json:"about"`
	At         *struct {  // in the viewport, of what has no elements inside
		X int `json:"x"`
		Y int `json:"y"`
	} `json:"at"`
}

const (
	// settles is how long an action waits for what may yet become of it: a click becomes
	// a double click, or a download.
	settles = time.Second
	// soon is the time in which one thing is taken for the consequence of another.
	soon = time.Second
	// leads is the time in which an action may lead to another document.
	leads = 5 * time.Second
)

// take handles an event.
func (r *recording) take(what string, data []byte) {
	var e event
	if json.Unmarshal(data, &e) != nil {
		return
	}
	p := r.page(e.Frame.PageGUID)
	if p == nil {
		return
	}
	if what == "signalAdded" { // pages, dialogs and downloads tell of themselves
		return
	}
	a := e.Action
	if a.Name == "click" && (a.About.Type == "checkbox" || a.About.Type == "radio") { // by a key
		a.Name = map[bool]string{true: "check", false: "uncheck"}[a.Checked]
	}
	before := r.last[p]
	if r.follows(a, before) {
		return
	}
	made := r.made(a, p, e.Frame.Path)
	if made == nil {
		return
	}
	r.last[p] = done{a.Name, time.Now()}
	if r.pending != nil && !(what == "actionUpdated" || r.leadsTo(a, made)) {
		r.flush()
	}
	r.pending, r.kind = made, a.Name
	r.timer.Reset(settles)
}

// follows reports whether an action is the consequence of another, which a replay has by
// itself: the click that the browser makes of a key or of a label's click, and the
// navigation that a choice in a form leads to.
func (r *recording) follows(a action, before done) bool {
	since := time.Since(before.at)
	switch a.Name {
	case "click":
		return a.ClickCount == 0 && since < soon || a.About.Type == "file" // which opens the browser's own dialog
	case "navigate":
		switch before.name {
		case "check", "uncheck", "select", "click", "fill", "press":
			return since < leads
		}
	}
	return false
}

// leadsTo reports whether the pending action is only the way to this one: a click into a
// field that is then filled.
func (r *recording) leadsTo(a action, made *step) bool {
	if r.kind != "click" || r.pending.Method != "click" || r.pending.Page != made.Page || r.pending.Params["sel"] != made.Params["sel"] {
		return false
	}
	return a.Name == "fill" || a.Name == "select"
}

// downloads makes the click that a download came from one that waits for it.
func (r *recording) downloads(p *browser.Page) {
	if r.pending != nil && r.pending.Page == r.named(p) && r.pending.Method == "click" {
		r.pending.Method = "download"
		r.flush()
	}
}

// flush writes the pending action, unless a dialog waits for its answer.
func (r *recording) flush() {
	if r.pending == nil || r.asking {
		return
	}
	made := *r.pending
	r.pending, r.kind = nil, ""
	r.send(made)
}

func (r *recording) send(made step) {
	r.mu.Lock()
	emit := r.emit
	r.mu.Unlock()
	if emit == nil {
		return
	}
	params := pwerrors.EncodeLine(made.Params)
	emit(tool.Line{Method: made.Method, Params: r.session.Browser.Unresolved(params), Page: made.Page, Note: made.Note, Element: made.Element})
}

// page is the one that the driver calls so.
func (r *recording) page(id string) *browser.Page {
	for _, p := range r.session.OpenPages() {
		if id != "" && guid(p.PW) == id {
			return p
		}
	}
	return nil
}

// made is the request for an action, nil for none.
func (r *recording) made(a action, p *browser.Page, frames []string) *step {
	s := &step{Params: map[string]any{}, Page: r.named(p)}
	if a.Selector != "" {
		parts := make([]string, 0, len(frames)+1)
		for _, sel := range append(frames, a.Selector) {
			parts = append(parts, refs.Public(sel))
		}
		s.Params["sel"] = strings.Join(parts, refs.EnterFrame)
		if a.About.Tag != "" {
			s.Element = map[string]tool.About{"sel": a.About}
		}
	}
	switch a.Name {
	case "navigate":
		if !strings.Contains(a.URL, "://") || strings.HasPrefix(a.URL, "chrome") {
			return nil
		}
		s.Method, s.Params["url"] = "nav", r.relative(a.URL)
	case "click":
		s.click(a, len(frames) > 0)
	case "fill":
		s.fill(a)
	case "press":
		s.Method, s.Params["key"] = "press", chord(a)
	case "check", "uncheck":
		s.Method = a.Name
	case "select":
		s.Method, s.Params["val"] = "sel", a.Options
		if len(a.Options) == 1 {
			s.Params["val"] = a.Options[0]
		}
	default:
		if !s.expect(a) {
			return nil
		}
	}
	return s
}

// relative is a URL as it is given under the base URL, if it is there.
func (r *recording) relative(url string) string {
	base := strings.TrimSuffix(r.session.Browser.Config.BaseURL, "/")
	if path, ok := strings.CutPrefix(url, base); base != "" && ok && strings.HasPrefix(path, "/") {
		return path
	}
	return url
}

// click is a click: with which button, where, how often, and with what keys held.
func (s *step) click(a action, inFrame bool) {
	keys, button := heldKeys(a.Modifiers), a.Button
	switch {
	case a.At != nil && !inFrame && len(keys) == 0:
		s.Method, s.Element = "mouse-click", nil
		s.Params = map[string]any{"x": a.At.X, "y": a.At.Y}
		if button != "" && button != "left" {
			s.Params["button"] = button
		}
		if a.ClickCount > 1 {
			s.Params["count"] = min(a.ClickCount, 3)
		}
	case button == "right" && len(keys) == 0:
		s.Method = "rclick"
	case button == "middle" || len(keys) > 0 || a.ClickCount > 2:
		s.Method, s.Params["button"] = "rclick", button
		if len(keys) > 0 {
			s.Params["keys"] = keys
		}
		if a.ClickCount > 1 {
			s.Params["count"] = min(a.ClickCount, 3)
		}
	case a.ClickCount == 2:
		s.Method = "dclick"
	default:
		s.Method = "click"
	}
}

// fill is what a field holds now: files, a password that is not told, or a text.
func (s *step) fill(a action) {
	switch a.About.Type {
	case "file":
		s.Method, s.Params["files"] = "upload", a.Files
		if a.Files == nil {
			s.Params["files"] = []string{}
		}
		return
	case "password":
		name := secretName(a.About)
		s.Params["val"] = "{{" + name + "}}"
		s.Note = noteOn(name)
	default:
		s.Params["val"] = a.Text
	}
	s.Method = "fill"
}

// noteOn says how a secret is given.
func noteOn(name string) string {
	return fmt.Sprintf("what was typed is not told: give it with --secrets FILE, with a line %s=… in the file", name)
}

var reNoName = regexp.MustCompile(`[^A-Z0-9]+`)

// secretName is the name of what a password field holds.
func secretName(e tool.About) string {
	for _, words := range []string{e.Label, e.Name, e.Placeholder, e.Attr, e.ID} {
		name := strings.Trim(reNoName.ReplaceAllString(strings.ToUpper(words), "_"), "_")
		if name != "" && name[0] >= 'A' {
			return name
		}
	}
	return "PASSWORD"
}

// expect is what the person picked to hold on a replay; false is another action.
func (s *step) expect(a action) bool {
	switch a.Name {
	case "assertVisible":
		s.Method = "expect-visible"
	case "assertText":
		s.Method, s.Params["text"] = "expect-text", a.Text
		if a.Substring {
			s.Params["mode"] = "contains"
		}
	case "assertValue":
		s.Method, s.Params["value"] = "expect-value", a.Value
		if a.About.Type == "password" {
			name := secretName(a.About)
			s.Params["value"], s.Note = "{{"+name+"}}", noteOn(name)
		}
	case "assertChecked":
		s.Method = "expect-checked"
		if !a.Checked {
			s.Params["not"] = true
		}
	case "assertSnapshot":
		s.Method, s.Params["snapshot"] = "expect-snapshot", a.Snapshot
	default:
		return false
	}
	return true
}

// heldKeys are the names of modifiers in the recorder's bits.
func heldKeys(bits int) (keys []string) {
	for i, name := range []string{"Alt", "Control", "Meta", "Shift"} {
		if bits&(1<<i) != 0 {
			keys = append(keys, name)
		}
	}
	return keys
}

// chord is a key with what was held.
func chord(a action) string {
	key := a.Key
	if key == " " {
		key = "Space"
	}
	return strings.Join(append(heldKeys(a.Modifiers), key), "+")
}
