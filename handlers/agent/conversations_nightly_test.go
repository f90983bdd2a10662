//go:build evidence

package agent_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// conversationsFile is what TestConversations writes with -update.
const conversationsFile = "../../docs/conversations.md"

// leastGain is how many times pwpipe's tokens Playwright MCP must take.
const leastGain = 3

// outcome is what a script took.
type outcome struct {
	talk
	script
	cost
}

// TestConversations has pwpipe do three tasks by an MCP client, and counts what a model is
// sent and sends. With -update Playwright MCP does the same tasks. Its version is pinned, so
// what it took is read from the document otherwise.
func TestConversations(t *testing.T) {
	pipetest.Nightly(t, "it says whether the tables of docs/conversations.md are fresh")
	t.Parallel()
	pipetest.Installed(t)
	talks := readTalks(t)
	took := make([][]*outcome, len(talks))
	t.Run("talks", func(t *testing.T) {
		for i, k := range talks {
			took[i] = make([]*outcome, len(k.scripts))
			for j, sc := range k.scripts {
				name, _, _ := strings.Cut(sc.name, ",")
				if name != "pwpipe" && !pipetest.Update() {
					continue
				}
				t.Run(k.name+"/"+sc.name, func(t *testing.T) {
					t.Parallel()
					site := pipetest.Site(t)
					c := k.run(t, startNamed(t, name), sc, site)
					k.checkEnd(t, site)
					took[i][j] = &outcome{k, sc, c}
				})
			}
		}
	})
	var all []outcome
	for _, o := range slices.Concat(took...) {
		if o != nil {
			all = append(all, *o)
		}
	}
	if len(all) < 3 { // -run may have chosen some
		return
	}
	lists := toolLists(t)
	if t.Failed() {
		return
	}
	if !pipetest.Update() {
		for _, o := range all {
			near(t, conversationsFile, o.text())
		}
		for _, l := range lists {
			near(t, conversationsFile, l.text())
		}
		for _, part := range rePlace.Split(prose(t), -1) {
			near(t, conversationsFile, part)
		}
		return
	}
	usual := pairs(all, "")
	if len(usual) != 3 {
		t.Fatalf("%d tasks have a script for both servers", len(usual))
	}
	for _, p := range usual {
		if leastGain*p.ours.once() > p.theirs.once() {
			t.Errorf("%s: Playwright MCP takes %d tokens, less than %d times pwpipe's %d", p.task, p.theirs.once(), leastGain, p.ours.once())
		}
	}
	pipetest.Golden(t, conversationsFile, document(t, all, lists))
}

// checkEnd looks at the site itself, whatever the replies said.
func (k talk) checkEnd(t *testing.T, site string) {
	t.Helper()
	if k.page == "" {
		return
	}
	res, err := http.Get(site + k.page)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, string(body), k.shows...)
}

// pair is a task done by both servers.
type pair struct {
	task         string
	ours, theirs tally
}

// pairs are the tasks done in a way, "" for the one that the assertion is
// about. A server that has no script for the way is taken as it usually is.
func pairs(all []outcome, way string) []pair {
	took := map[string]tally{} // by task and name of the script
	for _, o := range all {
		took[o.talk.name+"/"+o.script.name] = o.tally()
	}
	var list []pair
	for _, o := range all {
		task, special := o.talk.name, o.script.name == "playwright-mcp"
		if way != "" {
			special = o.script.name == "playwright-mcp, "+way
		}
		if !special {
			continue
		}
		ours, ok := took[task+"/pwpipe, "+way]
		if !ok {
			ours = took[task+"/pwpipe"]
		}
		list = append(list, pair{task, ours, o.tally()})
	}
	return list
}
