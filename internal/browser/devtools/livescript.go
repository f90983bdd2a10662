package devtools

import (
	"context"
	"fmt"
	"strings"
)

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
		ExceptionDetails *struct {
			exceptionDetails
			LineNumber, ColumnNumber int
		}
	}
	err = d.page.call(ctx, "Debugger.setScriptSource", map[string]any{"scriptId": s.id, "scriptSource": text, "allowTopFrameEditing": true}, &reply)
	if notOffered(err) {
		later, err = true, d.override(ctx, s, text)
	}
	if err != nil {
		return later, fmt.Errorf("%s was not changed: %w", short(s.URL), err)
	}
	if later {
		return true, nil
	}
	if reply.Status != "Ok" && reply.Status != "" || reply.ExceptionDetails != nil {
		why := refusals[reply.Status]
		if why == "" {
			why = reply.Status
		}
		if x := reply.ExceptionDetails; x != nil {
			why += fmt.Sprintf(": %s (line %d)", x.Error(), s.Line+x.LineNumber)
		}
		return false, fmt.Errorf("%s was not changed: %s", short(s.URL), why)
	}
	d.scripts.edited(s, strings.Count(text, "\n")+1)
	return false, d.replace(ctx, s.URL)
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
		var reply struct {
			ExceptionDetails *struct {
				exceptionDetails
				LineNumber int
			}
		}
		err := d.page.call(ctx, "Runtime.compileScript", map[string]any{"expression": text, "sourceURL": "", "persistScript": false}, &reply)
		if err != nil {
			return err
		}
		if x := reply.ExceptionDetails; x != nil {
			return fmt.Errorf("%s: %s (line %d)", refusals["CompileError"], x.Error(), s.Line+x.LineNumber)
		}
	}
	return d.page.overrides.set(ctx, s, loaded, text, d.Paused())
}
