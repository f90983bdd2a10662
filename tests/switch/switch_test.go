//go:build evidence

// Package switch_test holds what people who come from another program find: its list of
// names, each with ours, in docs/switch and in the answers of a running pwpipe.
package switch_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pwpipe/features"
	"pwpipe/internal/pipetest"
	"pwpipe/internal/text/suggest"
	"pwpipe/provider"
	"pwpipe/provider/service"
)

// pages is the folder with a page for each program.
const pages = "../../docs/switch"

// programs are those whose lists are in testdata.
var programs = []string{"playwright-mcp", "playwright-cli", "chrome-devtools-mcp", "agent-browser", "playwriter"}

// entry is a tool, a command or a flag of another program.
type entry struct {
	name    string
	differs string // what differs here; "" for nothing
}

func (e entry) isFlag() bool { return strings.HasPrefix(e.name, "--") }

// list reads a program's names, and the version that they are of.
func list(t *testing.T, program string) (version string, all []entry) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", program+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), "\n")
	for line := range strings.Lines(rest) {
		name, differs, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " | ")
		all = append(all, entry{name, differs})
	}
	return strings.TrimPrefix(head, "# "+program+" "), all
}

// called is an entry's name as a client calls it.
func called(program string, e entry) string {
	if program == "agent-browser" && !e.isFlag() {
		return "agent_browser_" + e.name
	}
	return e.name
}

var reFlag = regexp.MustCompile(`(?m)^ +(?:-\w, )?(--[a-z-]+)`)

// ourFlags are the flags of the pipe, of `pwpipe mcp` and of `pwpipe serve`.
func ourFlags(t *testing.T) map[string]bool {
	t.Helper()
	flags := map[string]bool{}
	for _, args := range [][]string{{"--help"}, {"mcp", "--help"}, {"serve", "--help"}} {
		out, err := exec.Command(pipetest.Binary(t), args...).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range reFlag.FindAllStringSubmatch(string(out), -1) {
			flags[m[1]] = true
		}
	}
	return flags
}

// ourCommands are the words of the program itself.
func ourCommands(t *testing.T) []string {
	t.Helper()
	help, err := exec.Command(pipetest.Binary(t), "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	return append(groups(`(?m)^  ([a-z-]+) `, string(help)), service.Commands...)
}

// TestTables: every name of another program's list has ours, which exists, or a reason in
// its page of docs/switch.
func TestTables(t *testing.T) {
	t.Parallel()
	table := provider.NewTable(features.Tools(), provider.TableOptions{})
	same := map[string]string{}
	for _, tool := range table.Profile("all") {
		same[plain(tool.Name)] = tool.Name
	}
	flags, commands := ourFlags(t), ourCommands(t)
	for _, program := range programs {
		version, all := list(t, program)
		var rows []row
		for _, e := range all {
			peer := suggest.Of(called(program, e))
			switch {
			case program == "playwright-cli" && slices.Contains(commands, e.name): // a shell's words
				peer = suggest.Peer{Ours: []string{"pwpipe " + e.name}}
			case e.isFlag() && flags[kebab(e.name)]:
				peer = suggest.Peer{Ours: []string{kebab(e.name)}}
			case !e.isFlag() && same[plain(e.name)] != "" && program != "playwright-mcp":
				peer = suggest.Peer{Ours: []string{same[plain(e.name)]}}
			}
			for _, name := range peer.Ours {
				if e.isFlag() && !flags[name] || !e.isFlag() && !strings.HasPrefix(name, "pwpipe ") && table.Find(name) == nil {
					t.Errorf("%s: %s: there is no %s", program, e.name, name)
				}
			}
			switch {
			case len(peer.Ours) == 0 && peer.Why == "":
				t.Errorf("%s: %s has nothing here, and no reason", program, e.name)
			case peer.Why != "" && e.differs != "":
				t.Errorf("%s: %s has a reason in peers.txt, and need not say what differs", program, e.name)
			}
			rows = addRow(rows, e, peer)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "The names are those of version %s.\n\n| theirs | ours | what differs |\n|---|---|---|\n", version)
		for _, r := range rows {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", code(r.theirs), code(r.ours), strings.ReplaceAll(r.differs, "](", "](../"))
		}
		pipetest.GoldenSection(t, filepath.Join(pages, program+".md"), program, "\n"+b.String())
	}
}

// row is one of a table.
type row struct {
	theirs, ours []string
	why, differs string
}

// addRow adds an entry. Those with one reason share a row, and neighbours that are the
// same here.
func addRow(rows []row, e entry, peer suggest.Peer) []row {
	if last := len(rows) - 1; last >= 0 && peer.Ours != nil && slices.Equal(rows[last].ours, peer.Ours) &&
		rows[last].differs == e.differs {
		rows[last].theirs = append(rows[last].theirs, e.name)
		return rows
	}
	for i := range rows {
		if peer.Why != "" && rows[i].why == peer.Why && slices.Equal(rows[i].ours, peer.Ours) &&
			strings.HasPrefix(rows[i].theirs[0], "--") == e.isFlag() {
			rows[i].theirs = append(rows[i].theirs, e.name)
			return rows
		}
	}
	return append(rows, row{[]string{e.name}, peer.Ours, peer.Why, peer.Why + e.differs})
}

// plain is a name without the signs between its words.
func plain(name string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "", ".", "").Replace(strings.ToLower(name))
}

func code(names []string) string {
	if len(names) == 0 {
		return "-"
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

// TestAnswers: a call of another program's tool answers with ours, or with a reason.
func TestAnswers(t *testing.T) {
	t.Parallel()
	table := provider.NewTable(features.Tools(), provider.TableOptions{})
	var lines strings.Builder
	var names []string
	for _, program := range programs {
		_, all := list(t, program)
		for _, e := range all {
			if name := called(program, e); !e.isFlag() && table.Find(name) == nil {
				names = append(names, name)
				line, _ := json.Marshal(map[string]any{"id": len(names), "method": name})
				lines.Write(append(line, '\n'))
			}
		}
	}
	cmd := exec.Command(pipetest.Binary(t))
	cmd.Stdin = strings.NewReader(lines.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	replies := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(replies) != len(names) {
		t.Fatalf("%d replies to %d requests", len(replies), len(names))
	}
	for i, name := range names {
		var r struct{ Error string }
		if err := json.Unmarshal([]byte(replies[i]), &r); err != nil {
			t.Fatal(err)
		}
		hint := strings.TrimPrefix(r.Error, "unknown method: "+name+"; ")
		near, guessed := strings.CutPrefix(hint, "did you mean ")
		if hint == r.Error || guessed && !strings.HasPrefix(plain(near), plain(name)) {
			t.Errorf("%s: %s", name, r.Error)
		}
	}
}

// TestFlags: a flag of another program, in one spelling or the other, is answered with ours.
func TestFlags(t *testing.T) {
	t.Parallel()
	flags := ourFlags(t)
	for _, program := range programs {
		_, all := list(t, program)
		for _, e := range pipetest.Some(all, 8) {
			if !e.isFlag() || flags[e.name] || flags[kebab(e.name)] {
				continue
			}
			for _, flag := range []string{e.name, kebab(e.name)} {
				cmd := exec.Command(pipetest.Binary(t), "mcp", flag)
				out, _ := cmd.CombinedOutput()
				_, hint, ok := strings.Cut(string(out), flag+"; ")
				peer := suggest.Of(flag)
				if mcpKnows(string(out), flag) {
					continue
				}
				if !ok || peer.Ours == nil && hint != peer.Why+"\n" || peer.Ours != nil && !strings.HasPrefix(hint, "here it is --") {
					t.Errorf("%s %s: %s", program, flag, out)
				}
			}
		}
	}
}

// mcpKnows reports that `pwpipe mcp` takes a flag, or has a reason of its own against it,
// since Playwright MCP has one of that name.
func mcpKnows(out, flag string) bool {
	return strings.HasPrefix(out, "pwpipe: "+flag+": ") || strings.HasPrefix(out, "pwpipe: flag needs an argument: "+flag)
}

var reUpper = regexp.MustCompile(`[A-Z]`)

// kebab is --browserUrl as --browser-url.
func kebab(flag string) string {
	return reUpper.ReplaceAllStringFunc(flag, func(s string) string { return "-" + strings.ToLower(s) })
}

// TestCommands: a command of another program, typed into a shell, is answered with ours.
func TestCommands(t *testing.T) {
	t.Parallel()
	table := provider.NewTable(features.Tools(), provider.TableOptions{})
	commands := ourCommands(t)
	for _, program := range programs {
		_, all := list(t, program)
		for _, e := range pipetest.Some(all, 8) {
			words := strings.Fields(e.name)
			if program == "agent-browser" { // its commands are the words of its tools' names
				words = strings.Split(e.name, "_")
			}
			ours := suggest.Of(e.name).Ours
			if e.isFlag() || len(ours) == 0 || table.Find(words[0]) != nil || slices.Contains(commands, words[0]) {
				continue // a word of ours keeps its meaning
			}
			out, err := exec.Command(pipetest.Binary(t), append(words, "x")...).CombinedOutput()
			want := fmt.Sprintf("unknown command %q; here it is: pwpipe %s", strings.Join(words, " "), ours[0])
			if err == nil || !strings.Contains(string(out), want) {
				t.Errorf("%s: %v\n%swant %q", program, words, out, want)
			}
		}
	}
}
