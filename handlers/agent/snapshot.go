// Package agent holds the few tools that a model needs: snapshot, search, screenshot with
// labels, reset.
package agent

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/loadstate"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
	"pwpipe/internal/machine/tricks"
	"pwpipe/internal/text/snapshot"
	"pwpipe/provider"
)

// Tools are those of profile agent that look at a page.
func Tools() []*provider.Tool {
	return append(secondNames(),
		tool.OnPage(tool.Agent.Reads("snapshot", "Snapshot", snapshotDoc).Direct(), takeSnapshot),
		screenshotTool(),
		tool.OnPage(tool.Agent.Reads("search", "Search", searchDoc).Direct(), searchSnapshot),
	)
}

// Reset gives a session a clean context.
var Reset = tool.TypedOnSession(tool.Agent.Switches("reset", "Reset", "Clean context, empty state").OwnWords(),
	resetSession)

// ResetTools begin anew.
func ResetTools() []*provider.Tool { return []*provider.Tool{Reset.Tool} }

const (
	snapshotDoc = "Outline of the page. [ref=e5] is a selector in every tool: e5, also every ref of a range. " +
		"A page beyond budget is cut and long lists fold: search, selector or a larger budget show the rest"
	searchDoc = "Find lines of the uncut, unfolded snapshot"
)

// seen is what is remembered of a page's last snapshots.
var seen browser.State[*browser.Page, agentView]

type agentView struct {
	mu   sync.Mutex
	last *snapshot.Node // what diff compares with

	unseen bool // no outline has shown what stands behind its modal dialog
	clocks snapshot.Clocks

	outlined *snapshot.Node // has this outline, by these options
	options  snapshot.Options
	outline  string

	leftChanges []string       // what a running script changed in documents that it left
	leftSaid    []string       // and there in what speaks to the reader
	leftTree    *snapshot.Node // the last of these
	went        string         // the URL to which the last script sent the page
	clicked     bool           // there by the last script

	labelled []string // the ways into the frames that show labels, "" for the page itself
}

type snapshotParams struct {
	Selector    tool.Selector `json:"selector,omitempty" doc:"only this element"`
	Interactive bool          `json:"interactive,omitempty" doc:"only controls"`
	Budget      int           `json:"budget,omitempty" doc:"tokens to aim at (1500)" min:"100" max:"100000"`
	Depth       int           `json:"depth,omitempty" doc:"levels" min:"1"`
	Full        bool          `json:"full,omitempty" doc:"uncut, unfolded"`
	Max         int           `json:"max,omitempty" doc:"most characters" min:"200"`
	Cursor      string        `json:"cursor,omitempty" secrets:"no" doc:"the rest of one cut by max"`
	Diff        bool          `json:"diff,omitempty" doc:"only changes since the last snapshot"`
}

// takeSnapshot is Playwright's accessibility snapshot, compressed.
func takeSnapshot(c *tool.Call, in snapshotParams) (string, error) {
	if in.Cursor != "" {
		return provider.Rest(c.Ctx, in.Cursor)
	}
	root, err := tree(c, string(in.Selector))
	if err != nil {
		return "", err
	}
	o := outlineOptions(c.Page, in)
	if in.Selector == "" {
		before, now := remember(c.Page, root)
		if in.Diff && before != nil {
			return changes(before, now, in, o), nil
		}
	}
	if in.Full {
		return snapshot.Text(root.Lines(in.Depth)), nil
	}
	if len(root.Kids) == 0 {
		return nothing(c), nil
	}
	return seen.Of(c.Page).outlineOf(root, o), nil
}

// outlineOf is [outlined], made again only of another tree.
func (v *agentView) outlineOf(root *snapshot.Node, o snapshot.Options) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.outlined == nil || v.options != o || !v.outlined.Equal(root) {
		v.outline, v.options = outlined(root, o), o
	}
	v.outlined = root
	return v.outline
}

// tree takes the snapshot of the page, frames included, or of the element that
// matches sel.
func tree(c *tool.Call, sel string) (*snapshot.Node, error) {
	frame, whole, err := frameOf(c, sel), true, error(nil)
	if sel != "" {
		err = present(c, sel)
	} else {
		whole, err = loadstate.Arrived(c.Ctx, c.Page, c.TimeLeft())
		err = c.Fail(err, "")
	}
	if err != nil {
		return nil, err
	}
	all := pierce(c)
	text, err := treeText(c, sel, frame)
	if err != nil {
		return nil, c.Fail(err, sel)
	}
	root, next, err := snapshot.Parse(text, frame)
	if err != nil {
		return nil, err
	}
	refs.Named.Of(c.Page).Used(frame, next)
	addFrames(c, root)
	hideTree(c.Page, root)
	if !all {
		root.Kids = slices.Insert(root.Kids, 0, &snapshot.Node{Role: "document", Note: unanswered})
	}
	if !whole {
		root.Kids = slices.Insert(root.Kids, 0, &snapshot.Node{Role: "document", Note: arriving})
	}
	return root, nil
}

// hideTree masks the secrets in a snapshot, before it is shortened and folded, and then makes
// notes fit into their brackets.
func hideTree(p *browser.Page, n *snapshot.Node) {
	for _, k := range n.Kids {
		k.Name, k.URL, k.Note = p.Hide(k.Name), p.Hide(k.URL), snapshot.PlainNote(p.Hide(k.Note))
		hideTree(p, k)
	}
}

// arriving is said of a document whose HTML has not ended.
const arriving = "still arriving, look again for more"

// unanswered is said where Chromium did not tell in time what [pierce] asks.
const unanswered = "the browser was slow: closed shadow roots, and what is clickable by its listeners alone, " +
	"may be missing; look again"

// isPart reports whether a tree is of such a document.
func isPart(root *snapshot.Node) bool { return len(root.Kids) > 0 && root.Kids[0].Note == arriving }

// wholeTree is the ref engine's snapshot of the document.
var wholeTree = fastpath.DefineLong("tree",
	"(page, sel, [start, have]) => globalThis[Symbol.for('pwpipe')].news(start, "+fmt.Sprint(!noKeptTree)+", have)")

var noKeptTree = tricks.Off(tricks.KeptTree)

// treeText has the ref engine write its snapshot below a selector.
func treeText(c *tool.Call, sel, frame string) (text string, err error) {
	if sel == "" {
		if text, ok := newTree(c, refs.Named.Of(c.Page).Start(frame)); ok {
			return text, nil
		}
	}
	if sel != "" {
		sel += " >> nth=0 >> "
	}
	return c.PW.TextContent(fmt.Sprintf("%sref=!tree %d", sel, refs.Named.Of(c.Page).Start(frame)), playwright.PageTextContentOptions{Timeout: c.Left()})
}

// trees has the last text of each page's tree: the document tells what is new of it.
var trees browser.State[*browser.Page, lastTree]

type lastTree struct {
	mu       sync.Mutex
	id, text string
}

// newTree asks the document for its tree.
func newTree(c *tool.Call, start int) (text string, ok bool) {
	last := trees.Of(c.Page)
	last.mu.Lock()
	id, text := last.id, last.text
	last.mu.Unlock()
	var news [5]string // see refs.js
	if !c.DirectOnPage(wholeTree, "", []any{start, id}, &news) {
		return "", false
	}
	if news[0] != id || id == "" {
		if text, ok = patched(text, news[2], news[3], news[4]); !ok {
			return "", false
		}
	}
	last.mu.Lock()
	defer last.mu.Unlock()
	last.id, last.text = news[0], text
	return news[1] + "\n" + text, true
}

// patched is a text with other lines between its first and its last.
func patched(text, lines, first, last string) (string, bool) {
	before, err := strconv.Atoi(first)
	behind, wrong := strconv.Atoi(last)
	all := strings.Count(text, "\n")
	if err != nil || wrong != nil || before+behind > all {
		return "", false
	}
	return text[:afterLines(text, before)] + lines + text[afterLines(text, all-behind):], true
}

// afterLines is where the first n lines of a text end.
func afterLines(text string, n int) int {
	at := 0
	for range n {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	return at
}

// present waits until an element is there. What follows may take longer than
// the slices of attempt.
func present(c *tool.Call, sel string) error {
	return c.Attempt(sel, func(timeout *float64) error {
		return c.PW.Locator(sel).First().WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached, Timeout: timeout})
	})
}

// frameOf is the name of the frame in which a selector ends, "" for the page.
func frameOf(c *tool.Call, sel string) string {
	i := strings.LastIndex(sel, refs.EnterFrame)
	if i < 0 {
		return ""
	}
	return refs.Named.Of(c.Page).FrameFor(sel[:i])
}

type searchParams struct {
	Pattern    string `json:"pattern" doc:"RE2"`
	IgnoreCase bool   `json:"ignoreCase,omitempty" doc:"any case"`
	LineLimit  int    `json:"lineLimit,omitempty" doc:"most matches" min:"1" max:"10000" default:"100"`
	Context    int    `json:"context,omitempty" doc:"lines around" min:"0" max:"100"`
}

// searchSnapshot looks through the page's snapshot, whole.
func searchSnapshot(c *tool.Call, in searchParams) (string, error) {
	pattern := in.Pattern
	if in.IgnoreCase {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", provider.Errorf(provider.KindArgs, "pattern: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: ")).
			WithHint("RE2 has no look-around and no back-references")
	}
	root, err := tree(c, "")
	if err != nil {
		return "", err
	}
	lines := root.Outline(snapshot.Options{Whole: true})
	m := snapshot.Search(lines, re, in.LineLimit, in.Context)
	more := ""
	if isPart(root) {
		more = "\n(the document is " + arriving + ")"
	}
	if m.Found > 0 {
		return m.Text + more, nil
	}
	if any, err := regexp.Compile("(?i)" + pattern); err == nil && !in.IgnoreCase {
		if n := snapshot.Search(lines, any, 1, 0).Found; n > 0 {
			return fmt.Sprintf("no match; %d with ignoreCase", n) + more, nil
		}
	}
	return "no match" + more, nil
}
