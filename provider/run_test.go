package provider_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pwpipe/provider"
	"pwpipe/provider/wire"
)

// TestDeadlineOfARequest: a request's own time counts more than the run's, and the run's more than the tool's.
func TestDeadlineOfARequest(t *testing.T) {
	for _, c := range []struct {
		run  time.Duration
		more string
		want string
	}{
		{0, "", "5s"},
		{7 * time.Second, "", "7s"},
		{3 * time.Second, "", "3s"},
		{7 * time.Second, `,"timeout":9`, "9s"},
	} {
		table := provider.NewTable(provider.SampleTools(), provider.TableOptions{Timeout: c.run})
		out, _ := serve(t, &wire.Stdio{Table: table}, `{"id":1,"method":"where"`+c.more+"}\n")
		if want := `{"id":1,"result":"page= timeout=` + c.want + "\"}\n"; out != want {
			t.Errorf("the run has %s, the request %q: %s", c.run, c.more, out)
		}
	}
}

// TestStrictHearsNotifications: a request without an id that fails has no reply, but it fails the run, and ends a
// strict one.
func TestStrictHearsNotifications(t *testing.T) {
	const fails = `{"jsonrpc":"2.0","method":"do","params":{"kind":"fail"}}` + "\n"
	const next = `{"id":1,"method":"nothing"}` + "\n"
	if out, failed := serve(t, &wire.Stdio{}, fails+next); out != `{"id":1,"result":null}`+"\n" || !failed {
		t.Errorf("failed: %t, %s", failed, out)
	}
	if out, failed := serve(t, &wire.Stdio{Strict: true}, fails+next); out != "" || !failed {
		t.Errorf("strict: failed: %t, %s", failed, out)
	}
}

// TestBatchTellsOfManySteps: what many steps did is told up to a bound, then once that there is more. Lines of the
// outline do not count. Over MCP it stands below the result, or the error.
func TestBatchTellsOfManySteps(t *testing.T) {
	spec := func(name string) provider.Spec {
		return provider.Spec{Name: name, Title: "T", Doc: name, Profile: "core", Timeout: time.Minute, Effect: provider.Acts}
	}
	table := provider.NewTable([]*provider.Tool{
		provider.Define(spec("happens"), func(ctx context.Context, _ struct{}) (provider.None, error) {
			provider.Happened(ctx, []string{provider.HappenedMark + "it did"})
			return provider.None{}, nil
		}),
		provider.Define(spec("fails"), func(ctx context.Context, _ struct{}) (provider.None, error) {
			provider.Happened(ctx, []string{provider.HappenedMark + "it did"})
			return provider.None{}, provider.Errorf(provider.KindFailed, "it broke")
		}),
		provider.Define(spec("answers"), func(ctx context.Context, _ struct{}) (string, error) {
			provider.Happened(ctx, []string{provider.HappenedMark + "it did"})
			return "seven", nil
		}),
		provider.Define(spec("empty"), func(context.Context, struct{}) (string, error) { return "", nil }),
		provider.BatchOf(spec("batch")),
	}, provider.TableOptions{})
	for name, want := range map[string]string{
		"happens": `ok\n→ it did"}]}`,
		"answers": `seven"},{"type":"text","text":"→ it did"}]}`,
		"empty":   `\"\""}]}`, // as JSON has it
		"fails":   `fails: it broke"},{"type":"text","text":"→ it did"}],"isError":true}`,
	} {
		out, _ := serve(t, &wire.Stdio{Table: table}, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":`+
			`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"`+name+`","arguments":{}}}`)
		if !strings.Contains(out, `{"content":[{"type":"text","text":"`+want) {
			t.Errorf("over MCP %s: %s, want %s", name, out, want)
		}
	}
	for _, n := range []int{provider.MaxHappened, provider.MaxHappened + 5} {
		var want []string
		for i := range min(n, provider.MaxHappened) {
			want = append(want, fmt.Sprintf("%sstep %d, happens: it did", provider.HappenedMark, i+1))
		}
		if n > provider.MaxHappened {
			want = append(want, provider.HappenedMark+"and more in later steps")
		}
		steps := "[" + strings.TrimSuffix(strings.Repeat(`["happens"],`, n), ",") + "]"
		got, err := table.Call(context.Background(), provider.Request{Tool: "batch", Params: json.RawMessage(`{"steps":` + steps + `}`), Tell: true})
		if err != nil || !slices.Equal(got.Happened, want) {
			t.Errorf("%d steps: %v\n%s", n, err, strings.Join(got.Happened, "\n"))
		}
	}
}

// TestTimeOfABatchIsItsSteps: what somebody says of a batch's time is said of its steps.
func TestTimeOfABatchIsItsSteps(t *testing.T) {
	spec := func(name string) provider.Spec {
		return provider.Spec{Name: name, Title: "T", Doc: name, Profile: "core", Timeout: time.Minute, Effect: provider.Acts}
	}
	table := provider.NewTable([]*provider.Tool{
		provider.Define(spec("given"), func(ctx context.Context, _ struct{}) (bool, error) { return provider.TimeGiven(ctx), nil }),
		provider.BatchOf(spec("batch")),
	}, provider.TableOptions{})
	for _, c := range []struct {
		tool, params string
		timeout      time.Duration
		want         string
	}{
		{"given", `{}`, 0, "false"},
		{"given", `{}`, time.Minute, "true"},
		{"batch", `{"steps":[["given"]],"reply":"last"}`, 0, "false"},
		{"batch", `{"steps":[["given"]],"reply":"last"}`, time.Minute, "true"},
	} {
		got, err := table.Call(context.Background(), provider.Request{Tool: c.tool, Params: json.RawMessage(c.params), Timeout: c.timeout})
		if err != nil || string(got.JSON) != c.want {
			t.Errorf("%s in %s: %s, %v", c.tool, c.timeout, got.JSON, err)
		}
	}
}

// TestCancelIsAnswered: a cancellation with an id is a request, and has a reply; a notification has none.
func TestCancelIsAnswered(t *testing.T) {
	s := newTalk(t)
	s.send(1, "act", "a", "")
	s.begins("a")
	s.send(2, "act", "b", "")
	fmt.Fprintln(s.in, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}`)
	s.reply(`{"id":2,"error":"act: cancelled"}`)
	fmt.Fprintln(s.in, `{"jsonrpc":"2.0","id":10,"method":"$/cancelRequest","params":{"id":1}}`)
	fmt.Fprintln(s.in, `{"id":11,"method":"cancel","params":{"id":99}}`) // which is answered whatever the one before is
	s.reply(`{"id":1,"error":"act: cancelled"}`)
	s.reply(`{"jsonrpc":"2.0","id":10,"result":true}`)
	s.reply(`{"id":11,"result":false}`)
}
