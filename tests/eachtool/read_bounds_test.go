package eachtool_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestMarkdownOfHostilePages: each of these pages would take a core for long, or all of
// the memory. Each is refused or written as text, and the next page is read.
func TestMarkdownOfHostilePages(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript reads is quick")
	t.Parallel()
	row := "<tr><td>x"
	site := pipetest.ServePages(t, map[string]string{
		"/stars": "<p>" + strings.Repeat("*_`[<", 20_000),
		"/cells": "<table><tr>" + strings.Repeat("<td>x", 80_000),
		"/span":  "<table><tr><td colspan=2000000000 rowspan=2000000000>wide<tr><td>x</table>",
		"/pad":   "<table>" + strings.Repeat(row, 5_000) + strings.Repeat("y", 1<<20) + "</table>",
		"/many":  strings.Repeat("<p>a", 120_000),
		"/deep": "<body><script>let e = document.body; for (let i = 0; i < 600; i++) " +
			"e = e.appendChild(document.createElement('div')); e.textContent = 'deep'</script>",
		"/quotes": strings.Repeat("<blockquote>", 300) + strings.Repeat("<p>y", 20_000),
		"/plain":  "<p>plain",
		"/nest":   strings.Repeat("<div>", 400) + strings.Repeat("<p>nested", 30_000),
	})
	p := pipetest.Start(t)
	whole := pipetest.Object{"whole": true, "timeout": 60}
	for path, want := range map[string]string{
		"/span": "~wide", "/cells": "~x", "/pad": "~yyy",
		"/many": "!elements, and the limit for Markdown is 100000", "/deep": "!elements are nested more than 512 deep",
		"/quotes": "!too many lines in nested lists and quotes",
	} {
		pipetest.Steps(p, does("nav", list(site+path), "null"), does("markdown", whole, want))
	}
	pipetest.Steps(p,
		does("nav", list(site+"/nest"), "null"),
		does("markdown", nil, "~nested"), // its main content is not looked for
		does("nav", list(site+"/stars"), "null"),
		does("markdown", pipetest.Object{"whole": true, "timeout": 0.2}, "!turning the page into Markdown takes too long"),
		does("nav", list(site+"/plain"), "null"),
		does("markdown", whole, "~plain"),
	)
}

// TestMarkdownLinks: links and pictures have the addresses that the page gives them.
func TestMarkdownLinks(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and the transcript reads is quick")
	t.Parallel()
	links := `<p id=p><a href="guide.html">guide</a> <a href="/abs">abs</a> <a href=" ../up?q ">up</a> ` +
		`<a href="#part">part</a> <img alt=i src="i.png"> <img alt=d src="data:,x">`
	site := pipetest.ServePages(t, map[string]string{
		"/docs/a/page": links,
		"/based":       `<base href="/other/place/">` + links,
	})
	p := pipetest.Shared(t)
	in := func(page, dir, up string) string {
		return "[guide](" + site + dir + "guide.html) [abs](" + site + "/abs) [up](" + site + up +
			"up?q) [part](" + site + page + "#part) ![i](" + site + dir + "i.png) ![d](data:,x)"
	}
	for path, want := range map[string]string{
		"/docs/a/page": in("/docs/a/page", "/docs/a/", "/docs/"),
		"/based":       in("/other/place/", "/other/place/", "/other/"),
	} {
		p.Call("nav", list(site+path))
		for _, args := range []pipetest.Object{{"whole": true}, {"sel": "#p"}} {
			if got := p.Text("markdown", args); got != want {
				t.Errorf("%s, %v: %s\nwant %s", path, args, got, want)
			}
		}
	}
}
