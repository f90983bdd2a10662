package provider

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"pwpipe/internal/text/secrets"
)

// TestInsertedTextIsOpaque: a batch resolves names of secrets in the client's own text only. What
// a reference inserts names no secret, whoever wrote it, and a secret's value holds no reference.
func TestInsertedTextIsOpaque(t *testing.T) {
	set, err := secrets.New(map[string]string{"PIN": "4711-4711", "ODD": "$1 ${1} {{PIN}}"})
	if err != nil {
		t.Fatal(err)
	}
	spec := func(name string) Spec {
		return Spec{Name: name, Title: "T", Doc: "Test tool " + name, Profile: "core", Timeout: 5 * time.Second}
	}
	var got []string
	var logged []string
	table := NewTable([]*Tool{
		Define(spec("title"), func(context.Context, struct{}) (string, error) { return "{{PIN}}", nil }),
		Define(spec("all"), func(context.Context, struct{}) (map[string]string, error) {
			return map[string]string{"text": "{{PIN}}"}, nil
		}),
		Define(spec("take"), func(ctx context.Context, in resolved) (None, error) {
			got = append(append(got, in.Text), in.More...)
			logged = append(logged, string(RequestFrom(ctx).Params))
			return None{}, nil
		}),
		Define(spec("pass"), func(ctx context.Context, in resolved) (None, error) {
			raw, _ := json.Marshal([]string{in.Text})
			_, err := Call(ctx, Request{Tool: "take", Params: raw})
			return None{}, err
		}),
		BatchOf(spec("batch")),
	}, TableOptions{Secrets: set})
	for _, c := range []struct {
		steps string
		want  []string
	}{
		{`[["title"],["take","$1"]]`, []string{"{{PIN}}"}},
		{`[["title"],["take","a ${1} {{PIN}}"]]`, []string{"a {{PIN}} 4711-4711"}},
		{`[["title"],["take",{"text":"{{PIN}}","more":["$1","{{${1}PIN}}","$$1"]}]]`, []string{"4711-4711", "{{PIN}}", "{{{{PIN}}PIN}}", "$1"}},
		{`[["title"],["take","{{ODD}}"]]`, []string{"$1 ${1} {{PIN}}"}},
		{`[["title"],["take","{{ODD}}",["${1}"]]]`, []string{"$1 ${1} {{PIN}}", "{{PIN}}"}},
		{`[["all"],{"tool":"take","params":{"text":"$1.text","timeout":9}}]`, []string{"{{PIN}}"}},
		{`"title\ntake \"$1\"\ntake \"{{PIN}}\""`, []string{"{{PIN}}", "4711-4711"}},
		{`[["title"],["pass","$1"],["pass","{{ODD}}"]]`, []string{"{{PIN}}", "$1 ${1} {{PIN}}"}},
	} {
		got, logged = nil, nil
		_, err := table.Call(context.Background(), Request{Tool: "batch", Params: json.RawMessage(`{"steps":` + c.steps + `}`)})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q %v", c.steps, got, err)
		}
	}
	if want := []string{`["{{PIN}}"]`}; !slices.Equal(logged[:1], want) {
		t.Errorf("logged %q", logged)
	}
	if _, err := table.Call(context.Background(), Request{Tool: "batch",
		Params: json.RawMessage(`{"steps":[["title"],["take","$1 {{NOPE}}"]]}`)}); err == nil {
		t.Error("a name of no secret passed")
	}
}
