package fastpath_test

import (
	"testing"

	"pwpipe/handlers/fastpath"
	"pwpipe/internal/pipetest"
)

// TestOneWatch: an act is over also in a document in which the driver has made the library before us: two watches
// would take each other's timers for the page's.
func TestOneWatch(t *testing.T) {
	t.Parallel()
	s := start(t)
	url := pipetest.ServePages(t, map[string]string{"/": `<title>One</title><button id=a>a</button><input id=f>`})
	p := s.page()
	for range 3 { // from a page's second document on the library is ready in each
		s.call("nav", url)
		s.call("txt", "title")
	}
	s.call("nav", url)
	if _, err := p.PW.TextContent("ref=!changes"); err != nil {
		t.Fatal(err)
	}
	for _, act := range [][]any{{"click", "#a"}, {"fill", "#f", "x"}, {"fill", "#f", "y"}} {
		over := false
		for n := 0; !over && n < 5; n++ { // on a busy machine frames may come too late
			begun := fastpath.Begin(t.Context(), p)
			if begun == nil {
				t.Fatal("its begin was not noted")
			}
			s.call(act[0].(string), act[1:]...)
			_, over = begun.Over(t.Context())
		}
		if !over {
			t.Errorf("%s is not over", act)
		}
	}
}
