package devtools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
)

// Edited says where a file was changed.
type Edited struct {
	Kind string `json:"kind" own:"yes" doc:"script or stylesheet"`
	URL  string `json:"url" doc:"address"`
	Line int    `json:"line" doc:"first line that changed"`
	// InForce is Now or AfterReload.
	InForce string `json:"inForce" own:"yes" doc:"now, or after reload: when the page loads the script anew, from then on"`

	text string
}

// When an edit takes effect.
const (
	Now         = "now"
	AfterReload = "after reload"
)

// Edit replaces a text that occurs exactly once in the files that file names:
// Debugger.setScriptSource or CSS.setStyleSheetText, else an override of the response
// for the script's address. It changes a script that several frames loaded in each.
func (e *Editor) Edit(ctx context.Context, file, old, with string) (*Edited, error) {
	if old == "" || old == with {
		return nil, errors.New("old: expected a text of the file that differs from the new one")
	}
	list, err := e.named(file)
	if err != nil {
		return nil, err
	}
	hits, err := e.holding(ctx, list, old)
	if err != nil {
		return nil, err
	}
	if len(hits) == 0 {
		return nil, fmt.Errorf("old: %s does not contain that text; read or search it first; white space counts", some(urls(list), 3))
	}
	if found := places(hits, old); len(found) > 1 {
		return nil, fmt.Errorf("old: the text occurs %d times: %s; include more of the lines around it", len(found), some(found, 5))
	}
	f := hits[0].file
	done := &Edited{Kind: f.Kind, URL: f.URL, Line: f.Line + strings.Count(hits[0].text[:strings.Index(hits[0].text, old)], "\n"), InForce: Now}
	for _, h := range hits {
		done.text = strings.Replace(h.text, old, with, 1)
		later, err := e.write(ctx, h.file, done.text)
		if err != nil {
			return nil, err
		}
		if later {
			done.InForce = AfterReload
		}
	}
	return done, nil
}

type hit struct {
	file File
	text string
}

// places are the places of a text; a script that several frames loaded counts once.
func places(hits []hit, old string) (list []string) {
	for i, h := range hits {
		if i > 0 && h.file.URL == hits[0].file.URL && h.text == hits[0].text {
			continue
		}
		line, parts := h.file.Line, strings.Split(h.text, old)
		for _, part := range parts[:len(parts)-1] {
			line += strings.Count(part, "\n")
			list = append(list, fmt.Sprintf("%s:%d", short(h.file.URL), line))
			line += strings.Count(old, "\n")
		}
	}
	return list
}

// holding are the files that contain a text.
func (e *Editor) holding(ctx context.Context, list []File, old string) ([]hit, error) {
	var hits []hit
	for _, f := range list {
		text, err := e.text(ctx, f)
		if err != nil {
			return nil, err
		}
		if strings.Contains(text, old) {
			hits = append(hits, hit{f, text})
		}
	}
	return hits, nil
}

// write replaces a file's text, now or from the next load on.
func (e *Editor) write(ctx context.Context, f File, text string) (later bool, err error) {
	if f.sheet != nil {
		return false, e.page.call(ctx, "CSS.setStyleSheetText", map[string]any{"styleSheetId": f.sheet.id, "text": text}, nil)
	}
	return e.debugger.setSource(ctx, f.script, text)
}

// WaitPaused is the debugger's.
func (e *Editor) WaitPaused(ctx context.Context) error { return e.debugger.WaitPaused(ctx) }

// Runs reports whether the page has loaded the edited version of a script.
func (e *Editor) Runs(ctx context.Context, done *Edited) bool {
	e.page.Settle(ctx)
	for _, s := range e.debugger.scripts.matching(func(url string) bool { return url == done.URL }) {
		if loaded, err := e.debugger.source(ctx, s.id); err == nil && loaded == done.text {
			return true
		}
	}
	return false
}

// refusals say why a script could not be changed, by the status of
// Debugger.setScriptSource.
var refusals = map[string]string{
	"CompileError":                    "it does not compile",
	"BlockedByActiveGenerator":        "a generator or an async function that changed is still under way; try again when it has ended, or reload",
	"BlockedByActiveFunction":         "a function that changed is running; resume the page and try again",
	"BlockedByTopLevelEsModuleChange": "the top level of an ES module can't be changed in place",
}

// setSource replaces a script's text: Debugger.setScriptSource. It compiles the text
// first. Running functions end with their old code. Where Chromium does not support
// this any more (since 145), the page gets the text when it next loads the script; then
// later is true.
func (d *Debugger) setSource(ctx context.Context, s *Script, text string) (later bool, err error) {
	var reply struct {
		Status           string
		ExceptionDetails *exceptionDetails
	}
	err = d.page.call(ctx, "Debugger.setScriptSource", map[string]any{"scriptId": s.id, "scriptSource": text, "allowTopFrameEditing": true}, &reply)
	switch {
	case notOffered(err):
		later, err = true, d.override(ctx, s, text)
	case err == nil && (reply.Status != "Ok" && reply.Status != "" || reply.ExceptionDetails != nil):
		err = s.refusal(reply.Status, reply.ExceptionDetails)
	}
	if err != nil {
		return later, fmt.Errorf("%s was not changed: %w", short(s.URL), err)
	}
	if later {
		return true, nil
	}
	d.scripts.edited(s, strings.Count(text, "\n")+1)
	return false, d.replace(ctx, s.URL)
}

// refusal says why a text was refused, and where it is wrong if x is not nil.
func (s *Script) refusal(status string, x *exceptionDetails) error {
	why := cmp.Or(refusals[status], status)
	if x != nil {
		why += fmt.Sprintf(": %s (line %d)", x.Error(), s.Line+x.LineNumber)
	}
	return errors.New(why)
}

// notOffered reports whether the browser has no such command any more.
func notOffered(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "no longer available") || strings.Contains(err.Error(), "wasn't found"))
}

// override makes the page get a text when it next loads a script. Unless it is a
// module, it is compiled first.
func (d *Debugger) override(ctx context.Context, s *Script, text string) error {
	loaded, err := d.source(ctx, s.id)
	if err != nil {
		return err
	}
	if !s.Module {
		wrong, err := d.compile(ctx, text)
		if err != nil {
			return err
		}
		if wrong != nil {
			return s.refusal("CompileError", wrong)
		}
	}
	return d.page.overrides.set(ctx, s, loaded, text, d.Paused())
}
