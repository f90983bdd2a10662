package tools_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRefsThatNeverWere: an error tells a ref that no outline gave from one whose element is gone.
func TestRefsThatNeverWere(t *testing.T) {
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<button>One</button><a href=/two>two</a><iframe srcdoc="<button>In</button>"></iframe>`, "/two": "<h1>Two</h1>"})
	p := pipetest.SharedOn(t, site+"/")
	never, gone := "!there is no ref e999: no outline of this page has given it; snapshot gives refs", "!ref e1 is stale"
	pipetest.Steps(p,
		does("click", list("e999"), never),
		does("snapshot", nil, `~button \"One\" [ref=e1]`),
		does("click", list("e999"), never),
		does("txt", list("[ref=e999]"), never),
		does("click", list("f7e1"), "!there is no ref f7e1"),
		does("fill", list("f1e999", "x"), never),
		does("execute", list("await $('e999').click()"), never),
		does("eval", list("void document.querySelector('button').remove()"), "null"),
		does("click", list("e1"), gone),
		does("nav", list(site+"/two"), "null"),
		does("click", list("e1"), gone),
		does("execute", list("await $('e1').click()"), gone),
		does("click", list("f1e1"), "!ref f1e1 is stale"),
		does("click", list("e999"), never),
	)
}
