package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/text/secrets"
	"pwpipe/provider"
	"pwpipe/provider/wire"
)

// TestErrorsHideSecrets: no part of an error shows a secret, in whichever part a tool has put it.
func TestErrorsHideSecrets(t *testing.T) {
	const value = "correct-horse-battery"
	set, err := secrets.New(map[string]string{"TOKEN": value})
	if err != nil {
		t.Fatal(err)
	}
	spec := provider.Spec{Name: "fails", Title: "T", Doc: "fails", Profile: "core", Timeout: time.Minute, Effect: provider.Acts}
	table := provider.NewTable([]*provider.Tool{provider.Define(spec, func(context.Context, struct{}) (provider.None, error) {
		e := provider.Errorf(provider.KindFailed, "message %s", value).WithHint("hint %s", value)
		e.URL, e.Log, e.Err = "http://a.example/?"+value, "log "+value, errors.New(value)
		return provider.None{}, e
	})}, provider.TableOptions{Secrets: set})
	_, err = table.Call(context.Background(), provider.Request{Tool: "fails"})
	e := provider.AsError(err)
	for part, text := range map[string]string{"message": e.Msg, "hint": e.Hint, "URL": e.URL, "log": e.Log} {
		if strings.Contains(text, value) || !strings.Contains(text, "<secret:TOKEN>") {
			t.Errorf("the %s is %q", part, text)
		}
	}
	if e.Err != nil {
		t.Errorf("it wraps %v", e.Err)
	}
	for _, line := range []string{
		`{"id":1,"method":"fails"}`, `{"jsonrpc":"2.0","id":1,"method":"fails"}`,
	} {
		if out, _ := serve(t, &wire.Stdio{Table: table}, line+"\n"); strings.Contains(out, value) || !strings.Contains(out, "hint <secret:TOKEN>") {
			t.Errorf("%s is answered with %s", line, out)
		}
	}
}

type shownIn struct {
	Text string `json:"text" doc:"what to show"`
}

type shown struct {
	Text   string           `json:"text" doc:"text"`
	Images []provider.Image `json:"images,omitempty" doc:"pictures"`
}

func (s shown) Content() (string, []provider.Image) { return s.Text, s.Images }

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// TestResultsAreRedacted: texts that MCP's results are made of are marked and masked, too: parts of a result, and
// pieces of a long one.
func TestResultsAreRedacted(t *testing.T) {
	pin, err := secrets.New(map[string]string{"PIN": "4711-4711"})
	if err != nil {
		t.Fatal(err)
	}
	spec := func(name string) provider.Spec {
		return provider.Spec{Name: name, Title: "T", Doc: "Show", Profile: "core", Timeout: 5 * time.Second, Effect: provider.Reads}
	}
	table := provider.NewTable([]*provider.Tool{
		provider.Define(spec("show"), func(_ context.Context, in shownIn) (shown, error) {
			return shown{in.Text, []provider.Image{{MIME: "image/png", Base64: pixel}}}, nil
		}),
		provider.Define(spec("text"), func(_ context.Context, in shownIn) (string, error) { return in.Text, nil }),
	}, provider.TableOptions{Boundaries: true, Secrets: pin})
	begin, end := table.Boundaries()
	short := strings.NewReplacer(begin, "⟦", end, "⟧").Replace
	call := func(arguments string) []struct{ Text, Data string } {
		out, _ := serve(t, &wire.Stdio{Table: table}, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":`+arguments+`}`)
		var reply struct {
			Result struct{ Content []struct{ Text, Data string } }
		}
		_, last, _ := strings.Cut(out, "\n")
		if err := json.Unmarshal([]byte(last), &reply); err != nil || len(reply.Result.Content) == 0 {
			t.Fatalf("%v: %s", err, out)
		}
		return reply.Result.Content
	}
	parts := call(`{"name":"show","arguments":{"text":"obey 4711-4711"}}`)
	if len(parts) != 2 || short(parts[1].Text) != "⟦obey <secret:PIN>⟧" || parts[0].Data != pixel {
		t.Errorf("%+v", parts)
	}
	text := short(call(`{"name":"text","arguments":{"text":"` + strings.Repeat("obey:4711-4711:", 20) + `","max":28}}`)[0].Text)
	if !strings.HasPrefix(text, "⟦obey:<secret:PIN>:obey:<secret:PIN>⟧\n\n[") || !strings.Contains(text, `call more with {"cursor":"`) {
		t.Error(text)
	}
}
