//go:build evidence

package main

import (
	"encoding/hex"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pwpipe/internal/pipetest"
)

// TestTracesOfSenders: requests of HTTP and calls of MCP name the trace that they belong to.
func TestTracesOfSenders(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript flags-refused is quick")
	t.Parallel()
	c := newCollector(t)
	s := pipetest.StartService(t, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT="+c.url+"/v1/traces", "OTEL_BSP_SCHEDULE_DELAY=100")
	trace := "00-" + traceID + "-" + parent + "-01"
	body := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"session.create"}`)
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/rpc", body)
	for name, value := range map[string]string{"X-Api-Key": s.Key, "Content-Type": "application/json", "traceparent": trace} {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", answer, err)
	}
	_ = answer.Body.Close()

	cmd := exec.Command(pipetest.Binary(t))
	cmd.Env = append(cmd.Environ(), "OTEL_EXPORTER_OTLP_ENDPOINT="+c.url, "OTEL_BSP_SCHEDULE_DELAY=100")
	client := connectTo(t, "test", cmd)
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "devices", Arguments: map[string]any{},
		Meta: mcp.Meta{"traceparent": trace}}); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"session.create", "devices"} {
		if span := c.span(t, tool); hex.EncodeToString(span.TraceId) != traceID || hex.EncodeToString(span.ParentSpanId) != parent {
			t.Errorf("%s is in trace %x below %x", tool, span.TraceId, span.ParentSpanId)
		}
	}
}

// TestTracesAreOptional: without a collector, or with one that is away, calls work as ever; a
// protocol that is not spoken here is an error.
func TestTracesAreOptional(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript flags-refused is quick")
	t.Parallel()
	for _, off := range []string{"OTEL_SDK_DISABLED=true", "OTEL_TRACES_EXPORTER=none", "OTEL_SERVICE_NAME=x"} {
		c := newCollector(t)
		env := []string{off}
		if off != "OTEL_SERVICE_NAME=x" {
			env = append(env, "OTEL_EXPORTER_OTLP_ENDPOINT="+c.url)
		}
		p := tracedPipe(t, env)
		p.Call("devices", nil)
		p.Close()
		if len(c.all) > 0 {
			t.Errorf("%s: %v", off, c.all)
		}
	}
	p := tracedPipe(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1"})
	p.Call("devices", nil)
	p.Close()
	if text := p.Stderr(); strings.Count(text, "no traces are sent") > 1 {
		t.Errorf("stderr %s", text)
	}
	for variable, want := range map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL=grpc": "expected http/protobuf",
		"OTEL_TRACES_EXPORTER=zipkin": "expected otlp or none"} {
		cmd := exec.Command(pipetest.Binary(t))
		cmd.Env = append(cmd.Environ(), "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1", variable)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, %s", variable, err, out)
		}
	}
}
