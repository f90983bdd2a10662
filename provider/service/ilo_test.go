package service_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

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
