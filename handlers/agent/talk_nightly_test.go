//go:build evidence

package agent_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pwpipe/internal/pipetest"
)

// step is one call of a script, as it stands there: a comment that says why,
// the tool, and its arguments with templates.
//
//	# why
//	tool {"argument": "value"}
//	sees text that must be in the reply
type step struct {
	why, tool, args string
	sees            []string
}

// script is a way to do a task.
type script struct {
	name  string // the server, and where there are several how it is used: "pwpipe, in code"
	steps []step
}

// talk is a task, and the scripts that do it.
type talk struct {
	name, task string
	scripts    []script
	learned    []string // what the replies to each script must have told
	page       string   // what the site shows in the end, "" for a task that changes nothing
	shows      []string // texts of that page
}

// readTalk reads a task: the comment of the archive is what the model is asked,
// each file that is named after a server is a script for it. "learned" has a
// text a line; "end" a path of the site and then texts of that page.
func readTalk(t *testing.T, file string) talk {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	k := talk{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), task: strings.TrimSpace(string(a.Comment))}
	for _, f := range a.Files {
		lines := strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		switch f.Name {
		case "learned":
			k.learned = lines
		case "end":
			k.page, k.shows = lines[0], lines[1:]
		default:
			k.scripts = append(k.scripts, script{f.Name, readSteps(lines)})
		}
	}
	return k
}

func readSteps(lines []string) []step {
	var steps []step
	var why []string
	for _, line := range lines {
		if text, ok := strings.CutPrefix(line, "# "); ok {
			why = append(why, text)
		} else if text, ok := strings.CutPrefix(line, "sees "); ok {
			last := &steps[len(steps)-1]
			last.sees = append(last.sees, text)
		} else if line != "" {
			tool, args, _ := strings.Cut(line, " ")
			steps = append(steps, step{why: strings.Join(why, "\n"), tool: tool, args: args})
			why = nil
		}
	}
	return steps
}

// reTemplate is what a script can't know beforehand: the address of the site,
// and the ref on a line of an earlier reply.
var reTemplate = regexp.MustCompile(`\{(site|ref [^}]+)\}`)

// reRefs finds the ref of a line, be it of pwpipe's or of Playwright MCP's.
var reRefs = regexp.MustCompile(`\[ref=(\w+)\]`)

// fill puts values in the place of templates. {ref TEXT} is the ref on the
// first line with that text, quotes aside, of the newest reply that has one:
// what a model would take that had read the replies.
func fill(args, site string, replies []string) (string, error) {
	var missing error
	filled := reTemplate.ReplaceAllStringFunc(args, func(template string) string {
		name := template[1 : len(template)-1]
		if name == "site" {
			return site
		}
		text := strings.TrimPrefix(name, "ref ")
		for i := len(replies) - 1; i >= 0; i-- {
			for line := range strings.Lines(strings.ReplaceAll(replies[i], `"`, "")) {
				if m := reRefs.FindStringSubmatch(line); m != nil && strings.Contains(line, text) {
					return m[1]
				}
			}
		}
		missing = fmt.Errorf("no reply so far has a line with a ref and %q", text)
		return template
	})
	if missing != nil {
		return "", missing
	}
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(filled)); err != nil {
		return "", fmt.Errorf("%s: %w", filled, err)
	}
	return b.String(), nil
}

// cost is what a conversation took, in tokens.
type cost struct {
	list    int   // the tool list and the server's instructions
	calls   []int // name and arguments of each call
	replies []int // text of each reply
}

// tally is a cost in sums, of one conversation or of several.
type tally struct {
	turns                int // how often a model is asked: for each call, and for the answer
	list, calls, replies int
	// paid is what all turns take together, where each turn is given the tool
	// list and all that was said before it.
	paid int
}

// once counts everything that is said once.
func (y tally) once() int { return y.list + y.calls + y.replies }

func (y tally) plus(z tally) tally {
	return tally{y.turns + z.turns, y.list + z.list, y.calls + z.calls, y.replies + z.replies, y.paid + z.paid}
}

func (c cost) tally() tally {
	y := tally{turns: len(c.calls) + 1, list: c.list, paid: c.list}
	for i := range c.calls {
		y.calls += c.calls[i]
		y.replies += c.replies[i]
		y.paid += y.once()
	}
	return y
}

// run plays a script against a server and counts.
func (k talk) run(t *testing.T, s *server, sc script, site string) cost {
	t.Helper()
	c := cost{list: count(t, s.tools) + count(t, s.instructions)}
	var replies []string
	for _, st := range sc.steps {
		args, err := fill(st.args, site, replies)
		if err != nil {
			t.Fatalf("%s %s: %v", st.tool, st.args, err)
		}
		reply := s.call(t, st.tool, args)
		t.Logf("%s %s\n%s", st.tool, args, reply)
		pipetest.Has(t, reply, st.sees...)
		c.calls = append(c.calls, count(t, st.tool+" "+args))
		c.replies = append(c.replies, count(t, reply))
		replies = append(replies, reply)
	}
	pipetest.Has(t, strings.Join(replies, "\n"), k.learned...)
	return c
}

// readTalks reads all tasks, in the order of their files' names.
func readTalks(t *testing.T) []talk {
	t.Helper()
	files, err := filepath.Glob("testdata/conversations/*.txtar")
	if err != nil || len(files) != 3 {
		t.Fatalf("%d conversations, %v", len(files), err)
	}
	var all []talk
	for _, f := range files {
		all = append(all, readTalk(t, f))
	}
	return all
}
