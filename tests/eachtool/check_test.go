package eachtool_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestChecks(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	pipetest.Steps(p,
		does("nav", list("/form"), "null"),
		does("click", list("#show-late"), "null"),
		does("expect-text", list("#late", "Here at last"), "null"),
		does("expect-text", list("h1", "(", "matches"), "!not a regular expression"),
		does("expect-text", pipetest.Object{"sel": "h1", "text": "Nope", "not": true}, "null"),
		does("expect-visible", list("h1"), "null"),
		does("expect-hidden", list("#hidden"), "null"),
		does("expect-hidden", list("#none"), "null"),
		does("expect-count", list("#sortable li", 3), "null"),
		does("expect-url", list("/form"), "null"),
		does("expect-title", list("Form | Skerry"), "null"),
		does("expect-attr", list("#email", "type", "email"), "null"),
		does("expect-value", list("#volume", "50"), "null"),
		does("expect-checked", list("[value=free]"), "null"),
		does("expect-enabled", pipetest.Object{"sel": "#disabled-button", "not": true}, "null"),
		does("focus", list("#email"), "null"),
		does("expect-focused", list("#email"), "null"),
		does("expect-snapshot", list("main", `- heading "Form" [level=1]`), "null"),
		does("expect-snapshot", pipetest.Object{"sel": "main", "snapshot": `- heading "Farm"`, "not": true}, "null"),
	)
	for _, c := range []struct {
		tool          string
		of            []any
		part, pattern string
	}{
		{"expect-text", list("h1"), "or", "^F.rm$"},
		{"expect-title", nil, "m | S", "^F.rm"}, {"expect-url", nil, "/fo", "/f.rm$"},
		{"expect-attr", list("#email", "type"), "mai", "^e.ail$"}, {"expect-value", list("#volume"), "5", "^5.$"},
	} {
		with := func(more ...any) []any { return slices.Concat(c.of, more) }
		pipetest.Steps(p,
			does(c.tool, with(c.part, "contains"), "null"), does(c.tool, with(c.pattern, "contains", true), "null"),
			does(c.tool, with(c.pattern, "matches"), "null"), does(c.tool, with(c.part, "equal", true), "null"))
	}
	for _, f := range []struct {
		tool   string
		params any
		want   string
	}{
		{"expect-text", list("h1", "Farm"), `expected "h1" to have text "Farm", got "Form", after 0.5 s on p1`},
		{"expect-text", list("h1", "a", "contains"), `expected "h1" to have text containing "a", got "Form"`},
		{"expect-text", list("h9", "Farm"), `got nothing: no element matches`},
		{"expect-text", pipetest.Object{"sel": "h1", "text": "Form", "not": true}, `expected "h1" not to have text "Form", got "Form"`},
		{"expect-visible", list("#hidden"), `expected "#hidden" to be visible, got hidden`},
		{"expect-hidden", list("h1"), `expected "h1" to be hidden, got visible`},
		{"expect-count", list("#sortable li", 4), `expected "#sortable li" to have 4 matches, got 3`},
		{"expect-url", list("/shop"), `expected the page to have URL "/shop", got "http://`},
		{"expect-title", list("Shop"), `expected the page to have title "Shop", got "Form | Skerry"`},
		{"expect-attr", list("#email", "type", "tel"), `expected "#email" to have attribute type "tel", got "email"`},
		{"expect-value", list("#volume", "51"), `expected "#volume" to have value "51", got "50"`},
		{"expect-snapshot", list("h1", `- heading "Farm"`), `expected "h1" to have snapshot "- heading \"Farm\"", got "`},
		{"expect-snapshot", list("h1", `- [heading`), `snapshot`},
		{"expect-checked", list("#terms"), `expected "#terms" to be checked, got unchecked`},
	} {
		p.Complains(f.want, f.tool, f.params, "timeout", 0.5)
	}
}

func TestExpectShot(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	file := filepath.Join(t.TempDir(), "heading.png")
	pipetest.Steps(p,
		does("nav", list("/form"), "null"),
		does("expect-shot", list(file, "h1"), "!call it once with update: true"),
		does("expect-shot", pipetest.Object{"path": file, "sel": "h1", "update": true}, "null"),
		does("expect-shot", list(file, "h1"), "null"),
		does("expect-shot", list("x.gif"), "!expected a .png file"),
		does("eval", list("document.querySelector('h1').style.color = 'red'"), ""),
		does("expect-shot", pipetest.Object{"path": file, "sel": "h1", "ratio": 0.5}, "null"),
	)
	p.Complains("different pixels (", "expect-shot", list(file, "h1"), "timeout", 1)
	p.Complains("heading.diff.png", "expect-shot", list(file, "h1"), "timeout", 1)
	for _, f := range []string{"heading.actual.png", "heading.diff.png"} {
		if info, err := os.Stat(filepath.Join(filepath.Dir(file), f)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
	p.Call("eval", list("document.querySelector('h1').style.width = '50px'"))
	p.Complains("instead of", "expect-shot", list(file, "h1"), "timeout", 1)
}
