package service_test

import (
	"encoding/json"
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
	// A service for many clients keeps no states under names.
	pipetest.Has(t, third.Said("state-save", third.With(m{"name": "shop"})), "a service for many clients keeps no states under names")
}
