package handlers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pwpipe/features"
	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// some has a value of each type that tools take.
var some = map[string]any{"a string": "1", "a number": 1, "true or false": true, "an array": []any{}, "an object": map[string]any{}}

// TestEveryLimitHolds: each tool refuses a value outside of what its declaration says, or of another type, and a
// parameter that it does not declare, before anything starts.
func TestEveryLimitHolds(t *testing.T) {
	table := provider.NewTable(features.Tools(), provider.TableOptions{})
	b := features.NewBrowser(browser.Config{})
	defer b.Close(context.Background())
	ctx := browser.WithSession(context.Background(), b.NewSession(browser.SessionOptions{}))
	for _, tool := range features.Tools() {
		if tool.Failed != nil {
			continue // it answers its failures as results
		}
		refuses := func(name string, value any, said string) {
			in := map[string]any{}
			for _, p := range tool.Params {
				switch {
				case p.Optional:
				case p.Enum != nil:
					in[p.Name] = p.Enum[0]
				default:
					in[p.Name] = some[p.TypeName()]
				}
			}
			in[name] = value
			params, _ := json.Marshal(in)
			_, err := table.Call(ctx, provider.Request{Tool: tool.Name, Params: params})
			if e := provider.AsError(err); err == nil || e.Kind != provider.KindArgs || !strings.Contains(e.Error(), said) {
				t.Errorf("%s %s: %v", tool.Name, params, err)
			}
		}
		refuses("nobody", 1, "nobody")
		for _, p := range tool.Params {
			if p.TypeName() != "any value" {
				refuses(p.Name, map[string]any{"nobody": []int{}}, p.Name)
			}
			if p.Min != nil {
				refuses(p.Name, *p.Min-1, p.Name+": expected ")
			}
			if p.Max != nil {
				refuses(p.Name, *p.Max+1, fmt.Sprint(*p.Max))
			}
			if p.Enum != nil && p.TypeName() == "a string" {
				refuses(p.Name, "nobody", p.Name+": expected one of ")
			}
		}
	}
}
