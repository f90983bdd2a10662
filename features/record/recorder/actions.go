package recorder

import (
	"encoding/json"
	"strings"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// event is an action that the recorder reports. A page chooses much of its text.
type event struct {
	Action action `json:"action"`
	Signal signal `json:"signal"`
	Frame  struct {
		PageGUID string   `json:"pageGuid"`
		Path     []string `json:"framePath"` // selectors of the frames, from the page on
	} `json:"frame"`

	page *browser.Page
	name string // of the page, as a request has it
}

// action is an action as Playwright's recorder reports it. pwpipe's additions are in
// internal/browser/driver/recorder.cjs.
type action struct {
	Name       string     `json:"name"`
	Selector   string     `json:"selector"`
	URL        string     `json:"url"`
	Text       string     `json:"text"`
	Key        string     `json:"key"`
	Button     string     `json:"button"`
	Modifiers  int        `json:"modifiers"`
	ClickCount int        `json:"clickCount"`
	Options    []string   `json:"options"`
	Files      []string   `json:"files"`
	About      tool.About `json:"about"`
	At         *struct {  // in the viewport, of what has no elements inside
		X int `json:"x"`
		Y int `json:"y"`
	} `json:"at"`
	picked
}

// picked holds what a person picked for an expectation. A click has Checked, too.
type picked struct {
	Checked   bool   `json:"checked"`
	Value     string `json:"value"`
	Substring bool   `json:"substring"`
	Snapshot  string `json:"ariaSnapshot"`
}

// signal is a consequence of an action.
type signal struct {
	Name     string `json:"name"`
	Dialog   string `json:"dialog"` // the driver's name
	Kind     string `json:"kind"`
	Accepted bool   `json:"accepted"`
	Text     string `json:"text"`
}

const (
	// settles is how long an action waits before it is written: a click may still become a
	// double click, or a download.
	settles = time.Second
	// soon is the time within which an event counts as the consequence of an action.
	soon = time.Second
	// leads is the time within which a navigation counts as the consequence of an action.
	leads = 5 * time.Second
)

// longest is the maximum size of an event in bytes. A page chooses its texts.
const longest = 1 << 20

// heard decodes an event, nil for none. It looks up the page's name now, since the page may be
// gone when the event is handled.
func (r *recording) heard(data any) *event {
	text, err := json.Marshal(data)
	e := &event{}
	if err != nil || len(text) > longest || json.Unmarshal(text, e) != nil {
		return nil
	}
	r.mu.Lock()
	e.page = r.pages[e.Frame.PageGUID]
	r.mu.Unlock()
	if e.page == nil {
		return nil
	}
	e.name = r.named(e.page)
	return e
}

// take handles an event.
func (r *recording) take(what string, e *event) {
	if what == "signalAdded" { // pages and dialogs have events of their own
		switch e.Signal.Name {
		case "download":
			r.downloads(e.name)
		case "answered":
			r.answered(e)
		}
		return
	}
	a := e.Action
	a.About = r.hidden(a.About)
	if a.Name == "click" && (a.About.Type == "checkbox" || a.About.Type == "radio") { // by a key
		a.Name = map[bool]string{true: "check", false: "uncheck"}[a.Checked]
	}
	if r.follows(a, r.last[e.page]) {
		return
	}
	made := r.made(a, e)
	if made == nil {
		return
	}
	r.last[e.page] = done{a.Name, a.URL, time.Now()}
	if r.pending != nil && !(what == "actionUpdated" || r.leadsTo(a, made)) {
		r.flush()
	}
	r.pending, r.kind = made, a.Name
	r.timer.Reset(settles)
}

// follows reports whether an action is the consequence of another one, and so happens in a
// replay by itself. The browser makes a click of a key or of a label's click, and an act in a
// form may lead to a navigation.
func (r *recording) follows(a action, before done) bool {
	since := time.Since(before.at)
	switch a.Name {
	case "click":
		return a.ClickCount == 0 && since < soon || a.About.Type == "file" // which opens the browser's own dialog
	case "navigate":
		switch before.name {
		case "check", "uncheck", "select", "click", "fill", "press":
			return since < leads
		case "navigate": // to a place of the document: many pages write it by themselves
			page, _, _ := strings.Cut(before.url, "#")
			at, _, within := strings.Cut(a.URL, "#")
			return within && at == page && since < leads
		}
	}
	return false
}

// leadsTo reports whether the pending action is only the way to this one: a click into a
// field that is then filled.
func (r *recording) leadsTo(a action, made *step) bool {
	before := r.pending
	if r.kind != "click" || before.Method != "click" || before.Page != made.Page {
		return false
	}
	return before.Params["sel"] == made.Params["sel"] && (a.Name == "fill" || a.Name == "select")
}

// downloads turns the click that started a download into a request that waits for the download.
func (r *recording) downloads(page string) {
	if r.pending != nil && r.pending.Page == page && r.pending.Method == "click" {
		r.pending.Method = "download"
		r.flush()
	}
}

// flush writes the pending action, unless a dialog waits for its answer.
func (r *recording) flush() {
	if r.pending == nil || r.asking > 0 {
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
	params := provider.MapStrings(pwerrors.EncodeLine(made.Params), made.unresolvable)
	params = r.session.Browser.Unresolved(params)
	emit(tool.Line{Method: made.Method, Params: params, Page: made.Page, Note: made.Note, Element: made.Element})
}

// hidden masks the secrets in the description of an element.
func (r *recording) hidden(e tool.About) (masked tool.About) {
	if json.Unmarshal([]byte(r.session.Browser.Hide(string(pwerrors.EncodeLine(e)))), &masked) != nil {
		return tool.About{Tag: e.Tag, Type: e.Type}
	}
	return masked
}
