//go:build evidence

package eachtool_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestDocumentsThatAreNone: tools say what they can of documents without a body or a root element, and of XHTML.
func TestDocumentsThatAreNone(t *testing.T) {
	pipetest.Nightly(t, "it is long, and about documents that are no pages")
	t.Parallel()
	mux := http.NewServeMux()
	serve := func(path, kind, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write([]byte(text))
		})
	}
	serve("/html", "text/html", "<p>words</p>")
	serve("/svg", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="2000"><title>Plan</title><a href="/html"><text y="40">Room A</text></a></svg>`)
	serve("/xhtml", "application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>XH</title></head><body><h1>Form</h1>
<input id="i" value="old"/><select id="s"><option>a</option><option value="2">b</option></select><textarea id="t">text</textarea><input type="checkbox" id="c"/>
<label for="i" id="l">Name</label><button onclick="this.textContent='pressed'">Press</button></body></html>`)
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	p := pipetest.Shared(t)
	nothing := "the document has no root element"
	soon := func(params ...any) pipetest.Object { return pipetest.Object{"sel": params[0], "timeout": 1} }
	for _, end := range []string{"document.documentElement.remove()", "document.replaceChildren()"} {
		pipetest.Steps(p,
			does("nav", list(site.URL+"/html"), "null"),
			does("eval", list("void "+end), "null"),
			does("text", pipetest.Object{"timeout": 1}, "!"+nothing),
			does("click", soon("p"), `!nothing matches "p" after 1 s`),
			does("txt", soon("p"), "!"+nothing),
			does("scroll", pipetest.Object{"dy": 10}, "!"+nothing),
			does("scroll", pipetest.Object{"to": "bottom"}, "!"+nothing),
			does("snapshot", nil, "~"+nothing),
			does("search", list("x"), `"no match"`),
			does("browser_snapshot", pipetest.Object{}, "~"+nothing),
			does("screenshot", pipetest.Object{"fullPage": true}, "~image/"),
		)
	}
	pipetest.Steps(p,
		does("nav", list(site.URL+"/html"), "null"),
		does("eval", list("void document.open()"), "null"),
		does("snapshot", nil, "~nothing to see: "),
		does("scroll", pipetest.Object{"dy": 10}, "!"+nothing),
		does("eval", list("void (document.write('<p>new'), document.close())"), "null"),
		does("text", nil, `"new"`),

		does("nav", list(site.URL+"/svg"), "null"),
		does("text", nil, `"PlanRoom A"`),
		does("links", nil, `[{"text":"Room A","url":"`+site.URL+`/html"}]`),
		does("browser_snapshot", pipetest.Object{}, "~Room A"),
		does("screenshot", pipetest.Object{"fullPage": true}, "~image/"),

		does("nav", list(site.URL+"/xhtml"), "null"),
		does("value", list("#i"), `"old"`),
		does("value", list("#l"), `"old"`),
		does("fill", list("#i", "new"), "null"),
		does("value", list("#i"), `"new"`),
		does("type", list("#i", "er"), "null"),
		does("value", list("#i"), `"newer"`),
		does("clear", list("#i"), "null"),
		does("value", list("#i"), `""`),
		does("value", list("#t"), `"text"`),
		does("sel", list("#s", "b"), "null"),
		does("value", list("#s"), `"2"`),
		does("sel", list("#s", 0), "null"),
		does("value", list("#s"), `"a"`),
		does("check", list("#c"), "null"),
		does("checked", list("#c"), "true"),
		does("click", list("text=Press"), "null"),
		does("txt", list("button"), `"pressed"`),
	)
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, `h1 "Form"`, `textbox "Name"`, `button "pressed"`)
	plain := p.Call("eval", list("document.querySelector('select').nodeName"))
	if plain != `"select"` {
		t.Errorf("the page's own names are changed: %s", plain)
	}
}
