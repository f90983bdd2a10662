package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPressTakesBothOrders: the key before the selector, as in its list, or behind it, as with every other tool.
func TestPressTakesBothOrders(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and the transcript acts is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<input id=a onkeydown="this.title = event.key"><input id=b>`)
	field := ref(t, p.Text("snapshot", nil), "textbox")
	for _, c := range []struct {
		params []string
		want   string
	}{
		{[]string{"Enter", "#a"}, `"Enter"`}, {[]string{"#a", "Escape"}, `"Escape"`}, {[]string{field, "ArrowDown"}, `"ArrowDown"`},
		{[]string{"Shift+Tab", field}, `"Tab"`}, {[]string{"#a", "Control+A"}, `"A"`}, {[]string{"x", field}, `"x"`},
	} {
		p.Call("press", c.params)
		if got := p.Call("attr", []string{"#a", "title"}); got != c.want {
			t.Errorf("press %q: %s, want %s", c.params, got, c.want)
		}
	}
}

// TestPathsAreOfThePage: a script goes to a path of the site that its page shows.
func TestPathsAreOfThePage(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and the transcript page-frames is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": "<p>", "/a/b": "<p>", "/a/c": "<p>", "/d": "<p>"})
	p := pipetest.Start(t) // a sample site is the base of paths
	p.Call("nav", []string{site + "/a/b"})
	for _, c := range [][2]string{{"./c", "/a/c"}, {"/d", "/d"}, {"/a/b?x=1", "/a/b?x=1"}, {"?y=2", "/a/b?y=2"}, {"../d", "/d"}} {
		pipetest.Has(t, pipetest.Execute(p, "await page.goto('"+c[0]+"'); return page.url()"), `"`+site+c[1]+`"`)
	}
}
