//go:build evidence

package endpoint_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"testing"

	"pwpipe/internal/pipetest"
)

// chromedriver, if installed, joins a session by its port.
func TestChromedriver(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPortOfASession is quick")
	t.Parallel()
	program, err := exec.LookPath("chromedriver")
	if err != nil {
		t.Skip("there is no chromedriver: TestPortOfASession asks what it asks")
	}
	base := anyChromedriver(t, program)
	ask := func(method, path string, params any) map[string]any {
		var text []byte
		if params != nil {
			text, _ = json.Marshal(params)
		}
		r, _ := http.NewRequest(method, base+path, bytes.NewReader(text))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("%s %s: %s", method, path, body)
		}
		return pipetest.Decode[map[string]any](t, string(body))
	}
	p := pipetest.StartSite(t)
	p.Call("nav", []any{"/login"})
	options := map[string]any{"debuggerAddress": pipetest.Get[ported](p, "session.cdp", map[string]any{"port": true}).Address}
	got := ask("POST", "", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{"goog:chromeOptions": options}}})
	in := "/" + got["value"].(map[string]any)["sessionId"].(string)
	if title := ask("GET", in+"/title", nil)["value"]; title != "Sign in | Skerry" {
		t.Errorf("its title is %v", title)
	}
	ask("POST", in+"/execute/sync", map[string]any{"script": "document.querySelector('[name=email]').value = 'ada@mail.example'", "args": []any{}})
	if mail := p.Text("eval", []any{"document.querySelector('[name=email]').value"}); mail != "ada@mail.example" {
		t.Errorf("the tools see %q", mail)
	}
	ask("POST", in+"/window/new", map[string]any{"type": "tab"})
	if handles := ask("GET", in+"/window/handles", nil)["value"].([]any); len(handles) != 2 {
		t.Errorf("the windows are %v", handles)
	}
	ask("DELETE", in, nil)
	p.Call("title", nil)
}
