package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"pwpipe/provider"
	"pwpipe/provider/wire"
)

// announce is a tool that sends an event before it answers.
func announce() *provider.Tool {
	return provider.Define(provider.Spec{
		Name: "announce", Title: "Announce", Doc: "Send an event", Profile: "core",
		Timeout: time.Minute, Effect: provider.Reads,
	}, func(ctx context.Context, in greeting) (string, error) {
		return in.Name, provider.EmitterFrom(ctx).Send(map[string]any{"event": "news", "text": "<" + in.Name + ">"})
	})
}

// TestLibraryAsPeer has a client on the library's own Conn talk to the stream: calls side by
// side, errors with their data, events as notifications.
func TestLibraryAsPeer(t *testing.T) {
	ours, theirs := net.Pipe()
	stdio := wire.Stdio{Table: provider.NewTable([]*provider.Tool{greet(), announce()}, provider.TableOptions{})}
	ended := make(chan error, 1)
	go func() {
		_, err := stdio.Serve(context.Background(), ours, ours)
		_ = ours.Close()
		ended <- err
	}()
	events := make(chan string, 1)
	heard := jsonrpc2.HandlerWithError(func(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
		if r.Notif {
			events <- r.Method + " " + string(*r.Params)
		}
		return nil, nil
	})
	ctx := t.Context()
	peer := jsonrpc2.NewConn(ctx, jsonrpc2.NewPlainObjectStream(theirs), heard)

	calls := map[string]jsonrpc2.Waiter{}
	for i := range 20 {
		name := fmt.Sprint("Ada", i)
		w, err := peer.DispatchCall(ctx, "greet", map[string]string{"name": name})
		if err != nil {
			t.Fatal(err)
		}
		calls[name] = w
	}
	for name, w := range calls {
		var got string
		if err := w.Wait(ctx, &got); err != nil || got != "Hello, "+name {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	err := peer.Call(ctx, "greet", map[string]string{"nam": "Ada"}, nil, jsonrpc2.StringID())
	var failed *jsonrpc2.Error
	if !errors.As(err, &failed) || failed.Code != jsonrpc2.CodeInvalidParams || failed.Data == nil || !strings.Contains(string(*failed.Data), `"kind":"bad arguments"`) {
		t.Errorf("an error arrives as %#v", err)
	}
	if err := peer.Call(ctx, "announce", []string{"Ada"}, nil); err != nil {
		t.Error(err)
	}
	if got, want := <-events, `event {"event":"news","text":"\u003cAda\u003e"}`; got != want { // Conn encodes it anew
		t.Errorf("an event arrives as %s, not %s", got, want)
	}
	_ = theirs.Close()
	if err := <-ended; err != nil && !errors.Is(err, net.ErrClosed) {
		t.Log(err)
	}
}

// TestIDsComeBack checks that each id is echoed byte for byte, in results and errors,
// whether or not the library can represent it.
func TestIDsComeBack(t *testing.T) {
	table := provider.NewTable([]*provider.Tool{greet()}, provider.TableOptions{})
	for _, id := range []string{`0`, `7`, `18446744073709551615`, `18446744073709551616`, `-5`, `1.50`, `1e2`, `null`,
		`""`, `"a"`, `"A"`, `"<&>"`, `"` + "\u2028" + `"`} {
		for _, params := range []string{`["Ada"]`, `[5]`} {
			m := table.Parse(json.RawMessage(`{"jsonrpc":"2.0","id":` + id + `,"method":"greet","params":` + params + `}`))
			result, err := table.Call(t.Context(), m.Request)
			if line := string(wire.ReplyTo(m, result.JSON, err).Line); !strings.HasPrefix(line, `{"jsonrpc":"2.0","id":`+id+`,"`) {
				t.Errorf("id %s comes back as %s", id, line)
			}
		}
	}
}
