//go:build evidence

package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRestyledRefusals: what can't be pressed is not pressed in another way.
func TestRestyledRefusals(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript acts is quick")
	t.Parallel()
	p := pipetest.SharedOn(t, pipetest.ServePages(t, map[string]string{"/": `<style>input{display:none}</style>
<input type=checkbox id=off disabled><label for=off>Off</label>
<input type=checkbox id=bare><p>Some text</p>
<div style="position:relative"><input type=checkbox id=under><label for=under>Under</label><div id=veil style="position:absolute;inset:0;background:#eee"></div></div>`}))
	pipetest.Steps(p,
		does("check", pipetest.Object{"sel": "#off", "timeout": 1}, `!"#off" is disabled`),
		does("check", pipetest.Object{"sel": "#bare", "timeout": 1}, `!"#bare" is not visible`),
		does("check", pipetest.Object{"sel": "#under", "timeout": 1}, `!"#under" is covered: <div id="veil"></div> intercepts pointer events`),
		does("execute", pipetest.Object{"code": "await page.check('#under', {timeout: 1000})"}, `!#under is covered: <div id="veil"></div> intercepts pointer events`),
	)
}
