package provider_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pwpipe/provider"
	"pwpipe/provider/toollist"
	"pwpipe/provider/wire"
)

type (
	place  string
	target struct {
		Sel place  `json:"sel" doc:"selector"`
		Val string `json:"val,omitempty" doc:"text"`
	}
	shared   struct{ target }
	placesIn struct {
		shared
		From  *place   `json:"from,omitempty" doc:"selector"`
		Mask  []place  `json:"mask,omitempty" doc:"selectors"`
		Steps []target `json:"steps,omitempty" doc:"more"`
		One   *target  `json:"one,omitempty" doc:"one more"`
		Kind  string   `json:"kind,omitempty" doc:"a string"`
	}
)

// TestFields finds texts of a given type anywhere in parameters, under the
// names that errors give them, and can change them.
func TestFields(t *testing.T) {
	text := reflect.TypeFor[place]()
	at := provider.FieldsOf(reflect.TypeFor[placesIn](), text)
	from := place("f")
	in := placesIn{shared: shared{target{Sel: "s", Val: "s"}}, From: &from, Mask: []place{"a", "b"}, Steps: []target{{Sel: "x"}, {Sel: "y"}}, One: &target{Sel: "o"}, Kind: "k"}
	var names []string
	err := at.Each(&in, func(name string, text reflect.Value) error {
		names = append(names, name+"="+text.String())
		text.SetString("new " + text.String())
		return nil
	})
	if d := cmp.Diff("sel=s from=f mask[0]=a mask[1]=b steps[0].sel=x steps[1].sel=y one.sel=o", strings.Join(names, " ")); err != nil || d != "" {
		t.Error(err, d)
	}
	if in.Sel != "new s" || in.Val != "s" || *in.From != "new f" || in.Mask[1] != "new b" || in.Steps[1].Sel != "new y" || in.One.Sel != "new o" || in.Kind != "k" {
		t.Errorf("%+v", in)
	}
	if err := at.Each(&placesIn{}, func(name string, _ reflect.Value) error { return errors.New(name) }); err == nil || err.Error() != "sel" {
		t.Errorf("the first error does not end it: %v", err)
	}
	if !at.HasTexts() || provider.FieldsOf(reflect.TypeFor[struct{ Text string }](), text).HasTexts() {
		t.Error("a type has texts where it has none, or none where it has some")
	}
	defer func() {
		if recover() == nil {
			t.Error("a map of texts that can't be reached was taken")
		}
	}()
	provider.FieldsOf(reflect.TypeFor[struct {
		By map[string]target `json:"by" doc:"by name"`
	}](), text)
}

// TestTypedTextsAreStrings: clients see the same for a text of any Go type.
func TestTypedTextsAreStrings(t *testing.T) {
	type typed struct {
		Sel  place   `json:"sel" doc:"selector" enum:"a,b"`
		More []place `json:"more,omitempty" doc:"others"`
		Last *place  `json:"last,omitempty" doc:"last" default:"a"`
	}
	type plain struct {
		Sel  string   `json:"sel" doc:"selector" enum:"a,b"`
		More []string `json:"more,omitempty" doc:"others"`
		Last *string  `json:"last,omitempty" doc:"last" default:"a"`
	}
	spec := provider.Spec{Name: "x", Title: "T", Doc: "Test", Profile: "core", Timeout: time.Second}
	tools := [2]*provider.Tool{
		provider.Define(spec, func(_ context.Context, in typed) (typed, error) { return in, nil }),
		provider.Define(spec, func(_ context.Context, in plain) (plain, error) { return in, nil }),
	}
	for _, format := range toollist.Formats() {
		a, _ := toollist.Describe(tools[:1], format)
		b, _ := toollist.Describe(tools[1:], format)
		if d := cmp.Diff(b, a); d != "" {
			t.Errorf("%s: %s", format, d)
		}
	}
	for _, line := range []string{`["a"]`, `["c"]`, `[1]`, `{"sel":"b","more":["x"]}`, `{"sel":"b","more":[null]}`, `{}`} {
		var out [2]string
		for i, tool := range tools {
			out[i], _ = serve(t, &wire.Stdio{Table: provider.NewTable([]*provider.Tool{tool}, provider.TableOptions{})}, `{"id":1,"method":"x","params":`+line+`}`)
		}
		if out[0] != out[1] {
			t.Errorf("%s: %q, of plain strings %q", line, out[0], out[1])
		}
	}
}
