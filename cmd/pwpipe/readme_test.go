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
	"pwpipe/provider/toollist"
)

const readme = "../../README.md"

func readReadme(t *testing.T) string { return readPage(t, readme) }

func readPage(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeGenerated: the table of tools, the token counts and the times are current.
func TestReadmeGenerated(t *testing.T) {
	table, err := toollist.Describe(provider.NewTable(features.Tools(), provider.TableOptions{}).Profile("core"), "markdown")
	if err != nil {
		t.Fatal(err)
	}
	agent, aerr := tokens.Count(rawList(t, "--profile", "agent"))
	n, err := tokens.Count(rawList(t))
	if err := errors.Join(err, aerr); err != nil {
		t.Fatal(err)
	}
	text := pipetest.Section(t, readReadme(t), "tools", "\n"+table)
	text = pipetest.Section(t, text, "tokens", fmt.Sprintf("their list costs a model %d tokens (o200k); the list of all tools below costs %d.", agent, n))
	text = pipetest.Section(t, text, "tasks", partOfTokens(t))
	text = pipetest.Section(t, text, "speed", "\n"+someTimes(t))
	pipetest.Golden(t, readme, text)
}

// partOfTokens is what three tasks together took of Playwright MCP's tokens, as measured.
func partOfTokens(t *testing.T) string {
	t.Helper()
	row := regexp.MustCompile(`(?m)^\| all three \| pwpipe \|.*?\*\*([\d.]+ %)\*\*`).FindStringSubmatch(readPage(t, "../../docs/conversations.md"))
	if row == nil {
		t.Fatal("docs/conversations.md has no row for all three tasks")
	}
	return row[1]
}

// someTimes is three rows of the table of docs/speed.md.
func someTimes(t *testing.T) string {
	t.Helper()
	_, rest, _ := strings.Cut(readPage(t, "../../docs/speed.md"), "<!-- bench -->\n")
	table, _, ok := strings.Cut(rest, "<!-- /bench -->")
	var rows strings.Builder
	for row := range strings.Lines(table) {
		for _, begin := range []string{"| median, ms |", "|---|", "| start to ", "| `click` |", "| `txt` |"} {
			if strings.HasPrefix(row, begin) {
				rows.WriteString(row)
			}
		}
	}
	if !ok || strings.Count(rows.String(), "\n") != 5 {
		t.Fatalf("the times of docs/speed.md: %s", rows.String())
	}
	return rows.String()
}

// TestReadmeTranscript: the run in the README prints what it shows.
func TestReadmeTranscript(t *testing.T) {
	t.Parallel()
	text := readReadme(t)
	_, rest, ok := strings.Cut(text, "<!-- run: pwpipe --site < fixtures/tour.ndjson -->\n```\n")
	if !ok {
		t.Fatal("no transcript")
	}
	block, _, _ := strings.Cut(rest, "```")
	cmd := exec.Command(pipetest.Binary(t), "--site", "--timeout=60")
	cmd.Dir = t.TempDir()
	script := readPage(t, "../../fixtures/tour.ndjson")
	cmd.Stdin = strings.NewReader(script)
	stdout, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	requests, replies := strings.SplitAfter(script, "\n"), strings.SplitAfter(string(stdout), "\n")
	for i := range min(len(requests), len(replies)) {
		want.WriteString(requests[i] + replies[i])
	}
	if block != want.String() {
		t.Errorf("the README shows\n%s\nbut it is\n%s", block, want.String())
	}
}

// TestReadmeSnippets runs the programs of docs/programs.md with the built pwpipe on PATH.
func TestReadmeSnippets(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestReadmeTranscript and TestScripts are quick")
	t.Parallel()
	programs := map[string]struct {
		words []string
		want  string
		fails string // what it says on stderr, "" for a program that works
	}{
		"bash":             {[]string{"bash", "-c"}, "Lamp room restoration\n", ""},
		"python":           {[]string{"python3", "-c"}, "True Sign in | Skerry\n", ""},
		"python, parallel": {[]string{"python3", "-c"}, "/login Sign in | Skerry\n/form Form | Skerry\n/status/404 failed: nav: ", ""},
		"node":             {[]string{"node", "-e"}, "Grace\n", ""},
		"node, parallel":   {[]string{"node", "-e"}, "/login Sign in | Skerry\n/form Form | Skerry\n/status/404 failed: nav: ", ""},
		"python, no start": {[]string{"python3", "-c"}, "", "RuntimeError: pwpipe ended with status 2"},
		"node, no start":   {[]string{"node", "-e"}, "", "Error: pwpipe ended"},
	}
	found := 0
	re := regexp.MustCompile("(?s)<!-- tested: ([\\w, ]+) -->\n```\\w+\n(.*?)```")
	for _, m := range re.FindAllStringSubmatch(readPage(t, "../../docs/programs.md"), -1) {
		for _, name := range []string{m[1], m[1] + ", no start"} {
			p, ok := programs[name]
			if !ok {
				continue
			}
			found++
			program := m[2]
			if p.fails != "" { // the same program, with a flag that there is not
				program = strings.Replace(program, "--site", "--sites", 1)
			}
			t.Run(name, func(t *testing.T) {
				for _, needed := range []string{p.words[0], map[string]string{"bash": "jq"}[name]} {
					if _, err := exec.LookPath(needed); needed != "" && err != nil {
						t.Skipf("no %s here", needed)
					}
				}
				cmd := exec.Command(p.words[0], p.words[1], program)
				cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(pipetest.Binary(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
				var stderr strings.Builder
				cmd.Stderr = &stderr
				out, err := cmd.Output()
				if (err == nil) != (p.fails == "") || !strings.HasPrefix(string(out), p.want) || !strings.Contains(stderr.String(), p.fails) {
					t.Errorf("%v\n%s\n%s", err, out, &stderr)
				}
			})
		}
	}
	if found != len(programs) {
		t.Errorf("%d snippets", found)
	}
}

// TestReadmeProfiles: docs/tools.md names exactly the profiles that exist.
func TestReadmeProfiles(t *testing.T) {
	_, rest, _ := strings.Cut(readPage(t, "../../docs/tools.md"), "| to | profiles |")
	rows, _, _ := strings.Cut(rest, "\n\n")
	named := map[string]bool{"core": true} // has the first section
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

// TestReadmeIsShort: the README is one that people read, and its links lead somewhere.
func TestReadmeIsShort(t *testing.T) {
	text := readReadme(t)
	if n := strings.Count(text, "\n"); n > 150 {
		t.Errorf("%d lines, of 150 at most", n)
	}
	for _, m := range regexp.MustCompile(`(?:\]\(|src="|srcset=")([^)#"]+)(?:#([^)"]+))?`).FindAllStringSubmatch(text, -1) {
		page, err := os.ReadFile(filepath.Join("..", "..", m[1]))
		if err != nil {
			t.Error(err)
		} else if m[2] != "" && !hasHeading(string(page), m[2]) {
			t.Errorf("%s has no heading %s", m[1], m[2])
		}
	}
}

// hasHeading reports whether a page has a heading that an anchor leads to.
func hasHeading(page, anchor string) bool {
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		plain := regexp.MustCompile(`[^a-z0-9 _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		if strings.ReplaceAll(plain, " ", "-") == anchor {
			return true
		}
	}
	return false
}
