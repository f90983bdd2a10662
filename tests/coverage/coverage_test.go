//go:build evidence

// Package coverage compares how much of a page agents see: things that are hard to see, each with
// something to find and something to do, by the snapshots and tools of pwpipe and of other servers.
//
// A run checks that pwpipe finds and does all. PWPIPE_TEST_PEERS=1 runs the other servers, too, and with -update
// writes docs/coverage.md.
package coverage

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// documentFile is what TestCoverage writes with -update.
const documentFile = "../../docs/coverage.md"

// result is what became of a thing.
type result struct{ found, done bool }

func TestCoverage(t *testing.T) {
	list := things(t)
	site := serve(t, list)
	results := map[string][]result{}
	columns := names[:1]
	if os.Getenv("PWPIPE_TEST_PEERS") != "" {
		columns = names
	}
	for _, name := range columns {
		s := start(t, name)
		for _, k := range list {
			t.Run(name+"/"+k.name, func(t *testing.T) {
				r, why := s.try(t, k, site)
				results[k.name] = append(results[k.name], r)
				switch {
				case why != "" && name == "pwpipe":
					t.Errorf("%s\n%s", why, s.out)
				case why != "":
					t.Logf("%s\n%s", why, s.out)
				}
			})
		}
	}
	if len(columns) == len(names) && !t.Failed() {
		pipetest.Golden(t, documentFile, document(list, results))
	}
}

// try finds a thing and does with it what its steps say; why is what failed.
func (s *server) try(t *testing.T, k thing, site string) (r result, why string) {
	t.Helper()
	open := map[string]any{"url": site + k.path()}
	if _, err := s.do(t, s.opens, open); err != nil {
		t.Fatal(err)
	}
	s.look(t)
	r.found = true
	for _, st := range k.steps {
		for range 3 { // as a model looks again where something is missing
			if st.verb == "press" || strings.Contains(s.out, strings.Split(st.words, " #")[0]) {
				break
			}
			time.Sleep(300 * time.Millisecond)
			s.look(t)
		}
		if st.verb != "see" {
			if err := s.act(t, st); err != nil {
				r.found = r.found && s.ends(k, st)
				return r, why + fmt.Sprintf("%s %s: %v\n", st.verb, st.words, err)
			}
			s.look(t)
		} else if !strings.Contains(s.out, st.words) {
			r.found = false
			why += fmt.Sprintf("the snapshot has no %q\n", st.words)
		}
	}
	tool, args := s.title()
	title, err := s.do(t, tool, args)
	if err != nil {
		t.Fatal(err)
	}
	if r.done = strings.Contains(title, "done"); !r.done {
		why += fmt.Sprintf("all steps are done, and the page says %q\n", title)
	}
	return r, why
}

// ends reports whether nothing is to be found after a step.
func (s *server) ends(k thing, last step) bool {
	after := false
	for _, st := range k.steps {
		if after && st.verb == "see" {
			return false
		}
		after = after || st == last
	}
	return true
}

// document is the table.
func document(list []thing, results map[string][]result) string {
	mark := map[bool]string{true: "yes", false: "–"}
	found, done, rows := make([]int, len(names)), make([]int, len(names)), ""
	for _, k := range list {
		rows += "| " + k.name + " |"
		for i, r := range results[k.name] {
			rows += fmt.Sprintf(" %s | %s |", mark[r.found], mark[r.done])
			if r.found {
				found[i]++
			}
			if r.done {
				done[i]++
			}
		}
		rows += "\n"
	}
	sums := "| **all " + fmt.Sprint(len(list)) + "** |"
	for i := range names {
		sums += fmt.Sprintf(" %d | %d |", found[i], done[i])
	}
	return fmt.Sprintf(page, pipetest.PlaywrightMCP, pipetest.DevToolsMCP, rows+sums+"\n")
}

const page = `# Things that are hard to see

What an agent finds in a snapshot, and can use from there: with pwpipe (` + "`--profile agent`" + `), %s and %s, all over MCP with their defaults and the same browser. Each row is a page of its own ([things.txtar](../tests/coverage/testdata/things.txtar)), with words to find in the snapshot and something to do with what stands on a line of it. "Found" says that the snapshot had the words, at rest or after what shows them (a click, a hover); where they were missing, the test looked three times more, for a second. "Done" says that the server's tools did it by the snapshot's refs alone: the ref of the line with the words, or of a line that it stands in (a hover may name a text instead, where the tool takes selectors); the page itself says whether the right thing was done.

The pages and their words were chosen by pwpipe's authors, with what its outline is made to show in mind, and some words (a colour, "px below") are pwpipe's own. The table says what snapshots tell. It doesn't say what a model can reach by other means: each of the servers has a tool that runs code in the page, and one that takes a picture.

| | pwpipe: found | done | Playwright MCP: found | done | DevTools MCP: found | done |
|---|---|---|---|---|---|---|
%s
` + pipetest.Stamp + `

` + "`go test -tags evidence ./tests/coverage`" + ` finds and does all of it with pwpipe; ` + "`PWPIPE_TEST_PEERS=1 go test -tags evidence ./tests/coverage -update`" + ` runs all three and writes this page.
`
