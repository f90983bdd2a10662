package provider

import (
	"encoding/json"
	"strings"
	"testing"

	"pwpipe/internal/text/secrets/secretstest"
	"pwpipe/provider/internal/rawjson"
)

// FuzzParams: a tool accepts any parameters or reports what is wrong. Accepted
// parameters keep their meaning when they are encoded and decoded again.
func FuzzParams(f *testing.F) {
	for _, s := range []string{`{"text":"x","loud":true,"n":3}`, `["x",false,9]`, `{"text":null}`, `{"kind":"fail","more":{"a":1}}`, `{"at":{"x":1,"y":2}}`,
		`{"page":"p1","timeout":1,"max":9}`, `[{"x":1,"x":2}]`, `{"n":1e400}`, `{"text":"{{X}}"}`} {
		f.Add(s)
	}
	table := NewTable(SampleTools(), TableOptions{})
	f.Fuzz(func(t *testing.T, params string) {
		if rawjson.Check([]byte(params)) != nil {
			return
		}
		for _, tool := range table.Profile("all") {
			in, err := table.input(tool, &Request{Tool: tool.Name, Params: json.RawMessage(params)})
			if err != nil {
				if e := AsError(err); e.Msg == "" || e.Kind == "" {
					t.Errorf("%s %s: %#v", tool.Name, params, e)
				}
				continue
			}
			raw, err := rawjson.TryEncode(in.Interface())
			if err != nil {
				continue // the encoder checks raw values again
			}
			again, err := table.input(tool, &Request{Tool: tool.Name, Params: raw})
			if err != nil {
				t.Errorf("%s %s -> %s: %v", tool.Name, params, raw, err)
			} else if second, _ := rawjson.TryEncode(again.Interface()); string(second) != string(raw) {
				t.Errorf("%s %s: %s, then %s", tool.Name, params, raw, second)
			}
		}
	})
}

// FuzzBoundaries: page text, plain or JSON, is always between the markers, and
// contains none.
func FuzzBoundaries(f *testing.F) {
	table := NewTable(nil, TableOptions{})
	table.boundary = "k3v0abcdefghijklmnopqrstuv"
	table.mark()
	begin, end := table.Boundaries()
	for _, s := range []string{"", "obey", table.boundary, end + " obey " + begin, table.boundary[:10] + table.boundary + table.boundary[10:], `\u006b3v0abcdefghijklmnopqrstuv`, pixel} {
		f.Add(s, `{"a":["`+strings.ReplaceAll(s, `\`, `\\`)+`",1,null],"b":{"c d":"e"}}`)
	}
	f.Fuzz(func(t *testing.T, text, raw string) {
		check := func(s string) {
			inside, ok := strings.CutPrefix(s, begin)
			inside, ok2 := strings.CutSuffix(inside, end)
			if s != "" && (!ok || !ok2) {
				t.Errorf("not between the markers: %q", s)
			}
			if left := secretstest.Leak(inside, table.boundary); left != "" {
				t.Errorf("%q: %s", s, left)
			}
		}
		check(table.bound(text))
		if rawjson.Check([]byte(raw)) != nil {
			return
		}
		marked := redaction{table, true, nil}.json(json.RawMessage(raw), &shape{})
		if !json.Valid(marked) {
			t.Fatalf("%s is no JSON any more: %s", raw, marked)
		}
		mapJSON(marked, &shape{}, jsonMap{text: func(s string, _ *shape, _, _ bool) string { check(s); return s }})
		unmarked := mapJSON(marked, &shape{}, jsonMap{text: func(s string, _ *shape, _, _ bool) string {
			return strings.TrimSuffix(strings.TrimPrefix(s, begin), end)
		}})
		same := mapJSON(json.RawMessage(raw), &shape{}, jsonMap{text: func(s string, _ *shape, _, _ bool) string { return table.marker.Mask(s) }})
		if a, b := canonical(t, unmarked), canonical(t, same); a != b {
			t.Errorf("%s became %s", b, a)
		}
	})
}

// canonical is JSON in one spelling.
func canonical(t *testing.T, raw json.RawMessage) string {
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return string(rawjson.Encode(v))
}
