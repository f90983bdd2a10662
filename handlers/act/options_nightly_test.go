//go:build evidence

package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestOptionsThatCannotBeChosen: sel says why, and what to do instead.
func TestOptionsThatCannotBeChosen(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript acts is quick")
	t.Parallel()
	p := pipetest.SharedOn(t, pipetest.ServePages(t, map[string]string{"/": `
<select id=s><option value=a>A<option value=b disabled>B<optgroup label=G disabled><option value=c>C</optgroup></select>
<select id=m multiple><option>1<option disabled>2<option>3</select>
<fieldset disabled><select id=f><option>x</select></fieldset>
<div role=combobox aria-expanded=false id=c tabindex=0>Pick</div> <input role=combobox id=i> <button aria-haspopup=listbox id=h>Pick</button>
<ul role=listbox id=l><li role=option>A</ul> <input list=dl id=d><datalist id=dl><option>x</datalist> <div id=p>plain</div>`})+"/")
	try := func(sel string, val any) pipetest.Object {
		return pipetest.Object{"sel": sel, "val": val, "timeout": 1}
	}
	pipetest.Steps(p,
		does("sel", try("#s", "b"), `!"#s" has an option b that is disabled after 1 s`),
		does("sel", try("#s", "C"), `!"#s" has an option C that is disabled`),
		does("sel", try("#s", "1"), `!"#s" has an option 1 that is disabled`),
		does("sel", try("#s", "z"), `!"#s" has no option z`),
		does("sel", try("#m", list("1", "2")), `!"#m" has an option 2 that is disabled`),
		does("sel", try("#f", "x"), `!"#f" is disabled after 1 s`),
		does("sel", try("#c", "b"), `!"#c" is a list that the page draws itself, and no <select> on p1`),
		does("sel", try("#c", "b"), `!click it, then click the option, such as 'role=option[name="b"]'`),
		does("sel", try("#i", "b"), `!click it or fill it with the beginning of the name, then click the option`),
		does("sel", try("#h", "b"), `!click it, then click the option`),
		does("sel", try("#l", "A"), `!click the option, such as 'role=option[name="A"]'`),
		does("sel", try("#d", "x"), `!fill types a value into it`),
		does("sel", try("#p", "x"), `!"#p" is no <select>`),
		does("sel", try("#s", "a"), "null"),
	)
}
