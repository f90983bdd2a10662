package handlers_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"pwpipe/features"
	"pwpipe/handlers/tool"
	"pwpipe/internal/pipetest"
	"pwpipe/provider"
	"pwpipe/provider/toollist"
)

// TestContracts: testdata/tools holds what clients rely on, one file a tool, so
// that reviews see every change of it.
func TestContracts(t *testing.T) {
	const dir = "testdata/tools"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	for _, tool := range features.Tools() {
		file := filepath.Join(dir, tool.Name+".json")
		if folded := strings.ToLower(file); files[folded] {
			t.Errorf("%s: some file systems take it for another's", file)
		} else {
			files[folded] = true
		}
		pipetest.Golden(t, file, contractOf(t, tool))
	}
	old, _ := filepath.Glob(dir + "/*")
	for _, file := range old {
		if files[strings.ToLower(file)] {
			continue
		}
		if !pipetest.Update() {
			t.Errorf("%s is of no tool; `go test ./... -update` removes it", file)
		} else if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

// contract is everything about a tool that clients can rely on.
type contract struct {
	Name        string             `json:"name"`
	Title       string             `json:"title"`
	Doc         string             `json:"doc"`
	Profile     string             `json:"profile"`
	Also        []string           `json:"also,omitempty"`
	Timeout     string             `json:"timeout"`
	TimeoutUnit string             `json:"timeoutUnit,omitempty"`
	Effect      string             `json:"effect"`
	Words       string             `json:"words"`
	Marks       []string           `json:"marks,omitempty"`
	Closes      string             `json:"closes,omitempty"`
	Params      []string           `json:"params"`
	Input       *jsonschema.Schema `json:"input"`
	Result      string             `json:"result"`
	Output      *jsonschema.Schema `json:"output,omitempty"`
}

var (
	effects = map[provider.Effect]string{provider.Acts: "acts", provider.Reads: "reads", provider.Waits: "waits",
		provider.Destroys: "destroys", provider.Switches: "switches"}
	words = map[provider.Words]string{provider.PageWords: "a page's",
		provider.OwnAnswers: "answers its own, errors a page's", provider.OwnWords: "its own"}
)

// contractOf is a tool's contract as JSON for a file that shows changes to a reviewer.
func contractOf(t *testing.T, tool *provider.Tool) string {
	text, err := toollist.Describe([]*provider.Tool{tool}, "json")
	var listed []struct{ Result string }
	if err != nil || json.Unmarshal([]byte(text), &listed) != nil || len(listed) != 1 {
		t.Fatalf("%s in the list: %v %s", tool.Name, err, text)
	}
	c := contract{Name: tool.Name, Title: tool.Title, Doc: tool.Doc, Profile: tool.Profile, Also: tool.Also,
		Timeout: tool.Timeout.String(), Effect: effects[tool.Effect], Words: words[tool.Words], Closes: tool.Target,
		Params: []string{}, Input: tool.In, Result: listed[0].Result, Output: tool.Out}
	if tool.TimeoutUnit == time.Millisecond {
		c.TimeoutUnit = "milliseconds"
	}
	for _, mark := range []struct {
		name string
		set  bool
	}{{"second name of " + tool.Alias.Of, tool.Alias.Of != ""}, {"deprecated", tool.Alias.Deprecated},
		{"runs scripts", tool.Scripts}, {"holds steps", tool.Steps}, {"works while paused", tool.WhilePaused},
		{"needs no session", tool.Sessionless}, {"never logged", tool.Unlogged}, {"words its failures", tool.Failed != nil}} {
		if mark.set {
			c.Marks = append(c.Marks, mark.name)
		}
	}
	for _, p := range tool.Params { // the schema has their names in order too, but some readers lose the order
		c.Params = append(c.Params, p.Name)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(c); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// elsewhere lists parameters that have the name of a typed parameter but
// another meaning.
var elsewhere = map[string]string{
	"playwright_browser selector": "handed to the tool that it stands for",
	"download path":               "a file or a folder, which the download looks at",
	"set-cookie path":             "of a cookie",
	"clear-cookies path":          "of a cookie",
	"browser_cookie_list path":    "of a cookie",
	"browser_cookie_set path":     "of a cookie",
	"browser_cookie_delete path":  "of a cookie",
}

// TestTypedParameters: selectors and files have the types that every call
// checks. A plain string would reach the tool unchecked.
func TestTypedParameters(t *testing.T) {
	selector, read, write := reflect.TypeFor[tool.Selector](), reflect.TypeFor[tool.ReadPath](), reflect.TypeFor[tool.WritePath]()
	for _, spec := range features.Tools() {
		for _, p := range spec.Params {
			of := p.Type()
			if of.Kind() == reflect.Slice {
				of = of.Elem()
			}
			if of.Kind() != reflect.String || elsewhere[spec.Name+" "+p.Name] != "" {
				continue
			}
			if (p.Name == "sel" || p.Name == "selector" || p.Name == "ref" || strings.HasPrefix(p.Doc, "selector")) != (of == selector) {
				t.Errorf("%s: %s (%s) is a %s", spec.Name, p.Name, p.Doc, of)
			}
			if p.Name == "path" && of != read && of != write {
				t.Errorf("%s: %s (%s) is a %s", spec.Name, p.Name, p.Doc, of)
			}
		}
	}
}
