package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest"
)

// agentLog is the log of an agent that uses refs.
func agentLog(t *testing.T) string {
	t.Helper()
	p, log := pipetest.Shared(t), filepath.Join(t.TempDir(), "flow.ndjson")
	p.Call("log-start", list(log))
	p.Call("nav", list("/login"))
	ref := func(what string) string {
		t.Helper()
		m := regexp.MustCompile(regexp.QuoteMeta(what) + `[^\n]*?\[ref=((?:f\d+)?e\d+)\]`).FindStringSubmatch(p.Text("snapshot", nil))
		if m == nil {
			t.Fatalf("no %s in %s", what, p.Text("snapshot", nil))
		}
		return m[1]
	}
	p.Call("fill", list(ref(`textbox "E-mail"`), "ada@mail.example"))
	p.Call("fill", list(ref(`textbox "Password"`), "secret"))
	p.Call("click", list(ref(`button "Sign in"`)))
	p.Call("expect-text", list("h1", "Welcome, ada@mail.example"))
	p.Call("nav", list("/form"))
	p.Call("fill", list("#name", "A \"quoted\" {name} `with` 灯 \\ and $HOME"))
	p.Call("expect-value", list(ref(`textbox "Full name`), "A \"quoted\" {name} `with` 灯 \\ and $HOME"))
	p.Call("sel", list("label=Volume >> xpath=//ancestor::form >> select >> nth=0", "1"))
	p.Call("click", list(ref(`button "Count`)))
	p.Call("expect-text", list("#counter", "1"))
	p.Call("log-stop", nil)
	return log
}

// TestConvert runs an agent's log as a program in each language. A program whose last
// step fails reports why.
func TestConvert(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestConvertRefuses is quick")
	t.Parallel()
	log := agentLog(t)
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`"(?:ref=)?(?:f\d+)?e\d+"`).Find(data); m != nil {
		t.Errorf("a ref is left: %s", m)
	}
	wrong := filepath.Join(t.TempDir(), "wrong.ndjson")
	text := strings.Replace(string(data), `["#counter","1"]`, `["#counter","seven"]`, 1)
	if err := os.WriteFile(wrong, []byte(text), 0o600); err != nil || text == string(data) {
		t.Fatal(err, text)
	}
	for _, language := range pipetest.Sample([]string{"python", "go", "ilo", "bash", "node", "playwright"}, 3) {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			if out, status := runConverted(t, language, log); status != 0 {
				t.Errorf("status %d: %s", status, out)
			}
			if out, status := runConverted(t, language, wrong); status != 1 || !strings.Contains(out, "seven") {
				t.Errorf("a wrong step: status %d: %s", status, out)
			}
		})
	}
}

// runConverted converts a log and runs the program.
func runConverted(t *testing.T, language, log string) (string, int) {
	t.Helper()
	program, errs, status := pipetest.Run(t, "", "convert", log, "--to", language)
	if status != 0 {
		t.Fatal(errs)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "flow."+map[string]string{
		"bash": "sh", "python": "py", "node": "cjs", "go": "go", "ilo": "ilo", "playwright": "cjs"}[language])
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	site, binary := pipetest.Site(t), pipetest.Binary(t)
	words := map[string][]string{"bash": {"bash", file}, "python": {"python3", file}, "node": {"node", file}, "go": {"go", "run", file}}[language]
	words = append(words, "--base-url", site)
	env := append(os.Environ(), "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	switch language {
	case "ilo":
		exe := os.Getenv("ILO")
		if exe == "" {
			t.Skip("ILO names no interpreter")
		}
		_, rest, _ := strings.Cut(program, "--profile ")
		profiles, _, _ := strings.Cut(rest, "\n")
		mcp, _ := json.Marshal(pipetest.Object{"mcpServers": pipetest.Object{"pwpipe": pipetest.Object{
			"command": binary, "args": list("--base-url", site, "--profile", profiles)}}})
		config := filepath.Join(dir, "mcp.json")
		if err := os.WriteFile(config, mcp, 0o600); err != nil {
			t.Fatal(err)
		}
		words = []string{exe, "run", "--vm", file, "--mcp", config, "flow"}
	case "playwright":
		in, err := setup.Ensure(context.Background(), setup.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if in.Kind != "chromium" || in.Executable == "" {
			t.Skip("the program starts a Chromium")
		}
		modules := filepath.Join(dir, "node_modules")
		if err := os.Mkdir(modules, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(in.DriverDir, "package"), filepath.Join(modules, "playwright-core")); err != nil {
			t.Skip(err)
		}
		words = []string{in.Node, file, site}
		env = append(env, append(append(in.Env, in.DriverEnv...), "BROWSER="+in.Executable)...)
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s\n%s", out, program), cmd.ProcessState.ExitCode()
}

// TestConvertRefuses: errors name the step that can't be converted.
func TestConvertRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, to, want string }{
		{`{"method":"click","params":["e5"]}`, "python", `bad.ndjson:2: "e5" is a ref`},
		{`{"method":"clik","params":["#a"]}`, "bash", "bad.ndjson:2: unknown method: clik"},
		{`{"method":"click"}`, "ruby", `expected playwright, ilo`},
		{`{"method":"click","params":{"sel":"#a","x":1}}`, "node", `"x"`},
		{`{"method":"table"}`, "playwright", "bad.ndjson: line 2: table: there is no Playwright code"},
		{`{"method":"press","params":["Enter","#a"]}`, "ilo", `line 2: press: ilo can't give "sel"`},
		{`nonsense`, "go", "bad.ndjson:2: parse error"},
	} {
		file := filepath.Join(t.TempDir(), "bad.ndjson")
		if err := os.WriteFile(file, []byte("# a comment\n"+c.line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		out, errs, status := pipetest.Run(t, "", "convert", file, "--to", c.to)
		if status == 0 || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %s%s, expected %q", c.line, status, out, errs, c.want)
		}
	}
}
