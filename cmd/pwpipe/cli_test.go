package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestHelp: help guides newcomers, and starts no browser.
func TestHelp(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--help": "reads requests from stdin", "--version": "pwpipe version ", "help": "Available Commands",
		"tools --help": "--profile", "install --help": "PWPIPE_CACHE", "doctor --help": "missing",
		"completion bash": "__start_pwpipe", "completion zsh": "#compdef pwpipe", "completion fish": "pwpipe", "completion powershell": "pwpipe",
		"__complete tools --format ": "markdown", "__complete --": "--base-url",
		"__complete --profile ": "agent", "__complete --profile core,re": "core,reach", "__complete serve --profile ": "rpc", "__complete tools --profile ": "devtools",
		"__complete --log-level ": "debug", "__complete serve --log-level ": "debug", "__complete run --log-level ": "debug",
		"__complete --browser ": "msedge", "__complete serve --browser ": "msedge", "__complete run --browser ": "msedge",
		"__complete install --browser ": "msedge", "__complete doctor --browser ": "msedge", "__complete --lang ": "zh",
		"tools --profile core,reach": "clipboard",
	} {
		stdout, stderr, status := pipetest.Run(t, "", strings.Split(args, " ")...)
		if !strings.Contains(stdout, want) || status != 0 {
			t.Errorf("pwpipe %s: status %d\n%s\n%s", args, status, stdout, stderr)
		}
	}
}

// TestBadUsage: invalid options are refused before anything starts.
func TestBadUsage(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--nope": "unknown flag: --nope", "-s two": "pwpipe -s NAME txt h1", "-s two tools": "pwpipe -s NAME txt h1",
		"extra":            `unknown command "extra"`,
		"navigate_page":    `unknown command "navigate_page"; here it is: pwpipe nav URL [--ok], pwpipe back, pwpipe forward or pwpipe reload`,
		"get text":         `unknown command "get text"; here it is: pwpipe txt SEL`,
		"--log-level loud": "expected debug, info, warn or error",
		"--cdp x --ws y":   "one of --cdp and --ws", "--site --base-url x": "one of --site and --base-url",
		"--timeout -1": "--timeout: expected seconds above 0", "--profile nope": `no profile "nope"; there are core,`,
		"--profile core,raed": `no profile "raed"; did you mean read?`, "--log-level debg": "did you mean debug?", "--profil core": "unknown flag: --profil; did you mean --profile?",
		"tools --format jsn": "did you mean json?", "sreve": "did you mean serve?", "clck #a": "did you mean click?", "help clck": `unknown command "clck"; did you mean click?`, "help run extra": `pwpipe run has no command "extra"`, "help get text": "here it is: pwpipe txt SEL", "--cdp nowhere": "--cdp: expected a port, host:port", "--timeout 30000": "expected seconds",
		"tools --format xml": `no format "xml"`, "tools --profile nope": "no profile", "--cdp x --user-data-dir y": "--user-data-dir",
		"run": "pwpipe run: expected FILE..., got nothing", "config pipe x": `expected [PROGRAM], got "x"`,
		"upgrade x": `expected no more words, got "x"`, "--=x": "expected a flag such as --timeout 30",
		"--raw": "results are printed as they are", "run --update x": "give both", "--max-line 1023": "at least 1024",
		"--state a --cdp 1": "leave it out with --cdp", "--state a --user-data-dir d": "leave it out with --cdp",
		"serve --new-key red --addr nonsense --nope": "unknown flag: --nope", "--timeout x": "a number such as 30, got",
		"--max-pages x": "a whole number such as 50, got", "--outline-tokens": "such as 1500, got nothing",
		"--base-url nonsense": "--base-url: expected http://",
	} {
		stdout, stderr, status := pipetest.Run(t, `{"id":1,"method":"url"}`, strings.Fields(args)...)
		if stdout != "" || !strings.Contains(stderr, want) || status != 2 {
			t.Errorf("pwpipe %s: status %d, stdout %q, stderr %q", args, status, stdout, stderr)
		}
	}
}

// TestToolsCommand prints every format.
func TestToolsCommand(t *testing.T) {
	t.Parallel()
	stdout, _, _ := pipetest.Run(t, "", "tools", "--profile", "core", "--format", "json")
	var list []struct {
		Name        string
		InputSchema struct{ Required []string } `json:"inputSchema"`
	}
	if err := json.Unmarshal([]byte(stdout), &list); err != nil || len(list) != 23 {
		t.Fatalf("%d tools, %v", len(list), err)
	}
	stdout, _, _ = pipetest.Run(t, "", "tools", "--profile", "core", "--format", "ilo")
	if !strings.Contains(stdout, `tool fill"Fill an input field" sel:t val:t>R _ t timeout:10`+"\n") ||
		!strings.Contains(stdout, `tool title"Get the page title" >R t t timeout:5`+"\n") || !strings.Contains(stdout, `>R b t timeout:5`) {
		t.Errorf("ilo:\n%s", stdout)
	}
	stdout, _, _ = pipetest.Run(t, "", "tools", "--profile", "core")
	if !strings.Contains(stdout, "core:\n  nav url") {
		t.Errorf("table:\n%s", stdout)
	}
}

// TestDoctorAndInstall: both commands report what is installed.
func TestDoctorAndInstall(t *testing.T) {
	t.Parallel()
	_, stderr, status := pipetest.Run(t, "", "install")
	if status != 0 || !strings.Contains(stderr, "driver") {
		t.Errorf("install: status %d\n%s", status, stderr)
	}
	cache := t.TempDir() // without browser and axe-core, of which only the second is asked for
	have, _ := filepath.Glob(filepath.Join(filepath.Dir(pipetest.Installed(t).DriverDir), "playwright*"))
	for _, dir := range have {
		_ = os.Symlink(dir, filepath.Join(cache, filepath.Base(dir)))
	}
	more := exec.Command(pipetest.Binary(t), "install", "--driver-only", "--axe")
	more.Env = append(os.Environ(), "PWPIPE_CACHE="+cache, "npm_config_offline=true", "HTTPS_PROXY=http://127.0.0.1:1")
	if out, err := more.CombinedOutput(); err == nil || !strings.Contains(string(out), "cannot fetch axe-core") {
		t.Errorf("install --driver-only --axe: %v\n%s", err, out)
	}
	stdout, stderr, status := pipetest.Run(t, "", "doctor")
	if status != 0 || !strings.Contains(stdout, "node") || !strings.Contains(stdout, "ok") || !strings.Contains(stdout, "scripts have a process behind") {
		t.Errorf("doctor: status %d\n%s%s", status, stdout, stderr)
	}
}

// TestNothingInstallable: if set-up can't work, each request gets the reason and
// what to do, and the stream goes on.
func TestNothingInstallable(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(pipetest.Binary(t))
	cmd.Env = []string{"PATH=" + t.TempDir(), "HOME=" + t.TempDir()}
	p := pipetest.StartCmd(t, cmd)
	for range 2 {
		if e := p.Fail("nav", []any{"about:blank"}); !strings.Contains(e, "node") || !strings.Contains(e, "install") {
			t.Errorf("got %q", e)
		}
	}
	if e := p.Fail("nope", nil); e != "unknown method: nope" {
		t.Errorf("got %q", e)
	}
	if _, status := p.Close(); status != 0 {
		t.Errorf("status %d", status)
	}
}

// TestScripts runs every request script of fixtures with --strict.
func TestScripts(t *testing.T) {
	t.Parallel()
	scripts, _ := filepath.Glob("../../fixtures/*.ndjson")
	if len(scripts) < 5 {
		t.Fatalf("found %v", scripts)
	}
	for _, script := range pipetest.Sample(scripts, len(scripts)) {
		t.Run(filepath.Base(script), func(t *testing.T) {
			text, err := os.ReadFile(script)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(pipetest.Binary(t), "--site", "--strict", "--timeout=60")
			cmd.Dir = t.TempDir() // some scripts write pictures
			cmd.Stdin = strings.NewReader(string(text))
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got, want := strings.Count(string(out), "\n"), len(strings.Fields(strings.ReplaceAll(strings.TrimSpace(string(text)), " ", "_"))); got != want {
				t.Errorf("%d replies to %d requests", got, want)
			}
		})
	}
}

// TestShots: which files shot writes, and where it writes none.
func TestShots(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for link, to := range map[string]string{"dangling.png": path("nowhere.png"), "foreign.png": path("file.png"), "gone": path("no-folder")} {
		if err := os.Symlink(to, path(link)); err != nil {
			t.Fatal(err)
		}
	}
	p.Call("nav", []any{"/login"})
	for name, magic := range map[string]string{"file.png": "\x89PNG", "a/b/c.jpeg": "\xff\xd8", "UPPER.PNG": "\x89PNG"} {
		if got := p.Text("shot", []any{path(name)}); got != path(name) {
			t.Errorf("answered %q", got)
		}
		if data, err := os.ReadFile(path(name)); err != nil || !strings.HasPrefix(string(data), magic) {
			t.Errorf("%s: %.8q %v", name, data, err)
		}
	}
	if p.Text("eshot", []any{"[type=submit]", path("button.png")}) == "" {
		t.Error("no path")
	}
	whole, _ := os.Stat(path("file.png"))
	button, _ := os.Stat(path("button.png"))
	if button == nil || button.Size() >= whole.Size() {
		t.Error("the picture of an element is no part of the page's")
	}
	for name, want := range map[string]string{
		"dangling.png": "is a dangling link to", "foreign.png": "is a link to", "gone/x.png": "is a dangling link to", "file.png/x.png": "is not a folder",
		"plain": "has no ending", "a": "is a folder", "a/": "is a folder", "x.webp": "a picture is .png, .jpg or .jpeg",
	} {
		target := path(name)
		if strings.HasSuffix(name, "/") {
			target += "/"
		}
		if e := p.Fail("shot", []any{target}); !strings.Contains(e, want) {
			t.Errorf("%s: %q", name, e)
		}
	}
	if e := p.Fail("shot", []any{""}); !strings.Contains(e, "expected the name of a file") {
		t.Errorf("got %q", e)
	}
	if e := p.Fail("shot", []any{"/dev/null"}); !strings.Contains(e, "is not a regular file") {
		t.Errorf("got %q", e)
	}
}

// TestBrokenPipe: a reader that stops early is no error.
func TestBrokenPipe(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	var stderr strings.Builder
	cmd := exec.Command(pipetest.Binary(t), "tools")
	cmd.Stdout, cmd.Stderr = w, &stderr
	_ = cmd.Run()
	w.Close()
	if status := cmd.ProcessState.ExitCode(); stderr.Len() > 0 || status != 141 {
		t.Errorf("status %d, stderr %q", status, stderr.String())
	}
}

// TestMalformedMCPGODEBUG: a value of the variable on which the MCP SDK panics
// before main does no harm.
func TestMalformedMCPGODEBUG(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"garbage", "a=1,b", ",", "a=1"} {
		cmd := exec.Command(pipetest.Binary(t), "--version")
		cmd.Env = append(os.Environ(), "MCPGODEBUG="+value)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "pwpipe version") {
			t.Errorf("%q: %v: %.200s", value, err, out)
		}
	}
}

// TestNoDisplay: a window without a display is refused by name.
func TestNoDisplay(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the display is named by the environment on Linux")
	}
	cmd := exec.Command(pipetest.Binary(t), "--headed")
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "DISPLAY=") && !strings.HasPrefix(kv, "WAYLAND_DISPLAY=") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	out, _ := cmd.CombinedOutput()
	if status := cmd.ProcessState.ExitCode(); status != 2 || !strings.Contains(string(out), "DISPLAY") || !strings.Contains(string(out), "xvfb-run") {
		t.Errorf("status %d: %s", status, out)
	}
}

// TestPeersNames: another program's tool name is answered with ours, in each
// dialect of the pipe.
func TestPeersNames(t *testing.T) {
	t.Parallel()
	p := pipetest.Start(t)
	for name, want := range map[string]string{
		"goto": "here it is nav (url, ok?)", "take_snapshot": "here it is snapshot (",
		"navigate_page": "here it is nav (url, ok?), back, forward or reload", "dblclick": "here it is dclick (sel)",
	} {
		if e := p.Fail(name, nil); !strings.HasPrefix(e, "unknown method: "+name+"; "+want) {
			t.Error(e)
		}
		p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"r","method":%q}`, name))
		pipetest.Has(t, p.Line(), "-32601", want)
		if e := p.Fail("batch", pipetest.Object{"steps": name}); !strings.Contains(e, want) {
			t.Errorf("in a batch: %s", e)
		}
	}
}
