package devtools

import (
	"context"
	"fmt"
	"strings"
)

// refusals say why a script could not be changed, by the status that
// Debugger.setScriptSource answers.
var refusals = map[string]string{
	"CompileError":                    "it does not compile",
	"BlockedByActiveGenerator":        "a generator or an async function that changed is still under way; try again when it has ended, or reload",
	"BlockedByActiveFunction":         "a function that changed is running; resume the page and try again",
	"BlockedByTopLevelEsModuleChange": "the top level of an ES module can't be changed in place",
}

// setSource puts another text into a script: Debugger.setScriptSource. It is
// compiled first. Functions that run already end as they began.
func (d *Debugger) setSource(ctx context.Context, s *Script, text string) error {
	var reply struct {
		Status           string
		ExceptionDetails *struct {
			exceptionDetails
			LineNumber, ColumnNumber int
		}
	}
	if err := d.page.call(ctx, "Debugger.setScriptSource", map[string]any{"scriptId": s.id, "scriptSource": text, "allowTopFrameEditing": true}, &reply); err != nil {
		return fmt.Errorf("%s was not changed: %w", short(s.URL), err)
	}
	if reply.Status != "Ok" && reply.Status != "" || reply.ExceptionDetails != nil {
		why := refusals[reply.Status]
		if why == "" {
			why = reply.Status
		}
		if x := reply.ExceptionDetails; x != nil {
			why += fmt.Sprintf(": %s (line %d)", x.Error(), s.Line+x.LineNumber)
		}
		return fmt.Errorf("%s was not changed: %s", short(s.URL), why)
	}
	d.mu.Lock()
	s.Lines = strings.Count(text, "\n") + 1
	delete(d.sources, s.id)
	d.mu.Unlock()
	return d.replace(ctx, s.URL)
}
