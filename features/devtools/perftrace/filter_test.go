package perftrace

import (
	_ "embed"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// twoPages is a trace of a browser (process 1) with the page that is traced (2, and 4
// after a navigation) and another one (3).
//
//go:embed testdata/two-pages.json
var twoPages string

func TestFilter(t *testing.T) {
	var out strings.Builder
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(twoPages)), nil }
	w, err := Filter(open, &out, nil)
	if err != nil {
		t.Fatal(err)
	}
	var kept struct{ TraceEvents []event }
	if err := json.Unmarshal([]byte(out.String()), &kept); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Contains(got, "secret") || len(kept.TraceEvents) != 15 || w.Events != 15 ||
		!strings.Contains(got, "Early") || !strings.Contains(got, "https://next.example/") {
		t.Errorf("%d events, %d:\n%s", len(kept.TraceEvents), w.Events, got)
	}
	want := `CLS 0.1250
main thread: script 50.0 ms, layout 20.0 ms
style 0 times, 0.0 ms, longest 0.0; layout 1 times, 20.0 ms, longest 20.0
1 long tasks, 30.0 ms over 50 ms each
  80.0 ms at 1000.0: script 50.0 ms, layout 20.0 ms
scripts that took most
  50.0 ms, 2 times: https://own.example/a b.js
styles and layouts that scripts forced
  20.0 ms, 1 times: force in https://own.example/a.js`
	if got := w.Summary.Text(); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", got, want)
	}
}

// TestOddTraces: other files are refused.
func TestOddTraces(t *testing.T) {
	for _, text := range []string{"", "[]", "{}", `{"traceEvents":{}}`, twoPages[:500], `{"traceEvents":[]}`,
		`{"traceEvents":[{"name":"TracingStartedInBrowser","cat":"` + framed + `","pid":1,"args":{}}]}`} {
		open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
		if _, err := Filter(open, io.Discard, nil); err == nil {
			t.Errorf("%.40q was read", text)
		}
	}
}
