package service_test

import (
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

// The table of methods follows from the tools.
func TestGuideHasTheMethods(t *testing.T) {
	t.Parallel()
	table, _, status := pipetest.Run(t, "", "tools", "--profile", "rpc", "--format", "markdown")
	if status != 0 {
		t.Fatal(table)
	}
	pipetest.GoldenSection(t, guide, "methods", "\n"+table)
}

// The guide's table has exactly the flags that serve adds to pwpipe's own.
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
