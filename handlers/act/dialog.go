package act

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// DialogTools set the answers to dialogs, and list dialogs.
func DialogTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPageDo(tool.Act.Acts("dialog", "Answer dialogs",
			"Set the answer to the page's next dialogs (alert, confirm, prompt, beforeunload); by default they are dismissed").
			Within(5*time.Second), answerDialogs),
		tool.OnPage(tool.Act.Reads("dialogs", "List dialogs",
			"List the dialogs that the page has shown, and how each was answered").Within(5*time.Second), listDialogs),
	}
}

// maxDialogs is the number of a page's newest dialogs that are kept.
const maxDialogs = 200

// answering has the dialogs of each page, and the prepared answers to the next ones.
var answering browser.State[*browser.Page, dialogs]

// Hooks answers dialogs with the answers that the tool dialog has set, and keeps downloads.
var Hooks = browser.Hooks{Page: watchDownloads,
	Dialog: func(_ *browser.Session, p *browser.Page, d playwright.Dialog) bool {
		if p == nil {
			return false
		}
		answering.Of(p).answer(d)
		return true
	}}

type dialogs struct {
	mu      sync.Mutex
	answers []dialogParams // in order; one with Times 0 stays
	shown   []dialogShown
	count   int // of all that were shown
}

// DialogsShown is how many dialogs a page has shown.
func DialogsShown(p *browser.Page) int {
	d := answering.Of(p)
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count
}

// DialogsSince words the dialogs that a page has shown since there were so many, and how each was
// answered.
func DialogsSince(p *browser.Page, count int) (list []string) {
	d := answering.Of(p)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.shown[max(0, len(d.shown)-(d.count-count)):] {
		line := fmt.Sprintf("%s %q was %s", s.Type, p.Short(s.Message, 200), s.Answer)
		if s.Text != "" {
			line += fmt.Sprintf(" with %q", p.Short(s.Text, 100))
		}
		list = append(list, line)
	}
	return list
}

type dialogParams struct {
	Action string  `json:"action" doc:"what to do with them" enum:"accept,dismiss"`
	Text   *string `json:"text,omitempty" doc:"what to enter in a prompt; default: what it proposes"`
	Times  int     `json:"times,omitempty" doc:"how many dialogs it is for; 0: all that come" default:"1" min:"0"`
}

type dialogShown struct {
	Type    string `json:"type" own:"word" doc:"alert, confirm, prompt or beforeunload"`
	Message string `json:"message" doc:"its text"`
	Default string `json:"default,omitempty" doc:"what a prompt proposes"`
	Answer  string `json:"answer" own:"word" doc:"accepted or dismissed, or left to a client"`
	Text    string `json:"text,omitempty" doc:"what was entered"`
	Planned bool   `json:"planned" doc:"whether the tool dialog had set the answer"`
}

// answerDialogs adds an answer for future dialogs. An answer for all dialogs stays the last.
func answerDialogs(c *tool.Call, in dialogParams) error {
	d := answering.Of(c.Page)
	d.mu.Lock()
	defer d.mu.Unlock()
	if in.Times == 0 {
		d.answers = nil
	}
	d.answers = append(d.answers, in)
	slices.SortStableFunc(d.answers, func(a, b dialogParams) int { return min(b.Times, 1) - min(a.Times, 1) })
	return nil
}

// listDialogs lists the dialogs of page.on("dialog").
func listDialogs(c *tool.Call, _ tool.NoParams) ([]dialogShown, error) {
	d := answering.Of(c.Page)
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]dialogShown{}, d.shown...), nil
}

// answer answers a dialog at once, so that no dialog blocks a page: with the prepared
// answer, else it dismisses the dialog. It may block.
func (d *dialogs) answer(dialog playwright.Dialog) {
	plan, planned := d.next(dialog.Type())
	shown := dialogShown{Type: dialog.Type(), Message: dialog.Message(), Default: dialog.DefaultValue(),
		Answer: map[string]string{"accept": "accepted", "dismiss": "dismissed"}[plan.Action], Planned: planned}
	var text []string
	if plan.Action == "accept" && dialog.Type() == "prompt" {
		shown.Text = dialog.DefaultValue()
		if plan.Text != nil {
			shown.Text = *plan.Text
		}
		text = []string{shown.Text}
	}
	d.note(shown)
	if plan.Action == "accept" {
		_ = dialog.Accept(text...)
	} else {
		_ = dialog.Dismiss()
	}
}

func (d *dialogs) note(shown dialogShown) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	if d.shown = append(d.shown, shown); len(d.shown) > maxDialogs {
		d.shown = d.shown[1:]
	}
}

// Planned reports whether the tool dialog has set an answer for a page's next dialog.
func Planned(p *browser.Page) bool {
	d := answering.Of(p)
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.answers) > 0
}

// LeftTo records that somebody else has answered a dialog of a page.
func LeftTo(who string, p *browser.Page, d playwright.Dialog) {
	answering.Of(p).note(dialogShown{Type: d.Type(), Message: d.Message(), Default: d.DefaultValue(), Answer: "left to " + who})
	// Two successive dialogs may come here in the wrong order. The driver knows which
	// one is over, and refuses to answer it again; nobody else answers the other one.
	_ = d.Dismiss()
}

// next takes the answer for the next dialog. The default dismisses it, except
// beforeunload, which would stop a requested navigation.
func (d *dialogs) next(kind string) (plan dialogParams, planned bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.answers) == 0 {
		if kind == "beforeunload" {
			return dialogParams{Action: "accept"}, false
		}
		return dialogParams{Action: "dismiss"}, false
	}
	plan = d.answers[0]
	switch plan.Times {
	case 0: // stays
	case 1:
		d.answers = d.answers[1:]
	default:
		d.answers[0].Times--
	}
	return plan, true
}
