//go:build evidence

package agent_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

const talksHead = "| task | server | turns | tool list | calls | replies | once each | of | as paid | of |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"

// rows shows pairs as lines of a table.
func rows(b *strings.Builder, list []pair, way string) {
	for _, p := range list {
		if way != "" {
			p.task += ", " + way
		}
		line := func(task, server string, y tally, once, paid string) {
			fmt.Fprintf(b, "| %s | %s | %d | %d | %d | %d | %d | %s | %d | %s |\n",
				task, server, y.turns, y.list, y.calls, y.replies, y.once(), once, y.paid, paid)
		}
		line(p.task, "pwpipe", p.ours, "**"+percent(p.ours.once(), p.theirs.once())+"**", percent(p.ours.paid, p.theirs.paid))
		line("", "Playwright MCP", p.theirs, "", "")
	}
}

func percent(part, whole int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// together is all tasks as one line, each a conversation of its own.
func together(list []pair) pair {
	sum := pair{task: "all three"}
	for _, p := range list {
		sum.ours, sum.theirs = sum.ours.plus(p.ours), sum.theirs.plus(p.theirs)
	}
	return sum
}

const stamp = "\n" + pipetest.Stamp + "\n"

// document fills the page's text in.
func document(t *testing.T, all []outcome, lists []toolList) string {
	t.Helper()
	var usual, ways strings.Builder
	usual.WriteString(talksHead)
	rows(&usual, pairs(all, ""), "")
	rows(&usual, []pair{together(pairs(all, ""))}, "")
	ways.WriteString(talksHead)
	for _, way := range []string{"in code", "snapshots", "outline first", "all of the text"} {
		rows(&ways, pairs(all, way), way)
	}
	return strings.NewReplacer("{usual}\n", usual.String()+stamp, "{ways}\n", ways.String()+stamp,
		"{lists}\n", listsText(lists)+stamp, "{scripts}\n", scriptsText(all)).Replace(prose(t))
}

// prose is the document without its tables.
func prose(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/conversations/document.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var rePlace = regexp.MustCompile(`(?m)^\{\w+\}\n`) // of a table in the prose

// scriptsText shows each script, with what its steps took.
func scriptsText(all []outcome) string {
	var b strings.Builder
	task := ""
	for _, o := range all {
		if o.talk.name != task {
			task = o.talk.name
			fmt.Fprintf(&b, "### %s\n\n> %s\n\n", task, o.task)
		}
		b.WriteString(o.text() + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// text shows one script, with what its steps took.
func (o outcome) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n\n```\n", o.script.name)
	for i, st := range o.steps {
		if st.why != "" {
			b.WriteString("# " + strings.ReplaceAll(st.why, "\n", "\n# ") + "\n")
		}
		fmt.Fprintf(&b, "%s %s\n=> call %d, reply %d\n", st.tool, st.args, o.calls[i], o.replies[i])
	}
	return b.String() + "```\n"
}

var reNumber = regexp.MustCompile(`\d+(?:\.\d+)?`)

// near checks a part of a generated file whose numbers move a little from run to
// run: addresses and the names of files with the time in them take more tokens or
// fewer. All else must be the same.
func near(t *testing.T, file, part string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "\x00"
	before, _, found := strings.Cut(reNumber.ReplaceAllString(string(raw), mark), reNumber.ReplaceAllString(part, mark))
	if !found {
		t.Fatalf("%s is stale: `go test ./handlers/agent -update` rewrites it; this is not in it:\n%s", file, part)
	}
	a, b := reNumber.FindAllString(string(raw), -1)[strings.Count(before, mark):], reNumber.FindAllString(part, -1)
	for i := range b {
		x, _ := strconv.ParseFloat(a[i], 64)
		y, _ := strconv.ParseFloat(b[i], 64)
		if math.Abs(x-y) > max(10, y/10) {
			t.Errorf("%s is stale: it says %s where %s was measured; `go test ./... -update` rewrites it", file, a[i], b[i])
		}
	}
}
