package service_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestToolsOverHTTP(t *testing.T) {
	t.Parallel()
	svc := pipetest.SharedService(t)
	for _, c := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"/tools/nav", `{"args":["/form"]}`, 200, `null`},
		{"/tools/title", `{"args":[]}`, 200, `"Form`},
		{"/tools/title", ``, 200, `"Form`},
		{"/tools/vis", `{"sel":"h1"}`, 200, `true`},
		{"/tools/vis", `["h1"]`, 200, `true`},
		{"/tools/vis", `{"args":{"sel":"#gone"}}`, 200, `false`},
		{"/tools/eval", `{"args":["({a: 1})"]}`, 200, `{"a":1}`},
		{"/tools/click", `{"sel":"#gone","timeout":2}`, 422, `{"error":"click: nothing matches \"#gone\" after 2 s`},
		{"/tools/click?timeout=0.4", `{"args":["#gone"]}`, 422, `after 0.4 s`},
		{"/tools/fill", `{"args":["#x"]}`, 400, `fill: missing parameter \"val\"`},
		{"/tools/fill", `{"args":["a","b","c"]}`, 400, `takes at most 2`},
		{"/tools/fill", `{"args":7}`, 400, `args: expected an array`},
		{"/tools/fill", `7`, 400, `expected {\"args\"`},
		{"/tools/fill", `{`, 400, `parse error`},
		{"/tools/nope", `{"args":[]}`, 404, `unknown method: nope`},
		{"/tools/nav", `{"args":["https://example.com"]}`, 403, `not allowed`},
		{"/tools/url?session_id=s_1", ``, 404, `no session s_1`},
	} {
		status, text, _ := svc.Do("POST", c.path, c.body)
		// A busy page's error has fewer details: ask again.
		for again := 0; (status == 422 || status == 504) && (status != c.status || !strings.Contains(text, c.want)) && again < 5; again++ {
			status, text, _ = svc.Do("POST", c.path, c.body)
		}
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %d %s, want %d %s", c.path, c.body, status, text, c.status, c.want)
		}
	}
	own := svc.Open(nil)
	if _, text, _ := svc.Do("POST", "/tools/url", "", "X-Session-Id: "+own.ID); text != `"about:blank"` {
		t.Errorf("a session of its own: %s", text)
	}
	_, text, _ := svc.Do("POST", "/tools/session.cdp", "")
	common := regexp.MustCompile(`s_[0-9a-f-]{36}`).FindString(text)
	svc.Call("session.close", m{"session_id": common}) // so that the service is kept for other tests
}

func TestRealIlo(t *testing.T) {
	t.Parallel()
	ilo := os.Getenv("ILO")
	if ilo == "" {
		ilo = "ilo"
	}
	ilo, err := exec.LookPath(ilo)
	if err != nil {
		t.Skip("no ilo here; set ILO to run this")
	}
	svc := pipetest.SharedService(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	config, _, status := pipetest.Run(t, "", "tools", "--profile", "core", "--format", "ilo-http", "--url", svc.URL, "--api-key", pipetest.Key)
	if status != 0 {
		t.Fatal(config)
	}
	tools := write("tools.json", config)
	for _, c := range []struct{ name, program, want string }{
		{"R b t", `tool nav"Navigate" url:t>R _ t timeout:30
tool vis"Visible?" sel:t>R b t timeout:5
main url:t>R b t;nav! url;r=vis! "h1";~r
`, "true"},
		{"R b t, false", `tool nav"Navigate" url:t>R _ t timeout:30
tool vis"Visible?" sel:t>R b t timeout:5
main url:t>R b t;nav! url;r=vis! "#gone";~r
`, "false"},
		{"R _ t", `tool nav"Navigate" url:t>R _ t timeout:30
tool fill"Fill" sel:t val:t>R _ t timeout:10
tool txt"Text" sel:t>R t t timeout:5
main url:t>R t t;nav! url;fill! "input >> nth=0" "Ada";r=txt! "h1";~r
`, "Form"},
		{"an error", `tool nav"Navigate" url:t>R _ t timeout:30
main url:t>R _ t;nav! "https://example.com/";~nil
`, "not allowed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command(ilo, "run", "--vm", write("prog.ilo", c.program), "--tools", tools, "main", svc.Site+"/form")
			out, err := cmd.CombinedOutput()
			if !strings.Contains(string(out), c.want) {
				t.Errorf("got %q (%v), want %q", out, err, c.want)
			}
		})
	}
}
