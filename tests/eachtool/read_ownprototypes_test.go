//go:build evidence

package eachtool_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPagesOwnStrings: what pages make of the methods of strings changes no answer, in frames neither.
func TestPagesOwnStrings(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript reads is quick")
	t.Parallel()
	each := "<script>for (const k of Object.getOwnPropertyNames(String.prototype)) if (typeof String.prototype[k] === 'function' && " +
		"!/^(constructor|toString|valueOf)$/.test(k)) "
	breaks := map[string]string{
		"/throws":   each + "String.prototype[k] = () => { throw Error('the page broke ' + k) }; String.prototype.toJSON = () => 'broken'</script>",
		"/wrong":    each + "String.prototype[k] = () => ''; Array.prototype.toJSON = String.prototype.toJSON = () => 'broken'</script>",
		"/deleted":  each + "delete String.prototype[k]</script>",
		"/getters":  each + "Object.defineProperty(String.prototype, k, {get() { throw Error('the page broke ' + k) }})</script>",
		"/extended": "<script>Object.prototype.toJSON = () => 'broken'; String.prototype.trim = function () { return 'own' }; String.prototype.strip = String.prototype.trim</script>",
	}
	const page = `<p>one <a href=/x> two  three </a></p><input id=i value=v><select id=s><option>a<option>b</select><div id=e contenteditable><p>old</p></div><table><tr><td> 1  2</table>
<button id=b disabled>Off</button><button id=u style="position:absolute;left:200px;top:200px">Under</button><div id=o style="position:absolute;left:190px;top:190px;width:99px;height:99px">over</div>`
	pages := map[string]string{"/framed": "<iframe id=f width=900 height=600 src=/throws></iframe>"}
	for path, script := range breaks {
		pages[path] = script + page
	}
	site := pipetest.ServePages(t, pages)
	p := pipetest.Shared(t)
	for path := range pages {
		off := `!"#b" is disabled`
		p.Call("nav", list(site+path))
		if path == "/framed" {
			p.Call("frame", list("#f"))
			off = `!"#b" is not enabled` // the page's own strings are used in a frame
		}
		pipetest.Steps(p,
			does("eval", list("1 + 1"), "2"),
			does("eval", list(" function() { return {a: 'é\"\\n\u2028', b: [1, null]} }"), `{"a":"é\"\n\u2028","b":[1,null]}`),
			does("eval", list("await Promise.resolve('x')"), `"x"`),
			does("eval", list("const x = await 3; return x"), "3"),
			does("eval", list("throw Error('mine')"), "!mine"),
			does("eval", list("'\\ud83d'.length"), "1"),
			does("links", nil, `[{"text":"two three","url":"`+site+`/x"}]`),
			does("table", nil, `[["1 2"]]`),
			does("type", list("#e", "er"), "null"),
			does("value", list("#e"), `"older"`),
			does("fill", list("#e", "new\nlines"), "null"),
			does("value", list("#e"), `"new\nlines"`),
			does("clear", list("#e"), "null"),
			does("sel", list("#s", "b"), "null"),
			does("sel", list("#s", 0), "null"),
			does("value", list("#s"), `"a"`),
			does("sel", list("#e", "b"), `!"#e" is no <select>`),
			does("click", pipetest.Object{"sel": "#b", "timeout": 1}, off),
			does("click", pipetest.Object{"sel": "#u", "timeout": 1}, `!"#u" is covered: <div id="o">over</div>`),
		)
	}
	if got := p.Text("txt", list("p")); !strings.Contains(got, "one") {
		t.Error(got)
	}
}
