//go:build evidence

package miniwob

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// shown is what two servers show of the needs of a task.
type shown struct {
	name         string
	needs        int
	again        bool     // the policy looks at later outlines, too
	ours, theirs []string // what is missing
}

// TestNeeds records what policies look for in a task's first outline, and looks for it in the
// outline again, with the rules that also hold for Playwright MCP's snapshot. With
// PWPIPE_TEST_PEERS=1 it does that, too, for all tasks; -update writes the table.
func TestNeeds(t *testing.T) {
	dir, names := pages(t)
	beside := os.Getenv("PWPIPE_TEST_PEERS") != ""
	site := serve(t, dir, "")
	session := connect(t, exec.Command(pipetest.Binary(t), "--profile", "agent"))
	var other *agent
	if beside {
		other = &agent{t: t, session: connect(t, peer(t))}
	}
	var rows []shown
	for _, name := range names {
		if policies[name] == nil || !beside && !slices.Contains(sample, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			a := &agent{t: t, session: session}
			url := site + "/miniwob/" + name + ".html"
			a.act("await page.goto(%s)", url)
			a.act("await page.waitForFunction(() => document.title === 'ready')")
			a.look()
			needs, again := a.needs(policies[name])
			ours := viewOf(t, a.out, func(code string) string { return a.answer(code) })
			row := shown{name: name, needs: len(needs), again: again, ours: missing(t, needs, ours, ours)}
			row.ours = append(row.ours, a.faults...)
			if len(row.ours) > len(a.faults) {
				t.Errorf("our own outline lacks %q:\n%s", row.ours, a.out)
			}
			if len(needs) == 0 {
				t.Error("the policy needs nothing")
			}
			if beside {
				other.t = t
				row.theirs = append(missing(t, needs, ours, other.snapshot(url)), a.faults...)
			}
			rows = append(rows, row)
		})
	}
	if beside && !t.Failed() && len(rows) == len(policies) {
		write(t, rows)
	}
}

// answer is a script's result.
func (a *agent) answer(code string) string {
	a.t.Helper()
	text := a.call("execute", pipetest.Object{"code": code, "outline": "none"})
	return text[strings.Index(text, "{") : strings.LastIndex(text, "}")+1]
}

// snapshot is Playwright MCP's view of a page, with all that its snapshot can show.
func (a *agent) snapshot(url string) *view {
	a.t.Helper()
	run := func(code string) string {
		return a.call("browser_run_code_unsafe", pipetest.Object{"code": "async (page) => {\n" + code + "\n}"})
	}
	a.call("browser_navigate", pipetest.Object{"url": url})
	page, out, _ := strings.Cut(a.call("browser_snapshot", pipetest.Object{"boxes": true}), "### Snapshot")
	pipetest.Has(a.t, page, "Page Title: ready")
	return viewOf(a.t, out, func(code string) string {
		_, text, _ := strings.Cut(run(code), "### Result\n")
		text, _, _ = strings.Cut(text, "\n")
		var plain string
		a.decode(text, &plain)
		return plain
	})
}

// missing is what a view lacks, by kind.
func missing(t *testing.T, needs []need, ours, v *view) (list []string) {
	t.Helper()
	var kinds []string
	names := map[string][]string{}
	for _, n := range needs {
		kind, name := v.lacks(n, ours)
		if kind == "" {
			continue
		}
		t.Logf("%+v: %s: %s", n, kind, name)
		if kind == "no place of" && slices.Contains(names["not shown"], name) {
			continue
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		if !slices.Contains(names[kind], name) {
			names[kind] = append(names[kind], name)
		}
	}
	for _, kind := range kinds {
		some := names[kind]
		if len(some) > 3 {
			some = append(slices.Clone(some[:2]), fmt.Sprintf("and %d more", len(some)-2))
		}
		list = append(list, kind+": "+strings.Join(some, ", "))
	}
	return list
}

// write writes the table, and its sums into the page on the agent's view.
func write(t *testing.T, rows []shown) {
	t.Helper()
	var needs, later, ours, theirs int
	var table strings.Builder
	for _, r := range rows {
		needs += r.needs
		cells := [2]string{"yes", "yes"}
		for i, list := range [][]string{r.ours, r.theirs} {
			if len(list) > 0 {
				cells[i] = "–"
			}
		}
		if r.again {
			later++
		}
		if len(r.ours) == 0 {
			ours++
		}
		if len(r.theirs) == 0 {
			theirs++
		}
		fmt.Fprintf(&table, "| %s | %d | %s | %s | %s |\n", r.name, r.needs, cells[0], cells[1],
			strings.ReplaceAll(strings.Join(r.theirs, "; "), "|", `\|`))
	}
	pipetest.GoldenSection(t, documentFile, "needs",
		fmt.Sprintf(needsText, needs, len(rows), pipetest.PlaywrightMCP, later, ours, theirs, &table))
	pipetest.GoldenSection(t, "../../docs/agent.md", "needs", fmt.Sprintf(
		"Of what scripted policies for %d tasks of MiniWoB++ look for in a task's first outline, "+
			"pwpipe's shows all in %d, and the snapshot of %s, with boxes, in %d "+
			"([miniwob.md](miniwob.md#beside-playwright-mcp)).",
		len(rows), ours, pipetest.PlaywrightMCP, theirs))
}

const needsText = `

What the policies look for in a task's first outline (%d needs of %d tasks) is looked for in the snapshot of %s, too, which is asked for boxes. Seed, page and browser are the same. %d policies also look at later outlines; what they need there is not compared.

- A text is shown if the snapshot has its words, in any role and broken into any lines.
- An element is shown if a line's ref leads to it: to the element itself, to its label, to a part of it, or to a wrapper with nothing else to use. For an element with a known box, a line with that box is enough.
- The words by which a policy knows an element have to stand on that line, below it, before it, or in the two parts around it.
- Where our outline has a class, an id or a colour instead of words, a line counts unless another element, which the policy does not mean, has the same line, contents and text before it.
- A colour counts in any form; a place counts if a line has that box.

The same rules find all needs in our own outline. They were written by pwpipe's authors, and so were the policies, which look for what our outline says: a policy for the other snapshot might reach the goal another way, by a text as a selector, by code in the page or by a picture.

| task | needs | pwpipe | Playwright MCP | what its snapshot lacks |
|---|---:|---|---|---|
| **all needs shown** | | %d | %d | |
%s
` + pipetest.Stamp + `

` + "`go test -tags evidence ./tests/miniwob -run TestNeeds`" + ` holds our outlines of twelve tasks to it; ` + "`PWPIPE_TEST_PEERS=1 go test -tags evidence ./tests/miniwob -run TestNeeds -update`" + ` does all on both, and writes this table.
`
