package login

import (
	"context"
	_ "embed"
	"time"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/browser/cdp"
)

// formSource is the function that looks for forms and types into them.
//
//go:embed form.js
var formSource string

// job tells formSource what to do in a document.
type job struct {
	Op      string   `json:"op"`   // look, type, send or clear
	Kind    string   `json:"kind"` // of field: user, password or code
	CSS     string   `json:"css"`  // of the field, "" to find it
	Value   string   `json:"value"`
	Origins []string `json:"origins"` // that may have the value
}

// seen holds what formSource found and did.
type seen struct {
	Origin string
	Ours   bool // one of the log-in's origins
	Ready  bool // the document has loaded
	Did    bool
	Abroad string // where else the form would send the value
	Get    bool   // the form would send the password in an address
	Other  bool   // another button with a target of its own would send it

	User, Password, Code bool // fields to type into
	Captcha, Push        bool
	Wrong                string // the page's own error

	document string // id of the main frame's world
	world    fastpath.World
}

// in runs a job in one document. If the document is gone, there is no answer, and the job's
// value reaches no other document.
func (f *flow) in(w fastpath.World, j job) (s seen, ok bool) {
	line, _ := fastpath.Worlds(fastpath.Unshown(f.Ctx), f.Page)
	if line == nil {
		return s, false
	}
	j.Origins = f.login.Origins
	return do(f.Ctx, line, w, j)
}

// do does a job.
func do(ctx context.Context, line *cdp.Session, w fastpath.World, j job) (s seen, ok bool) {
	var reply struct {
		Result struct {
			Value *seen
		}
		Exception any `json:"exceptionDetails"`
	}
	err := line.Call(ctx, "Runtime.callFunctionOn", map[string]any{"functionDeclaration": formSource,
		"uniqueContextId": w.Unique, "arguments": []any{map[string]any{"value": j}},
		"returnByValue": true, "silent": true, "userGesture": true}, &reply)
	if err != nil || reply.Result.Value == nil {
		return s, false
	}
	s = *reply.Result.Value
	s.world = w
	return s, true
}

// look finds the form that the page shows: in the page itself, or in a frame whose origin is
// one of the log-in's. In a page of another origin it finds no form, whatever the page frames.
func (f *flow) look() (s seen, ok bool) {
	_, worlds := fastpath.Worlds(fastpath.Unshown(f.Ctx), f.Page)
	if len(worlds) == 0 {
		return s, false
	}
	s, ok = f.in(worlds[0], job{Op: "look"})
	s.document = worlds[0].Unique
	if !ok || !s.Ours || s.User || s.Password || s.Code {
		return s, ok
	}
	for _, w := range worlds[1:min(len(worlds), maxFrames)] {
		inner, is := f.in(w, job{Op: "look"})
		if is && inner.Ours && (inner.User || inner.Password || inner.Code || inner.Captcha) {
			inner.document = s.document
			return inner, true
		}
	}
	return s, ok
}

// clearTime bounds how long fields take to be emptied.
const clearTime = 2 * time.Second

// clear empties the fields that were typed into, in documents that are still there: the page needs
// the values no more, and others could ask about them.
func (f *flow) clear() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(fastpath.Unshown(f.Ctx)), clearTime)
	defer cancel()
	line, worlds := fastpath.Known(ctx, f.Page)
	for _, w := range worlds[:min(len(worlds), maxFrames)] {
		do(ctx, line, w, job{Op: "clear", Origins: f.login.Origins})
	}
}

// maxFrames limits the frames of a page in which look looks.
const maxFrames = 20

// fill types a value into a field of the document that was seen.
func (f *flow) fill(s seen, kind, css, value string) error {
	did, ok := f.in(s.world, job{Op: "type", Kind: kind, CSS: css, Value: value})
	if err := f.refuse(did); err != nil {
		return err
	}
	if ok && did.Did {
		return nil
	}
	return errChanged
}

// refuse returns an error if a form sends its values to another origin.
func (f *flow) refuse(s seen) error {
	switch {
	case s.Get:
		return f.failed("the form at %s sends by GET, with the password in an address: nothing was sent", s.Origin)
	case s.Other:
		return f.failed("the form at %s is sent by another button, with a target of its own: nothing was sent", s.Origin)
	case s.Abroad == "":
		return nil
	}
	return f.failed("the form at %s sends to %s, which is not an origin of the log-in: nothing was sent", s.Origin, s.Abroad).
		WithHint("if that is right, whoever keeps the log-ins can add it to origin")
}
