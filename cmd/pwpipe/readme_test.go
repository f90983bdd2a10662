package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pwpipe/features"
	"pwpipe/internal/pipetest"
	"pwpipe/internal/text/tokens"
	"pwpipe/provider"
)

const readme = "../../README.md"

func readReadme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeGenerated: the table of tools and the token count are current.
func TestReadmeGenerated(t *testing.T) {
	table, err := provider.Describe(provider.NewTable(features.Tools(), provider.TableOptions{}).Profile("core"), "markdown")
	if err != nil {
		t.Fatal(err)
	}
	agent, aerr := tokens.Count(rawList(t, "--profile", "agent"))
	n, err := tokens.Count(rawList(t))
	if err := errors.Join(err, aerr); err != nil {
		t.Fatal(err)
	}
	text := pipetest.Section(t, readReadme(t), "tools", "\n"+table)
	text = pipetest.Section(t, text, "tokens", fmt.Sprintf("The list costs a model %d tokens (o200k), the default one, profile core, %d.", agent, n))
	pipetest.Golden(t, readme, text)
}

// TestReadmeTranscript: the run in the README prints what it shows.
func TestReadmeTranscript(t *testing.T) {
	t.Parallel()
	text := readReadme(t)
	_, rest, ok := strings.Cut(text, "<!-- run: pwpipe --site < fixtures/login.ndjson -->\n```\n")
	if !ok {
		t.Fatal("no transcript")
	}
	block, _, _ := strings.Cut(rest, "```")
	script, err := os.ReadFile("../../fixtures/login.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	stdout, _, _ := pipetest.Run(t, string(script), "--site")
	stdout = regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllString(stdout, "SITE")
	want := "$ cat fixtures/login.ndjson\n" + string(script) + "$ pwpipe --site < fixtures/login.ndjson\n" + stdout
	if block != want {
		t.Errorf("the README shows\n%s\nbut it is\n%s", block, want)
	}
}

// TestReadmeSnippets runs the snippets with the built pwpipe on PATH.
func TestReadmeSnippets(t *testing.T) {
	t.Parallel()
	programs := map[string]struct{ program, flag, want string }{
		"bash":   {"bash", "-c", "Lamp room restoration\n"},
		"python": {"python3", "-c", "True Sign in | Skerry\n"},
		"node":   {"node", "-e", "Grace\n"},
	}
	found := 0
	re := regexp.MustCompile("(?s)<!-- tested: (\\w+) -->\n```\\w+\n(.*?)```")
	for _, m := range re.FindAllStringSubmatch(readReadme(t), -1) {
		found++
		t.Run(m[1], func(t *testing.T) {
			p := programs[m[1]]
			for _, needed := range []string{p.program, map[string]string{"bash": "jq"}[m[1]]} {
				if _, err := exec.LookPath(needed); needed != "" && err != nil {
					t.Skipf("no %s here", needed)
				}
			}
			cmd := exec.Command(p.program, p.flag, m[2])
			cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(pipetest.Binary(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if err != nil || string(out) != p.want {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	if found != len(programs) {
		t.Errorf("%d snippets", found)
	}
}

// TestReadmeProfiles: the README names exactly the profiles that exist.
func TestReadmeProfiles(t *testing.T) {
	_, rest, _ := strings.Cut(readReadme(t), "| to | profiles |")
	rows, _, _ := strings.Cut(rest, "\n\n")
	named := map[string]bool{"core": true} // named in the sentence before the table
	for row := range strings.Lines(rows) {
		if cells := strings.Split(row, "|"); len(cells) > 3 {
			for _, m := range regexp.MustCompile("`(.*?)`").FindAllStringSubmatch(cells[2], -1) {
				named[m[1]] = true
			}
		}
	}
	for _, p := range provider.NewTable(features.Tools(), provider.TableOptions{}).Profiles() {
		if !named[p] {
			t.Errorf("profile %s is not in the table", p)
		}
		delete(named, p)
	}
	for p := range named {
		t.Errorf("there is no profile %s", p)
	}
}
