package eachtool_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestChecksSayWhatTheyFound has what does not hold; the transcript expect has what does.
func TestChecksSayWhatTheyFound(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript expect is quick")
	t.Parallel()
	p := pipetest.SharedOn(t, "/form")
	pipetest.Steps(p,
		does("expect-text", list("h1", "(", "matches"), "!not a regular expression"),
		does("expect-snapshot", list("h1", "- heading"), "null"), // the first of a driver takes it long
		does("focus", list("#email"), "null"),
	)
	for _, f := range []struct {
		tool   string
		params []any
		want   string
	}{
		{"expect-text", list("h1", "Farm"), `"h1" to have text "Farm", got "Form", after 0.5 s on p1`},
		{"expect-text", list("h1", "a", "contains"), `"h1" to have text containing "a", got "Form"`},
		{"expect-text", list("h1", "^or", "matches"), `"h1" to have text matching "^or", got "Form"`},
		{"expect-text", list("h1", "Form", "equal", true), `"h1" not to have text "Form", got "Form"`},
		{"expect-text", list("h9", "Farm"), `"h9" to have text "Farm", got nothing: no element matches`},
		{"expect-value", list("#volume", "51"), `"#volume" to have value "51", got "50"`},
		{"expect-value", list("#volume", "0", "contains", true), `not to have value containing "0", got "50"`},
		{"expect-attr", list("#email", "type", "tel"), `"#email" to have attribute type "tel", got "email"`},
		{"expect-attr", list("#email", "type", "^e", "matches", true), `attribute type matching "^e", got "email"`},
		{"expect-attr", list("#email", "title", "tel"), `"#email" to have attribute title "tel", got none`},
		{"expect-url", list("/shop"), `the page to have URL "/shop", got "http://`},
		{"expect-url", list("/form", "equal", true), `the page not to have URL "/form", got "http://`},
		{"expect-title", list("Shop", "contains"), `the page to have title containing "Shop", got "Form | Skerry"`},
		{"expect-title", list("^Form", "matches", true), `not to have title matching "^Form", got "Form | Skerry"`},
		{"expect-count", list("#sortable li", 4), `"#sortable li" to have 4 matches, got 3`},
		{"expect-count", list("#sortable li", 3, true), `"#sortable li" not to have 3 matches, got 3`},
		{"expect-visible", list("#hidden"), `"#hidden" to be visible, got hidden`},
		{"expect-visible", list("h1", true), `"h1" not to be visible, got visible`},
		{"expect-hidden", list("h1"), `"h1" to be hidden, got visible`},
		{"expect-hidden", list("#hidden", true), `"#hidden" not to be hidden, got hidden`},
		{"expect-checked", list("#terms"), `"#terms" to be checked, got unchecked`},
		{"expect-checked", list("[value=free]", true), `"[value=free]" not to be checked, got checked`},
		{"expect-enabled", list("#disabled-button"), `"#disabled-button" to be enabled, got disabled`},
		{"expect-enabled", list("#submit", true), `"#submit" not to be enabled, got enabled`},
		{"expect-focused", list("#name"), `"#name" to be focused, got inactive`},
		{"expect-focused", list("#email", true), `"#email" not to be focused, got focused`},
		{"expect-snapshot", list("h1", "- list"), `snapshot "- list", got "- heading \"Form\" [level=1]"`},
		{"expect-snapshot", list("h1", "- heading", true), `not to have snapshot "- heading", got "- heading`},
		{"expect-snapshot", list("h1", `- [heading`), `snapshot`},
	} {
		p.Complains(f.want, f.tool, f.params, "timeout", 0.5)
	}
}
