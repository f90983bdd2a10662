package mcptools

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/refs"
)

// The code that an answer shows as run: Playwright's, in TypeScript.

// quote writes a text as a literal in single quotes.
func quote(s string) string {
	double := inQuotes(s)
	return "'" + strings.NewReplacer(`\"`, `"`, `'`, `\'`).Replace(double[1:len(double)-1]) + "'"
}

// inQuotes writes a text as a literal in double quotes.
func inQuotes(s string) string { return string(pwerrors.EncodeLine(s)) }

// object writes options as TypeScript does, "" for none.
func object(o options) string { return typescript.args(linkOf("", o), "") }

// literal is object with a line an option, as Playwright MCP writes those of an act. An option with an
// empty text is left out.
func literal(o options) string {
	o = slices.DeleteFunc(o, func(one option) bool { return one.value == "" })
	return typescript.args(linkOf("click", o), "")
}

var (
	reRole  = regexp.MustCompile(`^(?:internal:)?role=([\w-]+)(?:\[name(\*?)=("(?:[^"\\]|\\.)*")([is]?)\])?$`)
	reWords = regexp.MustCompile(`^(internal:)?(label|text|placeholder|alt|title|testid)=(.*)$`)
	reAttr  = regexp.MustCompile(`^internal:(attr|testid)=\[([\w-]+)=("(?:[^"\\]|\\.)*")([is])\]$`)
	reHas   = regexp.MustCompile(`^internal:has-text=("(?:[^"\\]|\\.)*")([is])$`)
	reNth   = regexp.MustCompile(`^nth=(-?\d+)$`)
)

// getters maps the names of selector engines to methods of locators.
var getters = map[string]string{"label": "getByLabel", "text": "getByText", "placeholder": "getByPlaceholder",
	"alt": "getByAltText", "title": "getByTitle", "testid": "getByTestId"}

// locator reads a selector as a chain of locators: getByRole('button', { name: 'Save' }).
func locator(sel string) (ch chain) {
	for _, part := range refs.SplitSelector(sel) {
		ch = append(ch, step(strings.TrimSpace(part), len(ch) > 0))
	}
	return ch
}

// step reads one part of a selector as a call. later says that it is not the first part.
func step(part string, later bool) link {
	if part == "internal:control=enter-frame" {
		return linkOf("contentFrame") // a method of the frame's element
	}
	if m := reNth.FindStringSubmatch(part); m != nil {
		switch m[1] {
		case "0":
			return linkOf("first")
		case "-1":
			return linkOf("last")
		}
		return linkOf("nth", raw(m[1]))
	}
	if m := reHas.FindStringSubmatch(part); m != nil && later {
		return linkOf("filter", options{{"hasText", unquoted(m[1])}})
	}
	if m := reRole.FindStringSubmatch(part); m != nil {
		var o options
		if m[3] != "" {
			o = options{{"name", unquoted(m[3])}}
		}
		if m[3] != "" && m[2] == "" && m[4] != "i" {
			o = append(o, option{"exact", true})
		}
		return linkOf("getByRole", role(m[1]), o)
	}
	if m := reAttr.FindStringSubmatch(part); m != nil {
		switch {
		case m[1] == "testid":
			return getter("testid", unquoted(m[3]), true)
		case getters[m[2]] != "":
			return getter(m[2], unquoted(m[3]), m[4] == "s")
		}
	}
	if m := reWords.FindStringSubmatch(part); m != nil {
		words, exact := m[3], false
		if strings.HasPrefix(words, `"`) {
			end := strings.LastIndex(words, `"`)
			exact = words[end+1:] != "i"
			words = unquoted(words[:end+1])
		}
		return getter(m[2], words, exact)
	}
	return linkOf("locator", part)
}

func getter(name, words string, exact bool) link {
	if exact && name != "testid" {
		return linkOf(getters[name], words, options{{"exact", true}})
	}
	return linkOf(getters[name], words)
}

// unquoted reads a literal in double quotes.
func unquoted(s string) string {
	if text, err := strconv.Unquote(s); err == nil {
		return text
	}
	return strings.Trim(s, `"`)
}
