// Package convert makes a program of a script of requests: one that runs without a model,
// in a language of its reader's choice.
package convert

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

// Step is a request of a script.
type Step struct {
	Line    int    // of the file
	Tool    string // its name
	Profile string
	Params  []Param // in the order of the declaration
	Page    string  // "" for the active one
	Timeout float64 // seconds, 0 for the tool's own
	// Selector is the parameter sel in the driver's form, a part an element.
	Selector []string
}

// Param is a parameter of a request.
type Param struct {
	Name     string
	Value    json.RawMessage
	Required bool
}

// programs are the programs of the languages. Each has a line for a step, which is written
// once for every step of a script.
//
//go:embed programs
var programs embed.FS

// languages are the files of the languages, and what writes a step in the place of STEP.
var languages = map[string]struct {
	file string
	step func(Step) (string, error)
}{
	"playwright": {"playwright.cjs", playwright}, "bash": {"bash.sh", asIs}, "python": {"python.py", python},
	"node": {"node.cjs", asIs}, "go": {"go.txt", golang},
}

// Languages are the names of the languages, in order.
func Languages() []string { return []string{"playwright", "ilo", "bash", "python", "node", "go"} }

// HasBatch reports whether a program in a language can send a batch.
func HasBatch(language string) bool { return language != "playwright" && language != "ilo" }

// To writes a program.
func To(language string, steps []Step) (string, error) {
	if language == "ilo" {
		return ilo(steps)
	}
	to, known := languages[language]
	if !known {
		return "", fmt.Errorf("expected one of %s, got %q", strings.Join(Languages(), ", "), language)
	}
	program, _ := programs.ReadFile("programs/" + to.file) // it is embedded
	var b strings.Builder
	for line := range strings.Lines(string(program)) {
		before, after, repeats := strings.Cut(line, "STEP")
		if !repeats {
			b.WriteString(line)
			continue
		}
		for _, s := range steps {
			code, err := to.step(s)
			if err != nil {
				return "", err
			}
			b.WriteString(before + code + after)
		}
	}
	return b.String(), nil
}

func (s Step) object() string {
	var members []string
	for _, p := range s.Params {
		members = append(members, text(p.Name)+": "+string(p.Value))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// request is the step as a line of the pipe.
func (s Step) request() string {
	line := `{"method":` + text(s.Tool)
	if len(s.Params) > 0 {
		line += `,"params":` + s.object()
	}
	if s.Page != "" {
		line += `,"page":` + text(s.Page)
	}
	if s.Timeout > 0 {
		line += fmt.Sprintf(`,"timeout":%g`, s.Timeout)
	}
	return line + "}"
}

// text is a text as JSON, which is a text in JavaScript and Python, too.
func text(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a text can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// get is a parameter as a text, "" where it is none.
func (s Step) get(name string) string {
	var v string
	_ = json.Unmarshal(s.raw(name), &v)
	return v
}

// raw is a parameter as JSON, "null" for none.
func (s Step) raw(name string) json.RawMessage {
	for _, p := range s.Params {
		if p.Name == name {
			return p.Value
		}
	}
	return json.RawMessage("null")
}

// errorf says which step has no counterpart.
func (s Step) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %s: %s", s.Line, s.Tool, fmt.Sprintf(format, args...))
}
