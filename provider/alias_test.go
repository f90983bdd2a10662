package provider_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pwpipe/provider"
	"pwpipe/provider/toollist"
	"pwpipe/provider/wire"
)

type sayIn struct {
	Text  string `json:"text" doc:"a text"`
	Times int    `json:"times,omitempty" doc:"how often" default:"1" min:"1" max:"3"`
	End   string `json:"end,omitempty" doc:"what comes last" default:"." alias:"only"`
}

type spoken struct {
	Said  string `json:"said" doc:"what was said"`
	Count int    `json:"count" doc:"how often"`
}

// sayTools are a tool and its aliases.
func sayTools() []*provider.Tool {
	spec := func(name, doc string) provider.Spec {
		return provider.Spec{Name: name, Title: "T", Doc: doc, Profile: "core", Timeout: time.Second}
	}
	said := provider.Answer(func(_ context.Context, in sayIn, text string) (spoken, error) { return spoken{text, in.Times}, nil })
	say := spec("say", "Say a text")
	say.Effect, say.WhilePaused = provider.Reads, true
	return []*provider.Tool{
		provider.AliasOf(spec("x.say", "Say it"), provider.Alias{Of: "say", Answer: said, Params: []provider.As{
			{Param: "text", Name: "message", Doc: "what to say"}, {Param: "times", Name: "count", Default: "2"}, {Param: "end"}}}),
		provider.Define(say, func(_ context.Context, in sayIn) (string, error) {
			if in.Text == "?" {
				return "", provider.Errorf(provider.KindArgs, "text: a question")
			}
			return strings.Repeat(in.Text, in.Times) + in.End, nil
		}),
		provider.AliasOf(spec("x.hush", "Say nothing"), provider.Alias{Of: "say", Deprecated: true, Answer: provider.Always(true), Params: []provider.As{
			{Param: "text", Fixed: json.RawMessage(`"?!"`)}, {Param: "times", Required: true}}}),
		provider.AliasOf(spec("x.talk", "Say a text as well"), provider.Alias{Of: "say"}),
	}
}

// TestAlias: an alias does what its tool does, with its own parameters, result and
// errors, by name and by position.
func TestAlias(t *testing.T) {
	tools := sayTools()
	provider.Link(tools)
	table := provider.NewTable(tools, provider.TableOptions{})
	for _, tool := range table.Profile("all") {
		if _, err := tool.In.Resolve(nil); err != nil {
			t.Errorf("%s: input schema: %v", tool.Name, err)
		}
	}
	for _, c := range []struct{ tool, params, want string }{
		{"say", `["a"]`, `"a."`},
		{"say", `{"text":"a","end":"!"}`, `say: unknown parameter "end"; say takes text, times?`},
		{"x.say", `["a"]`, `{"said":"aa.","count":2}`},
		{"x.say", `{"message":"a","count":1,"end":"!"}`, `{"said":"a!","count":1}`},
		{"x.say", `{"text":"a"}`, `x.say: unknown parameter "text"; x.say takes message, count?, end?`},
		{"x.say", `["a",7]`, `x.say: count: expected a number from 1 to 3, got 7; x.say takes message, count?, end?`},
		{"x.say", `["?"]`, `x.say: message: a question`},
		{"x.hush", `[1]`, `true`},
		{"x.hush", `[]`, `x.hush: missing parameter "times" (a number); x.hush takes times`},
		{"x.talk", `["a",3]`, `"aaa."`},
	} {
		got, err := table.Call(t.Context(), provider.Request{Tool: c.tool, Params: json.RawMessage(c.params)})
		text := string(got.JSON)
		if err != nil {
			text = err.Error()
		}
		if text != c.want {
			t.Errorf("%s %s: %s, want %s", c.tool, c.params, text, c.want)
		}
	}
}

// TestAliasLists: lists and schemas follow from the declaration.
func TestAliasLists(t *testing.T) {
	tools := sayTools()
	provider.Link(tools)
	table := provider.NewTable(tools, provider.TableOptions{})
	said, hush := table.Find("x.say"), table.Find("x.hush")
	if said.Effect != provider.Reads || !said.WhilePaused || said.Alias.Of != "say" {
		t.Errorf("not the tool's: %+v", said.Spec)
	}
	if got := said.Usage() + " " + hush.Usage(); got != "x.say message [count] [end] x.hush times" {
		t.Error(got)
	}
	if p := said.In.Properties["count"]; p == nil || string(p.Default) != "2" || *p.Maximum != 3 {
		t.Errorf("schema: %+v", said.In)
	}
	if said.Out == nil || said.Out.Properties["said"] == nil || hush.Result != "b" {
		t.Errorf("answers: %+v, %s", said.Out, hush.Result)
	}
	var names []string
	var list struct {
		Result struct{ Tools []struct{ Name string } }
	}
	out, _ := serve(t, &wire.Stdio{Table: table}, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":`+
		`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	for line := range strings.Lines(out) {
		if err := json.Unmarshal([]byte(line), &list); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range list.Result.Tools {
		names = append(names, m.Name)
	}
	if got := strings.Join(names, " "); got != "x.say say x.talk" {
		t.Errorf("listed for models: %s", got)
	}
	for format, want := range map[string]string{
		"table": "Deprecated: use say. Say nothing", "markdown": "| Deprecated: use say. Say nothing (as `say`) |", "openrpc": `"deprecated": true`} {
		if text, err := toollist.Describe(tools, format); err != nil || strings.Count(text, want) != 1 {
			t.Errorf("%s: %v\n%s", format, err, text)
		}
	}
}

// TestAliasMistakes: an alias that does not fit its tool fails at the start.
func TestAliasMistakes(t *testing.T) {
	spec := provider.Spec{Name: "odd", Title: "T", Doc: "Odd", Profile: "core", Timeout: time.Second}
	for want, a := range map[string]provider.Alias{
		"there is no tool sya":         {Of: "sya"},
		"there is no tool x.talk":      {Of: "x.talk"}, // an alias of an alias
		"say has no parameter message": {Of: "say", Params: []provider.As{{Param: "message"}}},
		"say needs text":               {Of: "say", Params: []provider.As{{Param: "times"}}},
		"say answers string": {Of: "say", Answer: provider.Answer(func(context.Context, sayIn, int) (int, error) {
			return 0, nil
		})},
	} {
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(p.(string), want) {
					t.Errorf("got %v, want %s", p, want)
				}
			}()
			provider.Link(append(sayTools(), provider.AliasOf(spec, a)))
		}()
	}
	defer func() {
		if p := recover(); p != "provider: odd is not linked to say" {
			t.Errorf("got %v", p)
		}
	}()
	provider.NewTable([]*provider.Tool{provider.AliasOf(spec, provider.Alias{Of: "say"})}, provider.TableOptions{})
}
