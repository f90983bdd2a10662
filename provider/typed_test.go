package provider_test

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/text/secrets"
	"pwpipe/provider"
)

type lookIn struct {
	Names []string `json:"names" doc:"who looks"`
	At    string   `json:"at,omitempty" doc:"at what" enum:"page,person" default:"page"`
	Times int      `json:"times,omitempty" doc:"how often" default:"2" min:"1" max:"9"`
	Marks []mark   `json:"marks,omitempty" doc:"where"`
	Inner string   `json:"inner,omitempty" doc:"of aliases" default:"in" alias:"only"`
}

type mark struct {
	Size int  `json:"size,omitempty" doc:"how large" default:"3" max:"5"`
	Kind *int `json:"kind,omitempty" doc:"which" min:"1"`
}

type lookedOut struct {
	In    lookIn            `json:"in" doc:"as it came"`
	Said  string            `json:"said" doc:"a text"`
	By    map[string]string `json:"by" doc:"by name"`
	Count int               `json:"count" doc:"a number"`
}

// TestTyped: Go code gets of a tool what a call by its name gets: the same parameters, errors, time, masks and
// observers. A tool that the table lacks is unknown.
func TestTyped(t *testing.T) {
	set, err := secrets.New(map[string]string{"PIN": "98765432"})
	if err != nil {
		t.Fatal(err)
	}
	spec := func(name string) provider.Spec {
		return provider.Spec{Name: name, Title: "T", Doc: name, Profile: "core", Timeout: time.Minute}
	}
	look := provider.Typed[lookIn, lookedOut]{Tool: provider.Define(spec("look"), func(ctx context.Context, in lookIn) (lookedOut, error) {
		r := provider.RequestFrom(ctx)
		switch in.Names[0] {
		case "panics":
			panic("98765432")
		case "fails":
			return lookedOut{}, provider.Errorf(provider.KindNoTarget, "no %s on %s for %s", "98765432", r.Page, r.Deadline)
		case "waits":
			<-ctx.Done()
			return lookedOut{}, ctx.Err()
		}
		out := lookedOut{In: in, Said: "PIN 98765432", By: map[string]string{"98765432": r.Deadline.String()}}
		if in.Names[0] == "counts" {
			out.Count = 98765432
		}
		return out, nil
	})}
	none := provider.Typed[lookIn, lookedOut]{Tool: provider.Define(spec("none"), func(context.Context, lookIn) (lookedOut, error) {
		return lookedOut{}, nil
	})}
	var both func(context.Context)
	outer := provider.Define(spec("outer"), func(ctx context.Context, _ struct{}) (provider.None, error) {
		both(ctx)
		return provider.None{}, nil
	})
	zero := 0
	for _, secret := range []provider.Secrets{nil, set} {
		table := provider.NewTable([]*provider.Tool{look.Tool, outer}, provider.TableOptions{Secrets: secret})
		var seen []string
		table.OnCall(func(_ context.Context, r provider.Request, _ time.Duration, err *provider.Error) {
			if r.IsPart() {
				seen = append(seen, r.Tool+" "+r.Page+" "+kindOf(err))
			}
		})
		for _, in := range []lookIn{
			{Names: []string{"ada"}}, {Names: []string{}, At: "sky"}, {Names: []string{"ada"}, At: "person", Times: 9},
			{Names: []string{"ada"}, Times: 10}, {Names: []string{"ada"}, Times: -1}, {Names: []string{"fails"}},
			{Names: []string{"panics"}}, {Names: []string{"waits"}}, {Names: []string{"ada"}, Marks: []mark{{}, {Size: 5}}},
			{Names: []string{"ada"}, Marks: []mark{{}, {Size: 6}}}, {Names: []string{"ada"}, Marks: []mark{{Kind: &zero}}},
			{Names: []string{"counts"}}, {},
		} {
			seen = nil
			both = func(ctx context.Context) {
				r := provider.Request{Tool: "look", Page: "p7", Timeout: 10 * time.Second}
				if slices.Equal(in.Names, []string{"waits"}) {
					r.Timeout = time.Millisecond
				}
				params, err := json.Marshal(in)
				if err != nil {
					t.Fatal(err)
				}
				typed, typedErr := look.Call(ctx, r, in)
				r.Params = params
				named, namedErr := provider.Call(ctx, r)
				var want lookedOut
				if namedErr == nil {
					if namedErr = json.Unmarshal(named.JSON, &want); namedErr != nil && secret != nil {
						want, namedErr = lookedOut{}, provider.Errorf(provider.KindFailed,
							"look: the answer holds a secret in the place of a number")
					}
				}
				if in.Names == nil {
					namedErr = provider.Errorf(provider.KindArgs, `look: missing parameter "names" (an array); look takes names, at?, times?, marks?`)
				}
				if !reflect.DeepEqual(typed, want) || (typedErr == nil) != (namedErr == nil) ||
					typedErr != nil && typedErr.Error() != namedErr.Error() {
					t.Errorf("%s: %+v, %v, by name %+v, %v", params, typed, typedErr, want, namedErr)
				}
				if secret != nil && strings.Contains(typed.Said, "98765432") {
					t.Errorf("%s: %q is not masked", params, typed.Said)
				}
			}
			if _, err := table.Call(context.Background(), provider.Request{Tool: "outer"}); err != nil {
				t.Fatal(err)
			}
			if len(seen) != 2 || seen[0] != seen[1] {
				t.Errorf("%+v: observers saw %q", in, seen)
			}
		}
		both = func(ctx context.Context) {
			_, err := none.Call(ctx, provider.Request{}, lookIn{Names: []string{"ada"}})
			if e := provider.AsError(err); err == nil || e.Kind != provider.KindUnknown || !strings.HasPrefix(e.Msg, "unknown method: none") {
				t.Errorf("a tool that the table lacks: %v", err)
			}
		}
		if _, err := table.Call(context.Background(), provider.Request{Tool: "outer"}); err != nil {
			t.Fatal(err)
		}
	}
}

// kindOf is the kind of an error, "" of none.
func kindOf(err *provider.Error) string {
	if err == nil {
		return ""
	}
	return string(err.Kind)
}
