//go:build evidence

package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNothingCleared: where the text stays, clear and fill say so.
func TestNothingCleared(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestActOnElements is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{"/": `<input id=amount value=1 oninput="value ||= 1"><textarea id=t oninput="value ||= 'kept'">kept</textarea>
<div id=e contenteditable><p>Fixed</p></div><div id=own contenteditable>mine</div>
<script>e.addEventListener('beforeinput', (ev) => ev.preventDefault()); own.addEventListener('input', () => { own.textContent = own.textContent.toUpperCase() })</script>`})
	p := pipetest.SharedOn(t, site+"/")
	pipetest.Steps(p,
		does("clear", list("#amount"), `!"#amount" still has its text after 1 try on p1`),
		does("clear", list("#t"), `!"#t" still has its text after 1 try on p1`),
		does("clear", list("#e"), `!"#e" still has its text after 3 tries on p1`),
		does("fill", list("#e", "new"), `!"#e" holds another text after 3 tries on p1`),
		does("value", list("#e"), `"Fixed"`),
		does("fill", list("#own", "yours"), "null"),
		does("value", list("#own"), `"YOURS"`),
		does("clear", list("#own"), "null"),
		does("clear", list("#own"), "null"),
	)
}
