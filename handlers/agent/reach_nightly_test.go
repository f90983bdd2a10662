//go:build evidence

package agent_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// node is a line of a snapshot with the refs of what it stands in.
type node struct {
	role, ref, line string
	above           []string
	roles           []string // of what it stands in
}

// lines reads a snapshot that is written in full.
func lines(text string) []node {
	var list, path []node
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " ")
		depth := len(line) - len(body)
		n := node{line: strings.TrimSpace(line)}
		n.role, _, _ = strings.Cut(strings.TrimPrefix(body, "- "), " ")
		if m := refOf.FindStringSubmatch(line); m != nil {
			n.ref = m[1]
		}
		path = append(path[:min(depth, len(path))], n)
		for _, p := range path[:len(path)-1] {
			n.above, n.roles = append(n.above, p.ref), append(n.roles, p.role)
		}
		list = append(list, n)
	}
	return list
}

var controls = map[string]bool{"link": true, "button": true, "textbox": true, "searchbox": true, "combobox": true, "spinbutton": true,
	"checkbox": true, "radio": true, "switch": true, "slider": true, "menuitem": true, "tab": true, "option": true, "treeitem": true, "clickable": true}

// shown are the refs that an outline names, those in its ranges too.
func shown(outline string) map[string]bool {
	all := map[string]bool{}
	for _, m := range refOf.FindAllStringSubmatch(outline, -1) {
		all[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`\[refs: ([^\]]*)\]`).FindAllStringSubmatch(outline, -1) {
		for part := range strings.SplitSeq(m[1], ", ") {
			from, to, isRange := strings.Cut(part, "-")
			if !isRange {
				all[from] = true
				continue
			}
			i := strings.LastIndexByte(from, 'e') + 1
			a, _ := strconv.Atoi(from[i:])
			b, _ := strconv.Atoi(to[strings.LastIndexByte(to, 'e')+1:])
			for n := a; n <= b; n++ {
				all[from[:i]+strconv.Itoa(n)] = true
			}
		}
	}
	return all
}

// TestEveryControlIsReachable: on every page of the sample site each control of
// the full snapshot has its ref in the outline, or in a folded item whose ref
// is there, or is chosen by name (the options of a select). On pages with more
// than an outline has room for, search finds the rest.
func TestEveryControlIsReachable(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/")
	for _, page := range []string{"/", "/login", "/shop", "/shop?items=500", "/article", "/table?rows=200", "/form", "/admin", "/projects",
		"/checkout", "/cart", "/dialogs", "/popups", "/shadow", "/a11y", "/frames", "/media", "/profile", "/hostile"} {
		p.Call("nav", []string{page})
		if page == "/form" { // a button has another name a second later
			p.Call("wait", []string{"#wakes:enabled"})
		}
		full := lines(p.Text("snapshot", pipetest.Object{"full": true}))
		outline := p.Text("snapshot", nil)
		refs := shown(outline)
		count, missing := 0, []string{}
		for _, n := range full {
			if !controls[n.role] || n.ref == "" {
				continue
			}
			count++
			ok := refs[n.ref]
			for i, above := range n.above {
				ok = ok || refs[above] && above != "" || n.role == "option" && n.roles[i] == "combobox"
			}
			if !ok {
				missing = append(missing, n.line)
			}
		}
		t.Logf("%s: %d controls", page, count)
		if count < 5 {
			t.Errorf("%s: %d controls", page, count)
		}
		for _, line := range missing {
			found := p.Text("search", pipetest.Object{"pattern": regexp.QuoteMeta(fmt.Sprintf("[ref=%s]", refOf.FindStringSubmatch(line)[1]))})
			if !strings.Contains(found, "[ref=") {
				t.Errorf("%s: neither in the outline nor found: %s", page, line)
			}
		}
		if len(missing) > count/2 {
			t.Errorf("%s: %d of %d controls are not in the outline, such as %s", page, len(missing), count, missing[0])
		}
	}
}
