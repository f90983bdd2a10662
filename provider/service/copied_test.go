package service_test

import (
	"strconv"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPagesCallNoFunctionOfTheClipboard: what a page copies gets into its session's clipboard,
// also in a frame and in its next document. No function that tells pwpipe of it is within the
// page's reach, and a page that says so in a loop is heard as often as a person copies.
func TestPagesCallNoFunctionOfTheClipboard(t *testing.T) {
	pipetest.InCI(t, "it is about a wall, and TestClipboardsOfContexts of tests/eachtool is quick")
	svc := pipetest.SharedService(t)
	s := svc.Open(nil)
	copies := func(text string) {
		t.Helper()
		s.On("eval", m{"code": `const f = document.querySelector('#copied') ?? document.body.appendChild(document.createElement('input'));
			f.id = 'copied'; f.value = ` + strconv.Quote(text) + `; f.focus(); f.select()`})
		pipetest.Eventually(t, "the session has "+text, func() bool { // its document may be new
			s.On("press", m{"sel": "#copied", "key": "Control+C"})
			return s.On("clip", nil) == strconv.Quote(text)
		})
	}
	for _, at := range []string{"/form", "/frames"} {
		s.On("nav", m{"url": at})
		copies("of " + at)
		got := s.On("eval", m{"code": `[window, ...Array.from(frames)].flatMap((w) => Object.getOwnPropertyNames(w).filter((n) => /pwpipe/i.test(n)))`})
		if got != "[]" {
			t.Errorf("%s: the page has %s", at, got)
		}
	}
	s.On("eval", m{"code": `const text = 'x'.repeat(1 << 20);
		for (let i = 0; i < 500; i++) dispatchEvent(new CustomEvent('pwpipecopied', { detail: text + i }))`})
	copies("after all")
}
