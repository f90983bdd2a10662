package devtools_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// part is the text between two lines, or from one to the end.
func part(t *testing.T, text, from, to string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "\n"+from)
	if !ok {
		t.Fatalf("no %q in:\n%s", from, text)
	}
	rest, _, _ = strings.Cut(rest, "\n"+to)
	return rest
}

func TestStylesOfAnElement(t *testing.T) {
	t.Parallel()
	p := start(t)
	s := p.Text("styles", []string{"#note"})
	if !strings.HasPrefix(s, "p#note.note\n") {
		t.Errorf("begins with %.40s", s)
	}
	own := part(t, s, "", "inherited from")
	last := -1
	for _, rule := range []string{"element.style  (style attribute)", "#note  (debug.css:13)", "p.note  (debug.css:14)",
		"@media (min-width: 100px)\n.note  (debug.css:17)", ".note  (debug.css:8)", "p  (debug.css:7)"} {
		at := strings.Index(own, rule)
		if at < last {
			t.Errorf("%q is not there, or stronger than what came before:\n%s", rule, own)
		}
		last = at
	}
	pipetest.Has(t, own, "  color: rgb(0, 90, 0) !important;\n", "  colour: red;  /* invalid */", "  color: rgb(1, 2, 3);  /* overridden */",
		"  color: rgb(90, 90, 90);  /* overridden */", "  padding: 8px 12px;\n", "  padding: .7rem 1rem;  /* overridden */")
	pipetest.Lacks(t, own, "user agent")

	panel := part(t, s, "inherited from section#panel.panel", "inherited from")
	pipetest.Has(t, panel, "letter-spacing: 1px;", "color: rgb(0, 60, 120);  /* overridden */", "font-style: italic;")
	pipetest.Lacks(t, panel, "margin") // not inherited
	root := part(t, s, "inherited from html", "::before")
	pipetest.Has(t, root, "--warn: #7a5200;")
	pipetest.Lacks(t, root, "--lamp") // nothing here uses it

	pipetest.Has(t, part(t, s, "::before", "computed"), ".note::before  (debug.css:15)", `content: "! ";`)
	computed := part(t, s, "computed", "never")
	pipetest.Has(t, computed, "  color: rgb(0, 90, 0)\n", "  padding-left: 20px\n", "  padding-top: 8px", "  margin-top: 5px", "  font-style: italic")
	pipetest.Lacks(t, computed, "display", "--", "margin-left")
}
