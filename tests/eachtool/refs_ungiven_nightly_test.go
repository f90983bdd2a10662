//go:build evidence

package eachtool_test

import (
	"maps"
	"regexp"
	"slices"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRefsThatNeverWere: an error tells a ref that no outline gave from one whose element is gone.
func TestRefsThatNeverWere(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestTheNextRef is quick")
	t.Parallel()
	others := map[string]string{
		"/shadow": `<my-box></my-box><script>customElements.define('my-box', class extends HTMLElement { constructor() { super().attachShadow({mode: 'open'}).innerHTML = '<button>One</button>' } })</script>`,
		"/table":  `<table><tr><td><button>One</button><td>1<tr><td>b<td>2</table>`,
		"/form":   `<form><button>One</button><label>Name <input></label><select><option>a<option>b</select></form>`,
		"/framed": `<button>One</button><iframe srcdoc="<iframe srcdoc='<button>Deep</button>'></iframe>"></iframe>`,
		"/drawn":  `<svg width=90 height=30><a href=/two><rect width=90 height=30 /><text y=20>One</text></a></svg><div role=button tabindex=0>Two</div>`,
	}
	pages := maps.Clone(others)
	maps.Copy(pages, map[string]string{"/": `<button>One</button><a href=/two>two</a><iframe srcdoc="<button>In</button>"></iframe>`, "/two": "<h1>Two</h1>"})
	site := pipetest.ServePages(t, pages)
	p := pipetest.SharedOn(t, site+"/")
	never, gone := "!there is no ref e999: no outline of this page has given it; snapshot gives refs", "!ref e1 is stale"
	pipetest.Steps(p,
		does("click", list("e999"), never),
		does("snapshot", nil, `~button \"One\" [ref=e1]`),
		does("click", list("e999"), never),
		does("txt", list("[ref=e999]"), never),
		does("click", list("f7e1"), "!there is no ref f7e1"),
		does("fill", list("f1e999", "x"), "!there is no ref f1e999: no outline of this page has given it"),
		does("execute", list("await $('e999').click()"), never),
		does("eval", list("void document.querySelector('button').remove()"), "null"),
		does("click", list("e1"), gone),
		does("nav", list(site+"/two"), "null"),
		does("click", list("e1"), gone),
		does("execute", list("await $('e1').click()"), gone),
		does("click", list("f1e1"), "!ref f1e1 is stale"),
		does("click", list("e999"), never),
	)
	for _, path := range pipetest.Sample(slices.Sorted(maps.Keys(others)), 2) {
		p.Call("use-page", list(p.Text("new-page", list("c1"))))
		p.Call("nav", list(site+path))
		pipetest.Steps(p, does("click", list("e999"), never))
		given := regexp.MustCompile(`\[ref=(e\d+)\]`).FindStringSubmatch(p.Text("snapshot", nil))
		if given == nil {
			t.Fatalf("%s has no ref", path)
		}
		pipetest.Steps(p,
			does("click", list("e999"), never),
			does("txt", list("[ref=f1e999]"), "!e999: no outline of this page has given it"),
			does("eval", list("void document.body.replaceChildren()"), "null"),
			does("click", list(given[1]), "!ref "+given[1]+" is stale"),
			does("click", list("e999"), never),
		)
	}
}
