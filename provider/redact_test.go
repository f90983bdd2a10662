package provider

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/text/secrets"
)

type (
	filePath string
	resolved struct {
		Text string            `json:"text" doc:"a text"`
		More []string          `json:"more,omitempty" doc:"others"`
		By   map[string]string `json:"by,omitempty" doc:"by name"`
		File filePath          `json:"out,omitempty" doc:"a file"`
		To   []filePath        `json:"to,omitempty" doc:"files"`
		Name string            `json:"name,omitempty" secrets:"no" doc:"of something"`
	}
)

func (filePath) Verbatim() {}

// TestSecretsInRequests: {{NAME}} becomes a value in texts for the page, and
// stays in names of things outside. Logs keep the name.
func TestSecretsInRequests(t *testing.T) {
	pin, err := secrets.New(map[string]string{"PIN": "4711-4711"})
	if err != nil {
		t.Fatal(err)
	}
	var got resolved
	var logged string
	spec := Spec{Name: "take", Title: "T", Doc: "Take", Profile: "core", Timeout: time.Second}
	tool := DefineAround(spec, reflect.TypeFor[resolved](), reflect.TypeFor[None](), func(ctx context.Context, in any, timed Timed) error {
		logged = string(RequestFrom(ctx).Params)
		return timed(ctx, func(context.Context) (any, error) { got = *in.(*resolved); return None{}, nil })
	})
	table := NewTable([]*Tool{tool}, TableOptions{Secrets: pin})
	call := func(params string) error {
		got, logged = resolved{}, ""
		_, err := table.Call(context.Background(), Request{Tool: "take", Params: json.RawMessage(params)})
		return err
	}
	const params = `{"text":"a {{PIN}}","more":["{{PIN}}","x"],"by":{"{{PIN}}":"{{PIN}}"},"out":"{{PIN}}.png","to":["{{PIN}}"],"name":"{{PIN}}"}`
	if err := call(params); err != nil || logged != params {
		t.Errorf("%v, logged %s", err, logged)
	}
	if got.Text != "a 4711-4711" || got.More[0] != "4711-4711" || got.More[1] != "x" || got.By["{{PIN}}"] != "4711-4711" ||
		got.File != "{{PIN}}.png" || got.To[0] != "{{PIN}}" || got.Name != "{{PIN}}" {
		t.Errorf("%+v", got)
	}
	if err := call(`["a {{PIN}}"]`); err != nil || got.Text != "a 4711-4711" || logged != `["a {{PIN}}"]` {
		t.Errorf("%v %+v, logged %s", err, got, logged)
	}
	if err := call(`{"text":"{{PIN}}","page":"p1","timeout":1}`); err != nil || got.Text != "4711-4711" || logged != `{"text":"{{PIN}}"}` {
		t.Errorf("%v %+v, logged %s", err, got, logged)
	}
	if err := call(`["{{NOPE}}"]`); err == nil || !strings.HasPrefix(err.Error(), "take: text: ") {
		t.Errorf("a name of no secret: %v", err)
	}
}
