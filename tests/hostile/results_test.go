//go:build evidence

package hostile

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLongResults: a result that a page makes too long is an error, and no
// process holds it. A snapshot shows the beginning of a name.
func TestLongResults(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestTooLongMessages of internal/browser/cdp is quick")
	p, driver := start(t)
	p.Call("eval", pipetest.List(`(() => {
		const long = 'v'.repeat(60e6);
		document.title = long;
		document.body.innerHTML = '<button>b</button><p></p>';
		document.querySelector('button').setAttribute('aria-label', long);
		document.querySelector('p').hidden = true; // its layout would take gigabytes
		document.querySelector('p').textContent = long;
	})()`), "timeout", 60)
	watched(p, driver, "snapshot", func() {
		if got := p.Text("snapshot", nil, "timeout", 60); !strings.Contains(got, `button "vvv`) || len(got) > 10_000 {
			t.Errorf("%.100s: %d bytes", got, len(got))
		}
	})
	for _, c := range []struct {
		method string
		params []any
	}{
		{"title", nil}, {"attr", pipetest.List("button", "aria-label")}, {"txt", pipetest.List("p")},
	} {
		watched(p, driver, c.method, func() { p.Complains("no more ", c.method, c.params, "timeout", 60) })
	}
	if got := p.Call("eval", pipetest.List("1 + 1")); got != "2" {
		t.Error(got)
	}
}
