package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// define is the code of a custom element that tells its role to the browser alone.
func define(name, internals, more string) string {
	return `customElements.get('` + name + `') || customElements.define('` + name + `', class extends HTMLElement {
		static formAssociated = true;
		constructor() { super(); this.i = this.attachInternals(); Object.assign(this.i, ` + internals + `); ` + more + ` }
	})`
}

// A state that changes without a mutation is in the next outline, and the refs are of the elements.
func TestMeaningsChange(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestRefsAreSelectorsAndGoStaleAtOnce is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<p>Some words</p><s-check></s-check>`+repeated("<button>Part %d</button>", 20))
	p.Call("eval", []string{define("s-check", "{role: 'checkbox', ariaChecked: 'false', ariaLabel: 'Gift wrap'}",
		"this.attachShadow({mode: 'open'}).innerHTML = '<div style=\"width:20px;height:20px\"></div>'; this.onclick = () => { this.i.ariaChecked = 'true' }") + ", 1"})
	outline := pierced(t, p)
	pipetest.Has(t, outline, `checkbox "Gift wrap" [ref=`)
	p.Call("click", []string{ref(t, outline, "Gift wrap")})
	pipetest.Has(t, pierced(t, p), `checkbox "Gift wrap" [checked] [ref=`+ref(t, outline, "Gift wrap")+"]")
}
