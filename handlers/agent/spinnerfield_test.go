package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestSpinnersThatAreFields: a number field with arrows is called a spinner too, and does not say
// that the page is loading.
func TestSpinnersThatAreFields(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestClickablesHaveRefs is quick")
	t.Parallel()
	const arrow = `<a class="ui-spinner-button ui-spinner-up" style="display:inline-block;width:9px;height:9px"></a>`
	site := pipetest.ServePages(t, map[string]string{
		"/field": `<h1>Rooms</h1><span class="ui-spinner ui-widget"><input class="ui-spinner-input" role=spinbutton>` + arrow + `</span><script>0</script>`,
		"/waits": `<h1>Rooms</h1><input><span class="spinner" style="display:inline-block;width:9px;height:9px"></span><script>0</script>`,
	})
	call := pipetest.OverMCP(startTelling(t, "/"))
	pipetest.Lacks(t, call("nav", pipetest.Object{"url": site + "/field", "timeout": 60}), "seems to be")
	pipetest.Has(t, call("nav", pipetest.Object{"url": site + "/waits", "timeout": 60}), "it shows a spinner")
}
