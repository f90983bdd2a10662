package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// split is Split on encoding/json's decoder.
func split(text []byte) (o Object, twice bool, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(text))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil, false, false
	}
	seen := map[string]bool{}
	for dec.More() {
		tok, _ := dec.Token()
		var value json.RawMessage
		_ = dec.Decode(&value)
		key := tok.(string)
		twice = twice || seen[key]
		seen[key] = true
		o = append(o, Member{key, value})
	}
	return o, twice, true
}

var texts = []string{
	`{}`, ` { } `, `{"a":1}`, `{"a" : 1 , "b":[1,{"c":"}"}, "]"],"c":"\"}" }`, `{"\u0061":"x","b":null,"":""}`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`,
	`{"a":{"b":1,"b":2}}`, `[{"a":1},{"a":1}]`, `[{"a":[{"b":1,"b":2}]}]`, `{"\ud800":1,"\ud801":2}`, `[]`, ` [ ] `, `[1, "a,b" ,[2],{"x":[3]}, -1e5,true ]`, `"x"`, ` 1 `, `null`, `"\\"`, "\"\u2028\"",
	`{"é":"é","\"":1,"\\":2}`, `[[[[[[]]]]]]`, `{"a":"\\","b":"\\\""}`, "\xff", `{"a":1`, `{"a"}`, `[1`, `nul`, ``, `{"a":1}{}`,
}

func check(t *testing.T, text []byte) {
	err := Check(text)
	var dup *DuplicateError
	if err != nil && !errors.As(err, &dup) {
		return
	}
	want, twice, ok := split(text)
	got, serr := Split(text)
	if ok != (serr == nil) || ok && len(want)+len(got) > 0 && cmp.Diff(want, got) != "" {
		t.Errorf("%q: %v %v, want %v", text, got, serr, want)
	}
	if twice && err == nil {
		t.Errorf("%q: a key stands twice, and nobody says so", text)
	}
	var list []json.RawMessage
	ok = TypeOf(text) == "an array" && json.Unmarshal(text, &list) == nil
	elements, aerr := SplitArray(text)
	if ok != (aerr == nil) || ok && len(list)+len(elements) > 0 && cmp.Diff(list, elements) != "" {
		t.Errorf("%q: %q %v, want %q", text, elements, aerr, list)
	}
	var s string
	ok = TypeOf(text) == "a string" && json.Unmarshal(text, &s) == nil
	if got, is := Text(bytes.TrimSpace(text)); is != ok || got != s {
		t.Errorf("%q: %q %v, want %q %v", text, got, is, s, ok)
	}
}

// TestSplit: JSON is split as encoding/json does.
func TestSplit(t *testing.T) {
	for _, text := range texts {
		check(t, []byte(text))
		_, _ = Split([]byte(text)) // invalid texts must terminate too
		_, _ = SplitArray([]byte(text))
	}
	for text, want := range map[string]string{`{"a":1,"\u0061":2}`: "a", `{"x":[{"b":1,"b":2}]}`: "b", `{"a":1,"b":{"a":1}}`: "", `[{"a":1},{"a":1}]`: ""} {
		var dup *DuplicateError
		if errors.As(Check([]byte(text)), &dup); dup == nil && want != "" || dup != nil && dup.Key != want {
			t.Errorf("%s: %v", text, dup)
		}
	}
}

// TestManyKeys: a duplicate key is found quickly among any number of keys.
func TestManyKeys(t *testing.T) {
	for _, n := range []int{1, 12, 13, 64, 65, 100_000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"k%d":0,`, i)
		}
		if err := Check([]byte("{" + b.String() + `"z":1}`)); err != nil {
			t.Errorf("%d: %v", n, err)
		}
		for _, again := range []string{"k0", fmt.Sprintf("k%d", n-1)} {
			var dup *DuplicateError
			if err := Check([]byte("{" + b.String() + `"` + again + `":1}`)); !errors.As(err, &dup) || dup.Key != again {
				t.Errorf("%d: %v", n, err)
			}
		}
	}
}

// TestDeep: the deepest nesting that encoding/json accepts is read, and a
// duplicate at its bottom is found.
func TestDeep(t *testing.T) {
	const deep = 9990
	text := strings.Repeat(`{"a":[`, deep/2) + `{"b":1,"b":2}` + strings.Repeat(`]}`, deep/2)
	var dup *DuplicateError
	if err := Check([]byte(text)); !errors.As(err, &dup) || dup.Key != "b" {
		t.Errorf("%v", err)
	}
	if err := Check([]byte(strings.Repeat("[", 20_000))); err == nil {
		t.Error("what does not end is taken for JSON")
	}
}

// TestEncode: texts are written as encoding/json writes them.
func TestEncode(t *testing.T) {
	for _, s := range []string{"", "plain", "<&>", `"`, `\`, "\x00", "\x1f", "\x7f", "é", "\u2028", "\xff", "a\nb"} {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(s)
		if got, want := string(Encode(s)), strings.TrimSpace(b.String()); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
	if got := string(Encode(json.RawMessage("\"a\u2028b\u2029\""))); got != `"a\u2028b\u2029"` {
		t.Error(got)
	}
}

// FuzzSplit: any text is split as encoding/json does, and invalid JSON
// terminates.
func FuzzSplit(f *testing.F) {
	for _, s := range texts {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		check(t, text)
		o, err := Split(text)
		if err == nil && json.Valid(text) {
			if again, err := Split(Join(o)); err != nil || len(again) != len(o) {
				t.Errorf("%q -> %q", text, Join(o))
			}
		}
		_, _ = SplitArray(text)
	})
}
