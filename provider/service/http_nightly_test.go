//go:build evidence

package service_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestPageMethods(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestRPC is quick")
	t.Parallel()
	s := pipetest.SharedService(t).Open(m{"viewport": m{"width": 640, "height": 480}, "userAgent": "keeper/1"})
	s.On("page.goto", m{"url": "/form", "waitUntil": "load"})
	for _, c := range []struct {
		expression string
		arg        any
		want       string
	}{
		{"1 + 1", nil, `{"result":2}`},
		{"arg.a * 2", m{"a": 21}, `{"result":42}`},
		{"n => n + '!'", "go", `{"result":"go!"}`},
		{"navigator.userAgent", nil, `{"result":"keeper/1"}`},
		{"[innerWidth, innerHeight]", nil, `{"result":[640,480]}`},
		{"Promise.resolve({a: [1, null]})", nil, `{"result":{"a":[1,null]}}`},
		{"undefined", nil, `{"result":null}`},
	} {
		if got := s.On("page.evaluate", m{"expression": c.expression, "arg": c.arg}); got != c.want {
			t.Errorf("%s: %s, want %s", c.expression, got, c.want)
		}
	}
	if msg := s.Refuse(-32000, "page.evaluate", m{"expression": "nope()"}); !strings.Contains(msg, "nope is not defined") {
		t.Error(msg)
	}
	var html struct{ HTML string }
	if s.On("page.content", nil, &html); !strings.HasPrefix(html.HTML, "<!DOCTYPE html>") {
		t.Errorf("page.content: %.60s", html.HTML)
	}
	var text struct{ Text, Fallback string }
	s.On("page.evaluate", m{"expression": `(document.body.innerHTML = "<main><p>one  </p>\r<pre>two   \n\n\n\n\nthree</pre><p style='display:none'>hidden</p></main>", 0)`})
	if s.On("page.text", m{"selector": "main"}, &text); text.Text != "one\n\ntwo\n\nthree" {
		t.Errorf("normalised text: %q", text.Text)
	}
	if s.On("page.text", m{"selector": "main", "maxChars": 5}, &text); text.Text != "one\n\n" {
		t.Errorf("clamped text: %q", text.Text)
	}
	if s.On("page.text", m{"selector": "#gone", "timeout": 3000}, &text); !strings.Contains(text.Text, "three") || !strings.Contains(text.Fallback, "#gone") {
		t.Errorf("fallback: %+v", text)
	}
	var pic struct{ MIME, Base64 string }
	if s.On("screenshot", m{"mime": "image/jpeg", "fullPage": true}, &pic); pic.MIME != "image/jpeg" || !strings.HasPrefix(pic.Base64, "/9j/") {
		t.Errorf("screenshot: %s %.10s", pic.MIME, pic.Base64)
	}
	if got := s.On("page.waitFor", m{"state": "idleFor", "ms": 5}); got != `{"state":"idleFor"}` {
		t.Error(got)
	}
	if got := s.On("page.waitFor", m{"state": "networkidle"}); got != `{"state":"networkidle"}` {
		t.Error(got)
	}
	if msg := s.Refuse(-32602, "page.press", m{"selector": "body", "key": "Entre"}); !strings.Contains(msg, `no key "Entre"`) {
		t.Error(msg)
	}
	if msg := s.Refuse(-32602, "find.byRole", m{"role": "button\"]"}); !strings.Contains(msg, "role") {
		t.Error(msg)
	}
}
