package refs

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"strings"

	"pwpipe/handlers/pwerrors"
)

// People find a field by its label, its placeholder, its test id. Playwright has
// engines for that, which its selectors write as "internal:…". Here each has a name, as
// text= and role= have. Text without quotes matches any part of the words, in any case;
// in quotes it matches the whole; /…/ is a pattern. A test id always matches the whole,
// as in Playwright.

// attributes are the attributes with an engine, by the engine's name.
var attributes = map[string]string{"placeholder": "placeholder", "alt": "alt", "title": "title", "testid": "data-testid"}

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
		return lead + capture + "internal:testid=[" + attributes[name] + "=" + words + "]" + trail
	}
	return lead + capture + "internal:attr=[" + attributes[name] + "=" + words + "]" + trail
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
	var b strings.Builder
	escaped := false
	for _, c := range s[1 : len(s)-1] {
		if c == '\\' && !escaped {
			escaped = true
			continue
		}
		b.WriteRune(c)
		escaped = false
	}
	return b.String()
}

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

var (
	reWritten = regexp.MustCompile(`internal:(label|text|attr|testid)=(?:\[([\w-]+)=)?("(?:[^"\\]|\\.)*")([is])\]?`)
	reOurs    = regexp.MustCompile(`internal:control=enter-frame`)
)

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
	return strings.ReplaceAll(reOurs.ReplaceAllString(sel, "frame"), "internal:", "")
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
