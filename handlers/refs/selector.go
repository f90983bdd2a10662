package refs

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pwpipe/handlers/pwerrors"
	"pwpipe/provider"
)

var (
	// reRef is a selector, or the first part of one, that is a ref: e5, f1e5, ref=e5,
	// aria-ref=e5, [ref=e5], and @e5 as agent-browser has it.
	reRef = regexp.MustCompile(`^\s*(?:(?:aria-)?ref=|\[ref=|@)?(f\d+)?(e\d+)\]?\s*(>>.*)?$`)
	// reInner finds refs in later parts of a selector.
	reInner = regexp.MustCompile(`>>\s*aria-ref=`)
)

// IsRef reports whether a selector is a ref alone.
func IsRef(sel string) bool {
	m := reRef.FindStringSubmatch(sel)
	return m != nil && m[3] == ""
}

// TheirRef begins a selector of an element by its ref in a snapshot of Playwright's own,
// whose numbers are not ours.
const TheirRef = "playwright-ref="

var reTheirs = regexp.MustCompile(`^playwright-ref=((?:f\d+)?e\d+)($| >> )`)

// EnterFrame is what Playwright's frameLocator puts behind an iframe.
const EnterFrame = " >> internal:control=enter-frame >> "

// longestSelector is the longest selector, in bytes. The driver parses each selector,
// for all sessions, and takes seconds for one with a hundred thousand parts.
const longestSelector = 10_000

// Bound refuses a selector that is too long. [pageRefs.Selector] does this too; Bound
// is for selectors that don't pass there.
func Bound(sel string) error {
	if len(sel) > longestSelector {
		return provider.Errorf(provider.KindLimit,
			"the selector has %d bytes, and the limit is %d", len(sel), longestSelector)
	}
	return nil
}

// Selector turns a selector as people write it into one for the driver: refs, and the
// engines below.
func (r *pageRefs) Selector(sel string) (string, error) {
	if err := Bound(sel); err != nil {
		return "", err
	}
	if reTheirs.MatchString(sel) {
		return reTheirs.ReplaceAllString(sel, "aria-ref=$1$2"), nil
	}
	m := reRef.FindStringSubmatch(sel)
	if m == nil {
		return engines(reInner.ReplaceAllString(sel, ">> ref=")), nil
	}
	out := "ref=" + m[2]
	if m[1] != "" {
		r.mu.Lock()
		iframe, given := r.frames[m[1]], r.given
		r.mu.Unlock()
		if n, err := strconv.Atoi(m[1][1:]); iframe == "" && (err != nil || n > given) {
			return "", unknownRef(m[1] + m[2])
		}
		if iframe == "" { // the engine says that it is gone
			return "ref=" + m[1] + m[2], nil
		}
		inner, err := r.Selector(iframe)
		if err != nil {
			return "", err
		}
		out = inner + EnterFrame + out + " in " + m[1]
	}
	if m[3] != "" {
		out += " " + engines(reInner.ReplaceAllString(m[3], ">> ref="))
	}
	return out, nil
}

// Driver is a selector in the driver's form, as [pageRefs.Selector] makes it, where there
// is no page and so no refs.
func Driver(sel string) (string, error) {
	if reRef.MatchString(sel) {
		return "", fmt.Errorf("%q is a ref, which means nothing without its page", sel)
	}
	return engines(sel), Bound(sel)
}

// People find a field by its label, its placeholder, its test id. Playwright has
// engines for that, which its selectors write as "internal:…". Here each has a name, as
// text= and role= have. Text without quotes matches any part of the words, in any case;
// in quotes it matches the whole; /…/ is a pattern. A test id always matches the whole,
// as in Playwright.

var (
	reEngine  = regexp.MustCompile(`^\s*(\*?)(label|placeholder|alt|title|testid)\s*=(?s:(.*))$`)
	reNested  = regexp.MustCompile(`^(\s*\*?internal:(?:has|has-not|and|or|chain)\s*=\s*)(".*")(\s*)$`)
	rePattern = regexp.MustCompile(`^/(?s:.+)/[dgimsuvy]*$`)
	// reWords is the beginning of a part in which a quote is an ordinary character, not
	// the beginning of a string.
	reWords = regexp.MustCompile(`^\s*\*?(?:text|label|placeholder|alt|title|testid)\s*=\s*[^\s"'` + "`" + `]`)
)

// engines rewrites the parts of a selector that name such an engine for the driver;
// other parts stay.
func engines(sel string) string {
	if !strings.Contains(sel, "=") {
		return sel
	}
	parts := SplitSelector(sel)
	for i, part := range parts {
		parts[i] = enginePart(part)
	}
	return strings.Join(parts, ">>")
}

// enginePart is engines for one part. A quoted selector within it is rewritten too.
func enginePart(part string) string {
	if m := reNested.FindStringSubmatch(part); m != nil {
		var inner string
		if json.Unmarshal([]byte(m[2]), &inner) != nil {
			return part
		}
		return m[1] + jsonText(engines(inner)) + m[3]
	}
	m := reEngine.FindStringSubmatch(part)
	if m == nil {
		return part
	}
	capture, name, words := m[1], m[2], strings.TrimSpace(m[3])
	exact := name == "testid"
	switch {
	case rePattern.MatchString(words):
		words = quotesEscaped(words)
	case isQuoted(words):
		words, exact = unquoted(words), true
		fallthrough
	default:
		words = matcher(name, words, exact)
	}
	// Spaces stay around the operator between parts.
	lead, trail := part[:len(part)-len(strings.TrimLeft(part, " "))], part[len(strings.TrimRight(part, " ")):]
	switch name {
	case "label":
		return lead + capture + "internal:label=" + words + trail
	case "testid":
		return lead + capture + "internal:testid=[data-testid=" + words + "]" + trail
	}
	return lead + capture + "internal:attr=[" + name + "=" + words + "]" + trail
}

// matcher writes a text for the driver's engines: i for any case and any part, s for
// the whole.
func matcher(name, words string, exact bool) string {
	how := "i"
	if exact {
		how = "s"
	}
	if name == "label" {
		return jsonText(words) + how
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(words) + `"` + how
}

// jsonText is a text as JSON, with only necessary escapes.
func jsonText(s string) string { return string(pwerrors.EncodeLine(s)) }

func isQuoted(s string) bool {
	return len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0]
}

// unquoted is the text between quotes, in which \ escapes.
func unquoted(s string) string {
	return reEscaped.ReplaceAllString(s[1:len(s)-1], "$1")
}

var reEscaped = regexp.MustCompile(`(?s)\\(.?)`)

// quotesEscaped is a pattern in which nothing begins a string or ends a part.
func quotesEscaped(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			b.WriteString(pattern[i : i+2])
			i++
		case c == '"' || c == '\'' || c == '`':
			b.WriteString(`\` + string(c))
		case c == '>' && strings.HasPrefix(pattern[i:], ">>"):
			b.WriteString(`\>`)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// SplitSelector splits a selector at ">>" outside quotes, as Playwright does.
func SplitSelector(sel string) []string {
	var parts []string
	start, quote := 0, byte(0)
	for i := 0; i < len(sel); i++ {
		switch c := sel[i]; {
		case c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case (c == '"' || c == '\'' || c == '`') && !reWords.MatchString(sel[start:i]):
			quote = c
		case c == '>' && strings.HasPrefix(sel[i:], ">>"):
			parts = append(parts, sel[start:i])
			i++
			start = i + 1
		}
	}
	return append(parts, sel[start:])
}

var reWritten = regexp.MustCompile(`internal:(label|text|attr|testid)=(?:\[([\w-]+)=)?` + reString + `([is])\]?`)

// Written is a driver's selector in the form that people write.
func Written(sel string) string {
	sel = reWritten.ReplaceAllStringFunc(sel, func(s string) string {
		m := reWritten.FindStringSubmatch(s)
		name, words := m[1], m[3]
		switch {
		case name == "attr":
			name = m[2]
		case name == "testid":
			if m[2] != "data-testid" {
				return strings.TrimPrefix(s, "internal:")
			}
		}
		if m[4] == "i" || name == "testid" {
			words = unquoted(words)
		}
		return name + "=" + words
	})
	return strings.NewReplacer("internal:control=enter-frame", "frame", "internal:", "").Replace(sel)
}

// reString is a text in quotes, in which \ escapes.
const reString = `("(?:[^"\\]|\\.)*")`

var (
	rePublic = regexp.MustCompile(`^internal:(?:(role)=([\w-]+)(?:\[name=` + reString + `([is])\])?|` +
		`(label|text)=` + reString + `([is])|` +
		`(?:attr|testid)=\[(placeholder|alt|title|data-testid)=` + reString + `([is])\])$`)
	// reBare is a text that needs no quotes wherever it stands in a selector.
	reBare = regexp.MustCompile(`^[\p{L}\p{N}](?:[^"'` + "`" + `\\<>\[\]]*[^"'` + "`" + `\\<>\[\]\s])?$`)
)

// Public is a driver's selector as people write it, and means the same. What has no such
// form stays the driver's, which all tools take, too.
func Public(sel string) string {
	parts := SplitSelector(sel)
	for i, part := range parts {
		parts[i] = publicPart(strings.TrimSpace(part))
	}
	return strings.Join(parts, " >> ")
}

// InFrame parts a selector of the driver's into the way to its frame, "" for none, and the
// selector there.
func InFrame(sel string) (way, inner string) {
	parts := SplitSelector(sel)
	for i := len(parts) - 1; i > 0; i-- {
		if strings.TrimSpace(parts[i]) == "internal:control=enter-frame" {
			return strings.TrimSpace(strings.Join(parts[:i], ">>")), strings.TrimSpace(strings.Join(parts[i+1:], ">>"))
		}
	}
	return "", sel
}

// Frames parts a selector of the driver's into the selectors of the frames on its way, and
// the selector in the last frame.
func Frames(sel string) (ways []string, inner string) {
	way, inner := InFrame(sel)
	if way == "" {
		return nil, inner
	}
	outer, last := Frames(way)
	return append(outer, last), inner
}

func publicPart(part string) string {
	m := rePublic.FindStringSubmatch(part)
	if m == nil {
		return part
	}
	if m[1] != "" {
		switch m[4] {
		case "":
			return "role=" + m[2]
		case "s":
			return "role=" + m[2] + "[name=" + m[3] + "]"
		}
		return "role=" + m[2] + "[name*=" + m[3] + "i]" // the driver looks for a part of it
	}
	name, quoted, how := m[5]+m[8], m[6]+m[9], m[7]+m[10]
	bare := unquoted(quoted)
	switch {
	case name == "data-testid" && reBare.MatchString(bare):
		return "testid=" + bare
	case name == "data-testid":
		return "testid=" + quoted
	case how == "s":
		return name + "=" + quoted
	case reBare.MatchString(bare):
		return name + "=" + bare
	}
	return part
}

// nameEngine is the selector engine "names": see the file.
//
//go:embed names.js
var nameEngine string

// NameEngine is the source of that engine.
func NameEngine() string { return nameEngine }

// Rewritten maps the driver's selectors of a call to the selectors as given.
type Rewritten map[string]string

// AsGiven makes an error name the selectors as the caller wrote them.
func (made Rewritten) AsGiven(err error) error {
	var e *provider.Error
	if len(made) == 0 || !errors.As(err, &e) {
		return err
	}
	own := *e
	for sel, given := range made {
		for _, text := range []*string{&own.Msg, &own.Hint} {
			*text = strings.ReplaceAll(*text, strconv.Quote(sel), strconv.Quote(given))
			if strings.Contains(sel, "internal:") { // others may stand in it by chance
				*text = strings.ReplaceAll(*text, sel, given)
			}
		}
	}
	return &own
}
