//go:build evidence

package eachtool_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestLabelOverHTTP: a session of the service has labels, too.
func TestLabelOverHTTP(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript pages is quick")
	t.Parallel()
	s := pipetest.SharedService(t)
	own := s.Open(nil)
	var second string
	own.On("title", nil)
	own.On("new-page", map[string]any{"ctx": "c1"}, &second)
	own.On("label-page", map[string]any{"label": "cart", "page": second})
	own.On("eval", map[string]any{"code": "document.title = 'cart'", "page": "cart"})
	var title string
	own.On("title", map[string]any{"page": second}, &title)
	if title != "cart" {
		t.Errorf("%s has the title %q", second, title)
	}
	other := s.Open(nil)
	pipetest.Has(t, other.Refuse(-32002, "title", map[string]any{"page": "cart"}), "no page cart")
}
