//go:build evidence

package eachtool_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestMiddleButton: where sessions share a browser, the middle button works, but not over what can be edited.
func TestMiddleButton(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestClipboard is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<style>a,input,div,iframe{position:absolute;left:20px;width:200px;height:30px}</style>
<a id=a href=/next style="top:10px">link</a><input id=i style="top:50px"><div id=e contenteditable style="top:90px">words</div>
<div id=s style="top:130px"></div><iframe id=f style="top:170px" srcdoc="<body style='margin:0'><textarea style='width:99%;height:25px'></textarea>"></iframe>
<div id=p style="top:220px" onauxclick="hits++">plain</div><script>hits = 0; s.attachShadow({mode: 'open'}).innerHTML = '<input style="width:90%">'</script>`, "/next": "next"})
	s := pipetest.SharedService(t).Open(nil)
	page := func() {
		t.Helper()
		s.On("nav", pipetest.Object{"url": site + "/"})
	}
	middle := func(sel string) pipetest.Object { return pipetest.Object{"sel": sel, "button": "middle"} }
	page()
	s.On("rclick", middle("#p"))
	if got := s.On("eval", pipetest.Object{"code": "hits"}); got != "1" {
		t.Errorf("%s clicks of the middle button", got)
	}
	for _, sel := range []string{"#i", "#e", "#s", "#f"} {
		if said := s.Refuse(-32003, "rclick", middle(sel)); !strings.Contains(said, "the middle button would paste") {
			t.Errorf("%s: %s", sel, said)
		}
	}
	for y, allowed := range map[int]bool{25: true, 65: false, 105: false, 140: false, 180: false, 235: true} {
		page()
		at := pipetest.Object{"x": 60, "y": y, "button": "middle"}
		move := pipetest.Object{"x": 60, "y": y}
		s.On("mouse-move", move)
		if allowed {
			s.On("mouse-click", at)
			s.On("mouse-down", pipetest.Object{"button": "middle"})
			s.On("mouse-up", pipetest.Object{"button": "middle"})
		} else {
			s.Refuse(-32003, "mouse-click", at)
			s.Refuse(-32003, "mouse-down", pipetest.Object{"button": "middle"})
		}
	}
	page()
	var clicked int
	s.Execute("await page.click('#p', {button: 'middle'}); await page.evaluate('hits')", &clicked)
	if clicked != 1 {
		t.Errorf("a script clicked %d times", clicked)
	}
	if said := s.Refuse(-32003, "execute", pipetest.Object{"code": "await page.click('#i', {button: 'middle', timeout: 5000})"}); !strings.Contains(said, "middle button") {
		t.Error(said)
	}
}
