package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestDisabledByWhatIsAround: aria-disabled disables what is in an element too, unless that says false; what HTML
// disables stays so.
func TestDisabledByWhatIsAround(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<div role=group aria-label=Off aria-disabled=true><button>In</button><p><button>Deep</button></p>
<button aria-disabled=false>Not</button><div aria-disabled=FALSE><button>Below</button></div>
<button aria-disabled=false disabled>Native</button></div>
<button aria-disabled=true>Own</button><button>Free</button>`)
	text := p.Text("snapshot", nil)
	for name, disabled := range map[string]bool{
		"In": true, "Deep": true, "Not": false, "Below": false, "Native": true, "Own": true, "Free": false,
	} {
		pipetest.Has(t, text, `button "`+name+`"`)
		if disabled {
			pipetest.Has(t, text, `button "`+name+`" [disabled]`)
		} else {
			pipetest.Lacks(t, text, `button "`+name+`" [disabled]`)
		}
	}
}
