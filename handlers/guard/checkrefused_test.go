package guard_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestCheckThatIsRefused: a checkbox that does not change is an error, also in a page that is busy after the click, which
// comes once.
func TestCheckThatIsRefused(t *testing.T) {
	pipetest.InCI(t, "it is long, and the transcript acts is quick")
	t.Parallel()
	p, _ := pipetest.SharedIn(t)
	p.Call("nav", []any{`data:text/html,<input type=checkbox id=k><script>n=0; k.onclick=e=>{ n++; e.preventDefault();
		setTimeout(()=>{ for (let end=Date.now()+2500; Date.now()<end;); }) }</script>`})
	pipetest.Has(t, p.Fail("check", []any{"#k"}, "timeout", 60), "did not change its state")
	pipetest.Steps(p, pipetest.Does("eval", []any{"n"}, "1"))
}
