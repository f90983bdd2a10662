package eachtool_test

import (
	"fmt"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestTheNextRef: the last ref that an outline gave is stale once its element is gone, and the one after it was
// never given.
func TestTheNextRef(t *testing.T) {
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{
		"/": "<button>One</button><button>Two</button>", "/more": "<button>Three</button>",
	})
	p := pipetest.SharedOn(t, site)
	last := func(n int) {
		t.Helper()
		p.Complains(fmt.Sprintf("ref e%d is stale", n), "click", list(fmt.Sprintf("e%d", n)))
		p.Complains(fmt.Sprintf("there is no ref e%d: no outline", n+1), "click", list(fmt.Sprintf("e%d", n+1)))
	}
	pipetest.Steps(p, does("snapshot", nil, "~[ref=e2]"), does("eval", list("void document.body.replaceChildren()"), "null"))
	last(2)
	pipetest.Steps(p, does("nav", list(site+"/more"), "null"), does("snapshot", nil, "~[ref=e3]"))
	p.Complains("there is no ref e4: no outline", "click", list("e4"))
	p.Call("nav", list("about:blank"))
	last(3)
}
