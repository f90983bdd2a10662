//go:build evidence

package eachtool_test

import (
	"regexp"
	"testing"

	"pwpipe/internal/pipetest"
)

// A locator works without context: it matches exactly the ref's element.
func TestLocators(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript reads is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	tried := 0
	for _, path := range pipetest.Sample([]string{"/form", "/login", "/frames", "/products"}, 2) {
		p.Call("nav", list(path))
		refs := regexp.MustCompile(`ref=((?:f\d+)?e\d+)\]`).FindAllStringSubmatch(
			p.Text("snapshot", pipetest.Object{"interactive": true}), 25)
		for _, m := range refs {
			ref := m[1]
			sel := p.Text("locator", list(ref))
			if n := p.Call("count", list(sel)); n != "1" {
				t.Errorf("%s: %s is %s: %s elements", path, ref, sel, n)
			}
			if again := p.Text("locator", list(sel)); again != sel {
				t.Errorf("%s: %s, then %s", path, sel, again)
			}
			if got, want := p.Call("box", list(sel)), p.Call("box", list(ref)); got != want {
				t.Errorf("%s: %s is %s: %s, %s", path, ref, sel, want, got)
			}
			tried++
		}
	}
	if tried < 30 {
		t.Errorf("only %d refs", tried)
	}
	p.Call("nav", list("/login"))
	pipetest.Steps(p,
		does("locator", list("[name=email]"), `"role=textbox[name=\"E-mail\"]"`),
		does("locator", list("[type=submit]"), `"role=button[name=\"Sign in\"]"`),
		does("locator", list("#none"), "!nothing matches"),
		does("locator", list("e9999"), "!there is no ref e9999"),
	)
}
