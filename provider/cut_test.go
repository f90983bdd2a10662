package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/text/secrets"
)

// TestPieces: a long reply ends after a line or a word, unless that leaves out more than half, and counts
// characters. The tool that continues it gives the next part, of the same length if none is asked for.
func TestPieces(t *testing.T) {
	for text, want := range map[string]string{
		"one two\nthree four five": "one two\n|three four |five",
		"one two three\nfour":      "one two |three\nfour",
		"aaaaa bbbbbbbbb":          "aaaaa bbbbbb|bbb",
		"aaaaaa bbbbbbbb":          "aaaaaa |bbbbbbbb", "twelve chars": "twelve chars",
		"ääääääääääää":   "ääääääääääää",
		"äääääääääääääö": "ääääääääääää|äö",
	} {
		c := cutText{text: text, max: 12}
		table, got, left := &Table{}, "", 0
		ctx := context.WithValue(context.Background(), runningKey, &running{table: table})
		for p := Cut(ctx, text, 12); ; p, _ = More(ctx, p.Cursor, 0) {
			if got != "" && len([]rune(p.Text))+p.Left != left {
				t.Errorf("%q: %d were left", text, left)
			}
			if got, left = got+p.Text, p.Left; p.Cursor == "" {
				break
			}
			got += "|"
		}
		if got != want || c.piece("id", 0, 12).JSON {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestCursors: a cursor that is none, or of no piece, is refused. The oldest texts go first, and one that is too
// long by itself stays until the next.
func TestCursors(t *testing.T) {
	table := &Table{}
	ctx := context.WithValue(context.Background(), runningKey, &running{table: table})
	id := table.cuts.keep(cutText{text: "aäa"})
	for offset, ok := range map[string]bool{
		"0": true, "1": true, "2": false, "3": true, "4": false, "-1": false, "x": false,
	} {
		_, err := More(ctx, id+"-"+offset, 1)
		rest, err2 := Rest(ctx, id+"-"+offset)
		if (err == nil) != ok || (err2 == nil) != ok || !strings.HasSuffix("aäa", rest) ||
			!ok && AsError(err).Kind != KindNoTarget {
			t.Errorf("%s: %v, %v", offset, err, err2)
		}
	}
	there := func(id string) bool { _, err := Rest(ctx, id+"-0"); return err == nil }
	second := table.cuts.keep(cutText{text: "b"})
	for range maxCuts - 2 {
		table.cuts.keep(cutText{text: "c"})
	}
	full := there(id)
	last := table.cuts.keep(cutText{text: "d"})
	if !full || there(id) || !there(second) || !there(last) {
		t.Errorf("%t, then %t %t %t", full, there(id), there(second), there(last))
	}
	long := table.cuts.keep(cutText{text: strings.Repeat("x", maxCutBytes+1)})
	if alone := there(long) && !there(last); !alone || !there(table.cuts.keep(cutText{text: "e"})) || there(long) {
		t.Errorf("a long text: alone %t, then there: %t, %d bytes", alone, there(long), table.cuts.bytes)
	}
}

// TestWordsBesideResults: secrets are masked too in what an act did, in numbers, and in the error of a line that is
// no request. A handler's request keeps the names.
func TestWordsBesideResults(t *testing.T) {
	set, err := secrets.New(map[string]string{"PIN": "47114711"})
	if err != nil {
		t.Fatal(err)
	}
	spec := Spec{Name: "say", Title: "T", Doc: "say", Profile: "core", Timeout: time.Minute}
	table := NewTable([]*Tool{Define(spec, func(ctx context.Context, in resolved) (map[string]any, error) {
		Happened(ctx, []string{HappenedMark + in.Text})
		return map[string]any{"n": 47114711, "raw": string(RequestFrom(ctx).Params)}, nil
	})}, TableOptions{Secrets: set, Boundaries: true})
	begin, end := table.Boundaries()
	r := Request{Tool: "say", Params: json.RawMessage(`{"text":"{{PIN}}"}`), Tell: true}
	got, err := table.Call(context.Background(), r)
	text := strings.NewReplacer(begin, "[", end, "]").Replace(fmt.Sprint(string(got.JSON), got.Happened))
	want := `{"[n]":"<secret:PIN>","[raw]":"[{\"text\":\"{{PIN}}\"}]"}[[` + HappenedMark + `<secret:PIN>]]`
	if err != nil || text != want {
		t.Errorf("%s %v, want %s", text, err, want)
	}
	if e := table.Parse([]byte(`{"47114711":1,"method":"say"}`)).Err; e == nil || strings.Contains(e.Error(), "4711") {
		t.Error(e)
	}
	for name, want := range map[string]string{
		"a.png": ".png", "a.b.five5": ".five5", "a.six666": "", "a.é": "", "a.p-g": "", "a": "",
	} {
		if got := plainEnding(name); got != want {
			t.Errorf("the ending of %s is %q", name, got)
		}
	}
}

// TestStepsByThemselves: a batch has another form, unless it goes on after a failure or a step takes an answer.
func TestStepsByThemselves(t *testing.T) {
	table := NewTable(SampleTools(), TableOptions{})
	for params, want := range map[string]string{
		`{"steps":[["echo","$$1"],{"tool":"echo","params":["b"],"page":"p2"}]}`: `p1 ["$1"] p2 ["b"] <nil>`,
		`{"steps":"echo a\nnothing","on_error":"stop","page":"p3"}`:             `p3 ["a"] p3 [] <nil>`,

		`{"steps":"echo a","on_error":"continue"}`: "on after a failure has no other form",
		`{"steps":"echo a\necho $1"}`:              "step 2 takes what an earlier one answers",
	} {
		list, err := table.StepsOf(Request{Tool: "batch", Params: json.RawMessage(params), Page: "p1"})
		got := ""
		for _, r := range list {
			got += r.Page + " " + string(r.Params) + " "
		}
		if got += fmt.Sprint(err); !strings.Contains(got, want) {
			t.Errorf("%s: %s", params, got)
		}
	}
}

// TestByName: what stands beside the params goes among them, unless the tool has a parameter of that name.
func TestByName(t *testing.T) {
	table := NewTable(SampleTools(), TableOptions{})
	for _, c := range []struct {
		tool, params, want string
		page               string
		timeout            time.Duration
		most               int
	}{
		{"echo", `["a",true]`, `{"text":"a","loud":true,"page":"p2","timeout":1.5,"max":7}`,
			"p2", 1500 * time.Millisecond, 7},
		{"look", `{"page":"mine"}`, `{"page":"mine","max":1}`, "p2", 0, 1},
		{"echo", `["a"]`, `{"text":"a"}`, "", 0, 0},
	} {
		r := Request{Params: json.RawMessage(c.params), Page: c.page, Timeout: c.timeout, Max: c.most}
		if r, err := table.Find(c.tool).ByName(r); err != nil || string(r.Params) != c.want {
			t.Errorf("%s: %s, %v", c.params, r.Params, err)
		}
	}
}

// TestOutlineOfSteps: where a batch shows the page, its last step does; of one that goes on after a failure the
// other steps don't. What a step asks for itself holds.
func TestOutlineOfSteps(t *testing.T) {
	spec := Spec{Name: "told", Title: "T", Doc: "told", Profile: "core", Timeout: time.Minute}
	table := NewTable([]*Tool{Define(spec, func(ctx context.Context, _ struct{}) (string, error) {
		r := RequestFrom(ctx)
		return fmt.Sprint(r.Tell, " ", r.Outline, " ", r.IsFollowed()), nil
	}), BatchOf(Spec{Name: "batch", Profile: "core", Timeout: time.Minute})}, TableOptions{})
	for more, want := range map[string]string{
		``:                       `true  true|true  true|true  false`,
		`,"on_error":"continue"`: `true none true|true none true|true  false`,
		`,"outline":"whole"`:     `true whole true|true whole true|true whole false`,
	} {
		params := json.RawMessage(`{"steps":[["told"],["told"],["told"]]` + more + `}`)
		r := Request{Tool: "batch", Params: params, Tell: true}
		got, err := table.Call(context.Background(), r)
		var reply batchReply
		_ = json.Unmarshal(got.JSON, &reply)
		var steps []string
		for _, s := range reply.Steps {
			steps = append(steps, strings.Trim(string(s.Result), `"`))
		}
		if text := strings.Join(steps, "|"); text != want {
			t.Errorf("%s: %s, %v", more, text, err)
		}
	}
}
