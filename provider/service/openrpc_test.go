package service_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// The methods of the specification, with their parameters.
func TestOpenRPCHasTheMethods(t *testing.T) {
	t.Parallel()
	text, _, status := pipetest.Run(t, "", "tools", "--profile", "rpc", "--format", "openrpc")
	if status != 0 {
		t.Fatal(text)
	}
	pipetest.Golden(t, "../../docs/openrpc.json", text)
	var doc struct {
		Methods []struct {
			Name   string
			Params []struct{ Name string }
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, m := range doc.Methods {
		var names []string
		for _, p := range m.Params {
			names = append(names, p.Name)
		}
		have[m.Name] = " " + strings.Join(names, " ") + " "
	}
	for method, params := range map[string]string{
		"session.create": "headless viewport userAgent storageState proxy har", "session.close": "session_id",
		"page.goto": "session_id url waitUntil timeout", "page.waitFor": "session_id state ms", "page.reload": "session_id waitUntil timeout",
		"page.text": "session_id selector maxChars normalize", "page.content": "session_id", "page.evaluate": "session_id expression arg",
		"page.click": "session_id selector button modifiers timeout", "page.fill": "session_id selector value timeout",
		"page.press": "session_id selector key timeout", "logs.pull": "session_id", "network.pull": "session_id onlyErrors",
		"screenshot": "session_id fullPage mime", "find.byRole": "session_id role name exact", "axe.run": "session_id include",
		"rpc.discover": "", "events.subscribe": "session_id kinds", "session.storageState": "session_id",
	} {
		for _, p := range strings.Fields(params) {
			if !strings.Contains(have[method], " "+p+" ") {
				t.Errorf("%s does not take %s (it takes%s)", method, p, have[method])
			}
		}
		if _, ok := have[method]; !ok {
			t.Errorf("no method %s", method)
		}
	}
}
