//go:build evidence

package watch_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestCallsFit: on a common screen every column of the calls is in view, and no line of facts ends
// with what separates two.
func TestCallsFit(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestService is quick")
	t.Parallel()
	s := pipetest.SharedService(t, "OPERATOR_KEY="+operator)
	own := s.Open(m{"name": "Order 1042"})
	own.On("page.goto", m{"url": "/login"})
	own.On("page.fill", m{"selector": "[name=password]", "value": "secret"})
	own.Refuse(-32000, "click", m{"sel": "#pay", "timeout": 1})
	p := person{pipetest.Shared(t), s.URL}
	p.login(operator)
	for _, width := range []int{1440, 1400, 1280} {
		p.Call("viewport", m{"width": width, "height": 800})
		p.Call("click", m{"sel": "#sessions a:has-text('Order 1042')"})
		p.until("document.querySelectorAll('#panel tbody tr').length >= 3")
		if over := p.eval("((p) => p.scrollWidth - p.clientWidth)(document.querySelector('#panel'))"); over != "0" {
			t.Errorf("at %d pixels the calls are %s pixels wider than their place", width, over)
		}
	}
	p.until("document.querySelectorAll('#facts > span').length === 3 && document.querySelector('#facts').textContent.includes(' old opened by ')")
}
