package reach

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// The latest logs include what the page logged before the first script.
func TestLatestLogsReachBack(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestAttach is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"data:text/html,<script>console.warn('early word'); throw new TypeError('early fault')</script>"})
	got := p.Call("execute", map[string]any{"code": "await getLatestLogs({search: 'early'})"})
	if want := `{"result":["[warning] early word","[pageerror] early fault"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
