package handlers_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pwpipe/features"
	"pwpipe/provider"
)

var toolName = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*([-_.][a-zA-Z0-9]+)*$`)

// TestTableRules checks the rules for every tool: names, a title and a sentence, documented
// parameters, valid schemas.
func TestTableRules(t *testing.T) {
	docs := map[string]string{}
	for _, tool := range provider.NewTable(features.Tools(), provider.TableOptions{}).Profile("all") {
		checkRules(t, tool)
		key := tool.Profile + "/" + tool.Doc
		if other := docs[key]; other != "" && tool.Name != other {
			t.Errorf("%s and %s have the same doc", tool.Name, other)
		}
		docs[key] = tool.Name
	}
}

func checkRules(t *testing.T, tool *provider.Tool) {
	if !toolName.MatchString(tool.Name) || slices.Contains([]string{"initialize", "ping", "cancel"}, tool.Name) {
		t.Errorf("%s: not a name for a tool", tool.Name)
	}
	if tool.Title == "" || tool.Doc == "" || tool.Profile == "" || tool.Timeout <= 0 {
		t.Errorf("%s: needs a title, a doc, a profile and a timeout", tool.Name)
	}
	if strings.HasSuffix(tool.Doc, ".") || strings.Contains(tool.Doc, "\n\n") {
		t.Errorf("%s: the doc is one sentence without a full stop: %q", tool.Name, tool.Doc)
	}
	if _, err := tool.In.Resolve(nil); err != nil {
		t.Errorf("%s: input schema: %v", tool.Name, err)
	}
	if tool.Out != nil {
		if _, err := tool.Out.Resolve(nil); err != nil {
			t.Errorf("%s: output schema: %v", tool.Name, err)
		}
	}
	if tool.Target != "" && !tool.Has(tool.Target) {
		t.Errorf("%s: Target names no parameter: %q", tool.Name, tool.Target)
	}
	optional := false
	for _, p := range tool.Params {
		if optional && !p.Optional {
			t.Errorf("%s: required parameter %s after an optional one", tool.Name, p.Name)
		}
		optional = p.Optional
		if p.Default != "" && !json.Valid(tool.In.Properties[p.Name].Default) {
			t.Errorf("%s: default of %s is not JSON", tool.Name, p.Name)
		}
	}
}
