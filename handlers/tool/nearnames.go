package tool

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/launch"
	"pwpipe/handlers/refs"
	"pwpipe/internal/text/suggest"
)

// lookup is what the last part of a selector looks for: a name among those that
// the engine names tells.
type lookup struct {
	kind string // role textbox, label, text, attr placeholder
	what string // what these are called in an error
	name string
}

var (
	reByRole = regexp.MustCompile(`^(?:internal:)?role=\s*([\w-]+)\s*\[(?:.*\[)?\s*name\s*[*^$|~]?=\s*(.+?)\s*\](?:\[.*)?$`)
	reByWord = regexp.MustCompile(`^(?:internal:)?(label|text)=(.+)$`)
	reByAttr = regexp.MustCompile(`^internal:(?:attr|testid)=\[([\w-]+)=(.+)\]$`)
	reRefine = regexp.MustCompile(`^(?:nth|visible)=\S+$`)
)

// lookedFor finds what a selector of the driver's looks for, and the way to
// where it looks; false if no names could be told.
func lookedFor(sel string) (w lookup, way string, ok bool) {
	parts := refs.SplitSelector(sel)
	for len(parts) > 1 && reRefine.MatchString(strings.TrimSpace(parts[len(parts)-1])) {
		parts = parts[:len(parts)-1]
	}
	last := strings.TrimSpace(parts[len(parts)-1])
	if len(parts) > 1 {
		way = strings.Join(parts[:len(parts)-1], ">>") + " >> "
	}
	for before, re := range map[string]*regexp.Regexp{"role ": reByRole, "": reByWord, "attr ": reByAttr} {
		if m := re.FindStringSubmatch(last); m != nil {
			w = lookup{before + m[1], m[1], bare(m[2])}
			if strings.HasPrefix(last, "internal:testid") {
				w.what = "testid"
			}
			return w, way, true
		}
	}
	return w, "", false
}

// bare is a name without its quotes or slashes and what stands behind them.
func bare(s string) string {
	s = strings.TrimSpace(s)
	if end := strings.LastIndexAny(s, `"'/`); end > 0 && s[end] == s[0] {
		if text, err := strconv.Unquote(`"` + s[1:end] + `"`); err == nil {
			return text
		}
		return s[1:end]
	}
	return s
}

// maxNames is how many names an error offers, nameLength how much of each, in
// characters.
const (
	maxNames   = 3
	nameLength = 60
)

// nearNames says which names there are that a selector which matches nothing
// may have meant: "; textbox here: "Customer name", "Postcode"", or "".
func nearNames(f playwright.Frame, sel string, within time.Duration, short func(string, int) string) string {
	w, way, ok := lookedFor(sel)
	if !ok {
		return ""
	}
	answer := make(chan string, 1)
	timeout := float64(within.Milliseconds())
	if !launch.Within(within, func() error {
		text, err := f.TextContent(way+"names="+w.kind, playwright.FrameTextContentOptions{Timeout: &timeout})
		answer <- text
		return err
	}) {
		return ""
	}
	var names []string
	if json.Unmarshal([]byte(<-answer), &names) != nil {
		return ""
	}
	found := suggest.Ranked(w.name, names, maxNames)
	switch {
	case w.kind == "text": // there is much text on a page: only what is alike
		found = suggest.Names(w.name, names)
	case len(names) == 0 && strings.HasPrefix(w.kind, "role"):
		return "; no " + w.what + " here has a name"
	}
	if len(found) == 0 {
		return ""
	}
	for i, name := range found {
		found[i] = strconv.Quote(short(name, nameLength))
	}
	return "; " + w.what + " here: " + strings.Join(found, ", ")
}
