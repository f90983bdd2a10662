package act

import (
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// caret places the caret of what is edited in place: see the file.
//
//go:embed caret.js
var caret string

const (
	learning   = 60 * time.Millisecond // in which most editors learn of a new selection, and draw
	maxLooks   = 5                     // for what came of an act, one each learning
	maxRepeats = 3
)

// placeCaret puts the caret of what is edited in place after its contents, or selects them all, and
// waits until its editor leaves the selection there: editors learn of it late, and act on their own
// until then. It changes nothing in other elements.
func placeCaret(c *tool.Call, sel string, all bool) error {
	for range maxLooks {
		state, err := tool.Frame(c.Page).EvalOnSelector(sel, caret, all)
		if err != nil || state != "moved" {
			return err
		}
		if err := c.Pause(learning); err != nil {
			return err
		}
	}
	return nil // the editor has a caret of its own
}

// contents answers whether an element is edited in place, and what of its text a person can have typed.
var contents = `(el) => {
	el = el.localName === 'label' ? el.control ?? el : el;
	if (!el.isContentEditable) return {edited: false, own: String(el.value ?? '')};
	const lines = ` + strings.TrimRight(tool.EditedLines, "; \n") + `;
	return {edited: true, own: /[\s\u200b\ufeff]+/g[Symbol.replace](lines(el, true), '')};
}`

// contentsHeld asks for contents without the driver, which would send its library into the page's own world first.
var contentsHeld = fastpath.DefineAside("contents",
	"(page, sel) => { const el = page.one(sel); return el && ("+contents+")(el) }")

// held is what contents answers.
type held struct {
	Edited bool
	Own    string
}

func contentsOf(c *tool.Call, sel string) (h held, ok bool) {
	if c.Direct(contentsHeld, sel, nil, &h) {
		return h, true
	}
	v, err := tool.Frame(c.Page).EvalOnSelector(sel, contents, nil)
	m, isMap := v.(map[string]any)
	if err != nil || !isMap {
		return held{}, false // the act has led elsewhere
	}
	h.Edited, _ = m["edited"].(bool)
	h.Own, _ = m["own"].(string)
	return h, true
}

// fillAndCheck fills what is ready. Editors may keep what they hold, and a page may put it back: so it looks at
// what came of the act, and repeats it in an editor.
func fillAndCheck(c *tool.Call, sel, text string) error {
	before, known := contentsOf(c, sel)
	repeats := 1
	if before.Edited {
		repeats = maxRepeats
	}
	for range repeats {
		if before.Edited {
			if err := placeCaret(c, sel, true); err != nil {
				return err
			}
		}
		if err := tool.Frame(c.Page).Fill(sel, text, playwright.FrameFillOptions{Timeout: c.Left()}); err != nil {
			return err
		}
		if !known || !before.Edited && text != "" {
			return nil
		}
		for range maxLooks {
			if now, ok := contentsOf(c, sel); !ok || !now.keeps(before, text) {
				return nil
			}
			if err := c.Pause(learning); err != nil {
				return err
			}
		}
	}
	what, tries := "holds another text", fmt.Sprint(repeats, " tries")
	if text == "" {
		what = "still has its text"
	}
	if repeats == 1 {
		tries = "1 try"
	}
	return provider.Errorf(provider.KindFailed, "%q %s after %s on %s: the page keeps it, or puts it back",
		sel, what, tries, c.Where()).WithHint("value tells what it holds; press and type do it key by key")
}

// keeps reports whether a fill has left what was there before. Editors may change what they are
// given; that counts as filled.
func (h held) keeps(before held, text string) bool {
	if text == "" {
		return h.Own != "" && strings.Contains(h.Own, before.Own) && before.Own != ""
	}
	wanted := strings.Join(strings.Fields(text), "")
	switch own := h.Own; {
	case own == wanted:
		return false
	case own == "" || own == before.Own:
		return true
	default:
		return before.Own != "" && strings.Contains(own, before.Own) && !strings.Contains(wanted, before.Own)
	}
}
