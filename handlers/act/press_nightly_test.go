//go:build evidence

package act_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestSlowHandlers: an act happens once, even if the page takes more than a second for its event, and even if the element was not
// ready at first.
func TestSlowHandlers(t *testing.T) {
	pipetest.Nightly(t, "it is long, and the transcript acts is quick")
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	const page = `<script>
	function busy(e) {
		const id = 'events-' + e.target.id;
		window[id] = (window[id] ?? 0) + 1;
		for (const end = Date.now() + 1500; Date.now() < end;);
	}
	</script>
	<input id=text oninput=busy(event) READY><select id=list onchange=busy(event) READY><option>a<option>b</select>
	<input type=file id=file onchange=busy(event)>
	<script>setTimeout(() => { text.disabled = list.disabled = false }, 600)</script>`
	p := pipetest.Start(t, "--allow-dir", filepath.Dir(file))
	for _, ready := range []string{"", "disabled"} {
		p.Call("nav", list(pipetest.ServePages(t, map[string]string{"/": strings.ReplaceAll(page, "READY", ready)})))
		for _, act := range []struct {
			tool, id string
			arg      any
		}{{"fill", "text", "x"}, {"sel", "list", "b"}, {"upload", "file", file}} {
			p.Call(act.tool, list("#"+act.id, act.arg), "timeout", 20)
			if n := p.Call("eval", list("window['events-"+act.id+"']")); n != "1" {
				t.Errorf("%s, %q at first: %s events", act.tool, ready, n)
			}
		}
	}
}
