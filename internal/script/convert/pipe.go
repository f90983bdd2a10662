package convert

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The programs of these languages speak to pwpipe over its pipe. What they are called with
// goes to pwpipe: --base-url, --secrets and the like. They end at the first error.

// asIs is for shells, and for JavaScript, which reads JSON.
func asIs(s Step) (string, error) { return s.request(), nil }

func golang(s Step) (string, error) {
	line := s.request()
	if strings.Contains(line, "`") {
		return strconv.Quote(line), nil
	}
	return "`" + line + "`", nil
}

// rePython finds what may differ between JSON and Python: texts, and three words.
var (
	rePython    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|true|false|null`)
	pythonWords = map[string]string{"true": "True", "false": "False", "null": "None"}
)

func python(s Step) (string, error) {
	return rePython.ReplaceAllStringFunc(s.request(), func(part string) string {
		if word := pythonWords[part]; word != "" {
			return word
		}
		var s string
		_ = json.Unmarshal([]byte(part), &s)
		return text(s) // pairs of surrogates become characters
	}), nil
}

// ilo calls the tools over MCP: texts, by position, and only those that a tool requires.
func ilo(steps []Step) (string, error) {
	var body strings.Builder
	var profiles []string
	for _, s := range steps {
		if s.Page != "" || s.Timeout > 0 {
			return "", s.errorf("ilo has no page and no timeout of a call")
		}
		if !slices.Contains(profiles, s.Profile) {
			profiles = append(profiles, s.Profile)
		}
		fmt.Fprintf(&body, "  %s!", s.Tool)
		for _, p := range s.Params {
			if !p.Required {
				return "", s.errorf("ilo can't give %q, which may be left out", p.Name)
			}
			body.WriteString(" " + iloText(p.Value))
		}
		if len(s.Params) == 0 {
			body.WriteString("()")
		}
		body.WriteByte('\n')
	}
	return "-- ilo run --vm FILE --mcp mcp.json flow, where mcp.json starts pwpipe --profile " + strings.Join(profiles, ",") +
		"\nflow>R t t\n" + body.String() + "  ~\"ok\"\n", nil
}

// iloText is a value as ilo writes a text. In a text {x} would be filled in.
func iloText(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) != nil {
		var b bytes.Buffer
		_ = json.Compact(&b, value)
		s = b.String()
	}
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(text(s))
}
