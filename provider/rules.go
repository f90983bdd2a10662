package provider

import (
	"encoding/json"
	"regexp"
	"strings"
)

// failer is the part of testing.TB that CheckTools uses.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

var toolName = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*([-_.][a-zA-Z0-9]+)*$`)

// CheckTools checks the rules for every tool of a table: names, a title and a sentence,
// documented parameters, valid schemas.
func CheckTools(t failer, table *Table) {
	t.Helper()
	docs := map[string]string{}
	for _, tool := range table.Profile("all") {
		tool.check(t)
		key := tool.Profile + "/" + tool.Doc
		if other := docs[key]; other != "" && tool.Name != other {
			t.Errorf("%s and %s have the same doc", tool.Name, other)
		}
		docs[key] = tool.Name
	}
}

// check checks the rules for one tool.
func (t *Tool) check(test failer) {
	test.Helper()
	if !toolName.MatchString(t.Name) || isMCP(t.Name) || t.Name == "cancel" {
		test.Errorf("%s: not a name for a tool", t.Name)
	}
	if t.Title == "" || t.Doc == "" || t.Profile == "" || t.Timeout <= 0 {
		test.Errorf("%s: needs a title, a doc, a profile and a timeout", t.Name)
	}
	if strings.HasSuffix(t.Doc, ".") || strings.Contains(t.Doc, "\n\n") {
		test.Errorf("%s: the doc is one sentence without a full stop: %q", t.Name, t.Doc)
	}
	if _, err := t.In.Resolve(nil); err != nil {
		test.Errorf("%s: input schema: %v", t.Name, err)
	}
	if t.Out != nil {
		if _, err := t.Out.Resolve(nil); err != nil {
			test.Errorf("%s: output schema: %v", t.Name, err)
		}
	}
	if t.Target != "" && !t.Has(t.Target) {
		test.Errorf("%s: Target names no parameter: %q", t.Name, t.Target)
	}
	optional := false
	for _, p := range t.Params {
		if optional && !p.Optional {
			test.Errorf("%s: required parameter %s after an optional one", t.Name, p.Name)
		}
		optional = p.Optional
		if p.Default != "" && !json.Valid(p.fallback) {
			test.Errorf("%s: default of %s is not JSON", t.Name, p.Name)
		}
	}
}
