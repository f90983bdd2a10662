package playwrightmcp

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

// quoted is quote, and "" for no text.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	return quote(s)
}

// object writes an object literal. Its members are given as name and value in turns; a member
// with an empty value is left out. Without members it is "".
func object(members ...string) string { return joined("{ ", ", ", " }", members) }

// literal is object with a line a member, as Playwright MCP writes options.
func literal(members ...string) string { return joined("{\n  ", ",\n  ", "\n}", members) }

func joined(open, between, end string, members []string) string {
	var list []string
	for pair := range slices.Chunk(members, 2) {
		if pair[1] != "" {
			list = append(list, pair[0]+": "+pair[1])
		}
	}
	if len(list) == 0 {
		return ""
	}
	return open + strings.Join(list, between) + end
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

// locator writes a selector as a chain of locators: getByRole('button', { name: 'Save' }).
func locator(sel string) string {
	var chain []string
	for _, part := range refs.SplitSelector(sel) {
		chain = append(chain, step(strings.TrimSpace(part), len(chain) > 0))
	}
	made := strings.Join(chain, ".")
	// contentFrame is a method of the frame's element.
	return strings.ReplaceAll(made, ".internal:frame", ".contentFrame()")
}

// step writes one part of a selector as a call. later says that it is not the first part.
func step(part string, later bool) string {
	if part == "internal:control=enter-frame" {
		return "internal:frame"
	}
	if m := reNth.FindStringSubmatch(part); m != nil {
		switch m[1] {
		case "0":
			return "first()"
		case "-1":
			return "last()"
		}
		return "nth(" + m[1] + ")"
	}
	if m := reHas.FindStringSubmatch(part); m != nil && later {
		return "filter({ hasText: " + quote(unquoted(m[1])) + " })"
	}
	if m := reRole.FindStringSubmatch(part); m != nil {
		if m[3] == "" {
			return "getByRole(" + quote(m[1]) + ")"
		}
		exact := ""
		if m[2] == "" && m[4] != "i" {
			exact = "true"
		}
		return "getByRole(" + quote(m[1]) + ", " + object("name", quote(unquoted(m[3])), "exact", exact) + ")"
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
	return "locator(" + quote(part) + ")"
}

func getter(name, words string, exact bool) string {
	method := getters[name]
	if exact && method != "getByTestId" {
		return method + "(" + quote(words) + ", { exact: true })"
	}
	return method + "(" + quote(words) + ")"
}

// unquoted reads a literal in double quotes.
func unquoted(s string) string {
	if text, err := strconv.Unquote(s); err == nil {
		return text
	}
	return strings.Trim(s, `"`)
}
