//go:build evidence

package reach

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// When a frame is removed, the others keep their places, for tools and scripts
// alike.
func TestFramesAfterOneIsRemoved(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestWorkInALentTab is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"/text"})
	p.Call("eval", []any{framed})
	p.Call("expect-text", []any{"iframe[name=one] >> internal:control=enter-frame >> p", "in one"})
	p.Call("eval", []any{"document.querySelector('[name=one]').remove()"})
	wantFrames(t, p, "", "two", "three")
	p.Call("eval", []any{"document.querySelector('main').append(Object.assign(document.createElement('iframe'), {name: 'five', srcdoc: '<p>in five</p>'}))"})
	p.Call("expect-text", []any{"iframe[name=five] >> internal:control=enter-frame >> p", "in five"})
	wantFrames(t, p, "", "two", "three", "five")
	for text, count := range map[string]int{"in one": 0, "in two": 1, "in three": 1, "in five": 1, "Top": 1} {
		pipetest.Has(t, p.Call("find", []any{text, true}), fmt.Sprintf(`"count":%d}`, count))
	}
	pipetest.Has(t, p.Call("axe.run", nil), `"violations":[`)
	p.Call("eval", []any{"document.querySelectorAll('iframe').forEach(f => f.remove())"})
	wantFrames(t, p, "")
	pipetest.Has(t, p.Call("axe.run", nil), `"violations":[`)
	p.Call("nav", []any{"/frames"})
	wantFrames(t, p, "", "details", "srcdoc", "outer", "inner")
}

// framed is a page with three frames.
const framed = `document.body.innerHTML = '<h1>Top</h1><main>' + ['one', 'two', 'three'].map(n =>
	'<iframe name=' + n + ' title=' + n + ' srcdoc="<p>in ' + n + '</p>"></iframe>').join('') + '</main>'`

// wantFrames compares the names of a page's frames.
func wantFrames(t *testing.T, p *pipetest.Pipe, names ...string) {
	t.Helper()
	var list []struct{ Name string }
	if err := json.Unmarshal([]byte(p.Call("frames", nil)), &list); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range list {
		got = append(got, f.Name)
	}
	if g, w := strings.Join(got, ","), strings.Join(names, ","); g != w {
		t.Errorf("frames %s, want %s", g, w)
	}
}
