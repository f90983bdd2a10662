package service_test

import (
	"archive/zip"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestStorageState(t *testing.T) {
	t.Parallel()
	svc := pipetest.SharedService(t)
	first := svc.Open(nil)
	first.On("page.goto", m{"url": "/"})
	first.On("page.evaluate", m{"expression": "(document.cookie = 'who=ada; max-age=3600', localStorage.lamp = 'lit', 0)"})
	var state struct {
		StorageState json.RawMessage `json:"storageState"`
	}
	first.On("session.storageState", nil, &state)
	second := svc.Open(m{"storageState": state.StorageState})
	second.On("page.goto", m{"url": "/"})
	var got struct{ Result string }
	second.On("page.evaluate", m{"expression": "document.cookie + ' ' + localStorage.lamp"}, &got)
	if !strings.Contains(got.Result, "who=ada") || !strings.HasSuffix(got.Result, " lit") {
		t.Errorf("the second session has %q", got.Result)
	}
	third := svc.Open(nil)
	third.On("page.goto", m{"url": "/"})
	if third.On("page.evaluate", m{"expression": "document.cookie + ' ' + localStorage.lamp"}, &got); strings.Contains(got.Result, "ada") || strings.Contains(got.Result, "lit") {
		t.Errorf("a session of its own has %q", got.Result)
	}
	for _, bad := range []any{7, "x", m{"cookies": 1}} {
		if msg := svc.Fail(-32602, "session.create", m{"storageState": bad}); !strings.Contains(msg, "storageState") {
			t.Error(msg)
		}
	}
	if msg := svc.Fail(-32602, "session.create", m{"headless": false}); !strings.Contains(msg, "headless") {
		t.Error(msg)
	}
	if msg := svc.Fail(-32602, "session.create", m{"viewport": m{"width": 0, "height": 1}}); !strings.Contains(msg, "width") {
		t.Error(msg)
	}
	if n := svc.Metric("pwpipe_browser_contexts"); n != "3" {
		t.Errorf("%s contexts, want 3: sessions that could not be opened left some", n)
	}
}

func TestTraceOnFailure(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestToolsOverHTTP is quick")
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "traces")
	svc := pipetest.StartService(t, "--trace-on-failure="+dir)
	good, bad := svc.Open(nil), svc.Open(nil)
	for _, s := range []pipetest.Session{good, bad} {
		s.On("page.goto", m{"url": "/form"})
	}
	good.Refuse(-32602, "page.goto", m{}) // a caller's mistake is not the page's failure
	fails := func(s pipetest.Session) {   // a busy page does not tell in time that nothing matches, and it is a timeout
		t.Helper()
		if r := s.Try("page.click", s.With(m{"selector": "#gone", "timeout": 2000})); r.Error == nil || r.Error.Code != -32000 && r.Error.Code != -32001 {
			t.Errorf("a click on nothing: %+v", r)
		}
	}
	fails(bad)
	good.On("session.close", nil)
	bad.On("session.close", nil)
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 || !strings.Contains(files[0], bad.ID) {
		t.Fatalf("traces: %v, want that of %s", files, bad.ID)
	}
	z, err := zip.OpenReader(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	names := ""
	for _, f := range z.File {
		names += f.Name + "\n"
	}
	if !strings.Contains(names, "trace.trace") || !strings.Contains(names, "trace.network") {
		t.Errorf("not a trace:\n%s", names)
	}
	// Sessions open at the service's end are kept too.
	last := svc.Open(nil)
	fails(last)
	svc.Stop()
	if files, _ := filepath.Glob(filepath.Join(dir, "*"+last.ID+"*")); len(files) != 1 {
		t.Errorf("the trace of a session that was open at the end: %v", files)
	}
}
