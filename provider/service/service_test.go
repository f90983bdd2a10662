package service

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pwpipe/provider"
	"pwpipe/provider/wire"
)

// oneSession is the only session of a service without a browser.
type oneSession struct{}

func (oneSession) Create(context.Context) (string, error) { return "s_1", nil }
func (oneSession) Bind(ctx context.Context, id string) (context.Context, func(*provider.Error), error) {
	if id != "s_1" {
		return ctx, nil, provider.Errorf(provider.KindNoTarget, "no session %s", id)
	}
	return ctx, func(*provider.Error) {}, nil
}
func (oneSession) Close(context.Context, string) error { return nil }
func (oneSession) Open() int                           { return 1 }

type echoIn struct {
	Text string `json:"text" doc:"a <text>"`
	Loud bool   `json:"loud,omitempty" doc:"in capitals"`
}

func testTable() *provider.Table {
	spec := func(name string, effect provider.Effect) provider.Spec {
		return provider.Spec{Name: name, Title: "T", Doc: "Test tool " + name, Profile: "core", Timeout: 5 * time.Second, Effect: effect}
	}
	echo := func(_ context.Context, in echoIn) (string, error) { return in.Text, nil }
	return provider.NewTable([]*provider.Tool{provider.Define(spec("echo", provider.Reads), echo), provider.Define(spec("act", provider.Acts), echo),
		provider.Define(spec("drop", provider.Destroys), echo)}, provider.TableOptions{Sessions: oneSession{}})
}

// started starts a service for the test and returns its address.
func started(t *testing.T, table *provider.Table) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- Service{Table: table, Door: Door{MaxBody: 1 << 20, Loopback: true}, Grace: time.Second}.Serve(ctx, l)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

// postWith sends a request in an MCP session, "" for none, and returns the answer and the session.
func postWith(t *testing.T, url, session, body string) (text, mcpSession string) {
	t.Helper()
	r, _ := http.NewRequest("POST", url, strings.NewReader(body))
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(all)), resp.Header.Get("Mcp-Session-Id")
}

// TestOneList: tools/list is the same over /mcp as on a pipe.
func TestOneList(t *testing.T) {
	const (
		hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
		ready = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
		ask   = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	)
	table := testTable()
	var out bytes.Buffer
	if _, err := (&wire.Stdio{Table: table}).Serve(context.Background(), strings.NewReader(hello+"\n"+ready+"\n"+ask), &out); err != nil {
		t.Fatal(err)
	}
	_, pipe, _ := strings.Cut(out.String(), "\n")
	url := started(t, table) + "/mcp"
	_, session := postWith(t, url, "", hello)
	_, _ = postWith(t, url, session, ready)
	text, _ := postWith(t, url, session, ask)
	if _, data, ok := strings.Cut(text, "data: "); ok { // an event stream
		text = data
	}
	if d := cmp.Diff(tools(t, pipe), tools(t, text)); d != "" {
		t.Errorf("(-pipe +/mcp):\n%s", d)
	}
	if list := tools(t, text); !strings.HasPrefix(list, `[{"name":"echo"`) || strings.Contains(list, "idempotentHint") {
		t.Errorf("not slim: %s", list)
	}
}

// tools is the raw list in an answer to tools/list.
func tools(t *testing.T, text string) string {
	t.Helper()
	var answer struct {
		Result struct{ Tools json.RawMessage }
	}
	if err := json.Unmarshal([]byte(strings.TrimSpace(text)), &answer); err != nil || len(answer.Result.Tools) == 0 {
		t.Fatalf("%s: %v", text, err)
	}
	return string(answer.Result.Tools)
}
