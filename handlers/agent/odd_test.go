package agent_test

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Pages that are rare, and that an outline must see as a person does.

func TestStatesOfSeveralValues(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<button aria-pressed=mixed>Bold</button><button aria-pressed=true>Italic</button><input aria-label=Bio aria-invalid=grammar>
<input aria-label=Note aria-invalid=spelling><input aria-label=Zip aria-invalid=what><input aria-label=City aria-invalid=false><input aria-label=Street aria-invalid>`)
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, `"Bold" [pressed=mixed]`, `"Italic" [pressed] `, `"Bio" [invalid=grammar]`, `"Note" [invalid=spelling]`, `"Zip" [invalid] `,
		`"City" [ref`, `"Street" [ref`)
}

// A control that lets clicks through says so, unless the whole page does.
func TestTakesNoClicks(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<style id=s></style><a href="#x" id=next style="pointer-events:none">Next</a><button>Back</button><div style="pointer-events:none"><button>Inner</button>
<button style="pointer-events:auto">Outer</button></div>`)
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, "] (takes no clicks)")
	for _, line := range strings.Split(outline, "\n") {
		if says, lets := strings.Contains(line, "takes no clicks"), strings.Contains(line, "Next") || strings.Contains(line, "Inner"); says != lets {
			t.Errorf("%s", line)
		}
	}
	p.Call("eval", []string{"next.style.pointerEvents = '', s.textContent = 'button { pointer-events: none !important }', 1"})
	outline = p.Text("snapshot", nil)
	pipetest.Lacks(t, strings.Split(outline, "\n")[0], "takes")
	if n := strings.Count(outline, "takes no clicks"); n != 3 {
		t.Errorf("%d of three buttons say it:\n%s", n, outline)
	}
	p.Call("eval", []string{"document.body.style.pointerEvents = 'none', 1"})
	pipetest.Lacks(t, p.Text("snapshot", nil), "takes no clicks")
}
