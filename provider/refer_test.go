package provider

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestReferencesHaveABound: the size that references add to a step is checked
// before the step is built, whatever their form.
func TestReferencesHaveABound(t *testing.T) {
	done := []Outcome{{Result: json.RawMessage(`"` + strings.Repeat("v", 4<<20) + `"`)}, {Result: json.RawMessage(`{"a":["b"]}`)}}
	for _, params := range []string{
		`["/*` + strings.Repeat("${1}", 1000) + `*/1"]`,
		`[` + strings.Repeat(`"$1",`, 999) + `"$1"]`,
		`{"a":[{"b":"` + strings.Repeat("${1}", 500) + `"}],"c":"` + strings.Repeat("${1}", 500) + `"}`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := refer(context.Background(), json.RawMessage(params), done)
		runtime.ReadMemStats(&after)
		if err == nil || AsError(err).Kind != KindLimit || !strings.Contains(err.Error(), "over 32 MiB") {
			t.Errorf("%.30s: %v", params, err)
		}
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 400 {
			t.Errorf("%.30s: took %d MiB", params, took)
		}
	}
	for params, want := range map[string]string{
		`["$2.a.0","x${2.a}y","$$1","$${1}"]`:          `["b","x[\"b\"]y","$1","${1}"]`,
		`["` + strings.Repeat("${2.a.0}", 1000) + `"]`: `["` + strings.Repeat("b", 1000) + `"]`,
	} {
		if got, err := refer(context.Background(), json.RawMessage(params), done); err != nil || string(got) != want {
			t.Errorf("%.60s: got %.60s %v, want %.60s", params, got, err, want)
		}
	}
	if got, err := refer(context.Background(), json.RawMessage(`["$1"]`), done); err != nil || len(got) != 4<<20+4 {
		t.Errorf("one long result: %d bytes, %v", len(got), err)
	}
}

// TestReferencesEnd: the batch's deadline also ends the resolving of references.
func TestReferencesEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := refer(ctx, json.RawMessage(`["${1.a}"]`), []Outcome{{Result: json.RawMessage(`{"a":1}`)}})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestResultsOfABatchHaveABound: once the results are too large, steps with large
// results fail, and later steps still run.
func TestResultsOfABatchHaveABound(t *testing.T) {
	long := strings.Repeat("v", 20<<20)
	spec := func(name string) Spec {
		return Spec{Name: name, Title: "T", Doc: "Test tool " + name, Profile: "core", Timeout: 5 * time.Second, Effect: Reads}
	}
	table := NewTable([]*Tool{
		Define(spec("long"), func(context.Context, struct{}) (string, error) { return long, nil }),
		Define(spec("short"), func(context.Context, struct{}) (string, error) { return "s", nil }),
		BatchOf(spec("batch")),
	}, TableOptions{})
	r, err := table.Call(context.Background(), Request{Tool: "batch",
		Params: json.RawMessage(`{"steps":[["long"],["long"],["long"],["long"],["short"]],"on_error":"continue"}`)})
	var reply batchReply
	if err == nil {
		err = json.Unmarshal(r.JSON, &reply)
	}
	if err != nil || len(reply.Steps) != 5 {
		t.Fatalf("%v, %d steps", err, len(reply.Steps))
	}
	if got := reply.Steps[3]; got.Result != nil || !strings.Contains(got.Error, "over 64 MiB") {
		t.Errorf("%.80s", got.Error)
	}
	if string(reply.Steps[4].Result) != `"s"` || len(reply.Failed) != 1 {
		t.Errorf("%s, failed %v", reply.Steps[4].Result, reply.Failed)
	}
}
