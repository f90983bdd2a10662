package act

import (
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

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

// contents answers what a field or an editor holds: the text, and what of it a person can have typed.
const contents = `(el) => {
	el = el.localName === 'label' ? el.control ?? el : el;
	if (el.isContentEditable) {
		const lines = ` + "{LINES}" + `;
		return {edited: true, text: lines(el), own: /[\s\u200b\ufeff]+/g[Symbol.replace](lines(el, true), '')};
	}
	return {edited: false, text: String(el.value ?? ''), own: String(el.value ?? '')};
}`

// held is what contents answers.
type held struct {
	edited    bool
	text, own string
}

func contentsOf(c *tool.Call, sel string) (h held, ok bool) {
	v, err := tool.Frame(c.Page).EvalOnSelector(sel, strings.Replace(contents, "{LINES}", tool.EditedLines, 1), nil)
	m, isMap := v.(map[string]any)
	if err != nil || !isMap {
		return held{}, false // the act has led elsewhere
	}
	h.edited, _ = m["edited"].(bool)
	h.text, _ = m["text"].(string)
	h.own, _ = m["own"].(string)
	return h, true
}

// fillAndCheck fills what is ready. Editors may keep what they hold, and a page may put it back: so it looks at
// what came of the act, and repeats it in an editor.
func fillAndCheck(c *tool.Call, sel, text string) error {
	before, known := contentsOf(c, sel)
	repeats := 1
	if before.edited {
		repeats = maxRepeats
	}
	for range repeats {
		if before.edited {
			if err := placeCaret(c, sel, true); err != nil {
				return err
			}
		}
		if err := tool.Frame(c.Page).Fill(sel, text, playwright.FrameFillOptions{Timeout: c.Left()}); err != nil {
			return err
		}
		if !known || !before.edited && text != "" {
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
		return h.own != "" && strings.Contains(h.own, before.own) && before.own != ""
	}
	wanted := strings.Join(strings.Fields(text), "")
	switch own := h.own; {
	case own == wanted:
		return false
	case own == "" || own == before.own:
		return true
	default:
		return before.own != "" && strings.Contains(own, before.own) && !strings.Contains(wanted, before.own)
	}
}
