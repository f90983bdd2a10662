//go:build evidence

// Package miniwob judges an agent's tools by the tasks of MiniWoB++: scripted policies solve them
// with only outlines and tools. A policy that needs more says what the outline lacks.
//
// A run takes a sample; PWPIPE_TEST_MINIWOB=1 takes all, which needs two minutes, and -update
// writes docs/miniwob.md.
package miniwob

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// sample are some tasks of each kind, for every run.
var sample = []string{
	"book-flight", "choose-date", "circle-center", "click-menu", "click-tab-2-hard", "drag-sort-numbers",
	"email-inbox-reply", "form-sequence", "order-food", "read-table-2", "terminal", "tic-tac-toe",
}

// undone are the tasks without a policy.
var undone = map[string]string{
	"count-sides":    "a canvas: only its picture shows the sides",
	"daily-calendar": "the half hours have a listener alone and no line, events don't say when they are; no policy yet",
	"drag-cube":      "the outline doesn't say which side faces the user",
	"hover-shape":    "the page never gives a reward",
	"simon-says":     "buttons blink for a quarter of a second, and an outline is one moment",
}

// reward is the page's result. Only the test reads it.
const reward = "[WOB_DONE_GLOBAL, WOB_RAW_REWARD_GLOBAL, WOB_REWARD_REASON]"

// result is the cost of a task.
type result struct {
	name          string
	calls, tokens int
	faults        []string
}

func TestTasks(t *testing.T) {
	dir, names := pages(t)
	for _, name := range names {
		if (policies[name] == nil) == (undone[name] == "") {
			t.Errorf("%s needs a policy, or a reason why it has none", name)
		}
	}
	all := pipetest.Update() || os.Getenv("PWPIPE_TEST_MINIWOB") != ""
	site := serve(t, dir, "")
	session := connect(t, exec.Command(pipetest.Binary(t), "--profile", "agent"))
	var results []result
	for _, name := range names {
		if policies[name] == nil || !all && !slices.Contains(sample, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			a := &agent{t: t, session: session}
			a.act("await page.goto(%s)", site+"/miniwob/"+name+".html")
			a.act("await page.waitForFunction(() => document.title === 'ready')")
			a.look()
			policies[name](a)
			a.flush()
			results = append(results, result{name, a.calls, a.tokens, a.faults})
			a.solved()
		})
	}
	if !t.Failed() {
		document(t, results, len(names), all)
	}
}

// solved reads the result from the page.
func (a *agent) solved() {
	a.t.Helper()
	var end []any
	raw := a.call("eval", pipetest.Object{"code": reward, "outline": "none"})
	if err := json.Unmarshal([]byte(raw), &end); err != nil {
		a.t.Fatal(err)
	}
	if end[0] != true || end[1].(float64) <= 0 {
		a.t.Errorf("not solved: %s\n%s", raw, a.out)
	}
}
