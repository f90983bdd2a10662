package main

import (
	"bytes"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"pwpipe/internal/pipetest"
)

// collects is a collector of traces.
type collects struct {
	url string

	mu   sync.Mutex
	all  map[string]*spans.Span // by name, the last one
	from string                 // service.name
	text []byte                 // all that came
}

func newCollector(t *testing.T) *collects {
	t.Helper()
	c := &collects{all: map[string]*spans.Span{}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var sent collector.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &sent) != nil {
			t.Errorf("%s: %v", r.URL, err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.text = append(c.text, body...)
		for _, of := range sent.ResourceSpans {
			for _, a := range of.Resource.Attributes {
				if a.Key == "service.name" {
					c.from = a.Value.GetStringValue()
				}
			}
			for _, scope := range of.ScopeSpans {
				for _, span := range scope.Spans {
					c.all[span.Name] = span
				}
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(s.Close)
	c.url = s.URL
	return c
}

// span waits for the span of a tool.
func (c *collects) span(t *testing.T, tool string) (s *spans.Span) {
	t.Helper()
	pipetest.Eventually(t, "a span of "+tool, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		s = c.all[tool]
		return s != nil
	})
	return s
}

func attributesOf(s *spans.Span) (list []string) {
	for _, a := range s.Attributes {
		list = append(list, a.Key+"="+a.Value.GetStringValue())
	}
	return list
}

func tracedPipe(t *testing.T, env []string, args ...string) *pipetest.Pipe {
	t.Helper()
	cmd := exec.Command(pipetest.Binary(t), args...)
	cmd.Env = append(cmd.Environ(), env...)
	return pipetest.StartCmd(t, cmd)
}

const (
	traceID = "0af7651916cd43dd8448eb211c80319c"
	parent  = "b7ad6b7169203331"
)

// TestTracesOfPipe: each call has a span: below the one that TRACEPARENT names, steps of a batch
// below their batch. No span has what was typed or read.
func TestTracesOfPipe(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript flags-refused is quick")
	t.Parallel()
	c := newCollector(t)
	p := tracedPipe(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + c.url, "OTEL_SERVICE_NAME=shop-tests",
		"TRACEPARENT=00-" + traceID + "-" + parent + "-01"}, "--without", "service", "--log-level", "debug",
		"--allowed-domains", "127.0.0.1", "--secrets", pipetest.SharedFile(t, "typed.env", "PIN=98765432\n"))
	peerCallsOnTheRoad(p, pipetest.Site(t))
	page := pipetest.ServePages(t, map[string]string{"/": "<title>tell nobody</title><input>"})
	p.Call("nav", []string{page + "/?nobody"})
	p.Call("batch", pipetest.Object{"steps": []any{[]any{"fill", "input", "a quiet word"}, []any{"title"}}})
	p.Fail("click", []string{"#none"}, "timeout", 0.3, "page", "p1")
	p.Fail("tell nobody", nil)
	p.Close()
	pipetest.Has(t, p.Stderr(), "msg=call tool=nav", "msg=call tool=fill", "msg=call tool=value", "kind=blocked")
	pipetest.Lacks(t, p.Stderr(), "98765432")
	batch, fill, click := c.span(t, "batch"), c.span(t, "fill"), c.span(t, "click")
	if hex.EncodeToString(batch.TraceId) != traceID || hex.EncodeToString(batch.ParentSpanId) != parent {
		t.Errorf("batch is in trace %x below %x", batch.TraceId, batch.ParentSpanId)
	}
	if !bytes.Equal(fill.ParentSpanId, batch.SpanId) || fill.EndTimeUnixNano < fill.StartTimeUnixNano ||
		fill.StartTimeUnixNano < batch.StartTimeUnixNano {
		t.Errorf("fill %v, batch %v", fill, batch)
	}
	// A busy page does not tell in time that nothing matches: then the call has timed out.
	if got := strings.Join(attributesOf(click), " "); got != "pwpipe.page=p1 error.type=failed" && got != "pwpipe.page=p1 error.type=timed out" ||
		click.Status.Code != spans.Status_STATUS_CODE_ERROR {
		t.Errorf("click: %s, %v", got, click.Status)
	}
	c.span(t, "unknown")
	if c.from != "shop-tests" || bytes.Contains(c.text, []byte("nobody")) || bytes.Contains(c.text, []byte("quiet word")) {
		t.Errorf("from %s: %q", c.from, c.text)
	}
}
