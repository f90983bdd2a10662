package agent

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/events"
	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/loadstate"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/internal/text/snapshot"
)

// nothing says why an outline is empty: what the document says, what it still waits for, and its last error.
func nothing(c *tool.Call) string {
	text := "(nothing to see"
	var since time.Time // of the document
	if why, err := c.PW.TextContent("ref=!why", playwright.PageTextContentOptions{Timeout: c.Left()}); err == nil {
		began, reason, _ := strings.Cut(why, " ")
		if ms, err := strconv.ParseInt(began, 10, 64); err == nil {
			since = time.UnixMilli(ms)
		}
		text += ": " + reason
	}
	fastpath.CatchUp(c.Page)
	if _, open := loadstate.Busy.Of(c.Page).Open(); open {
		text += "; a request of the page has no answer yet, so more may come: look again"
	}
	list := events.Recorded.Of(c.Session).Since(0, events.EventPageError)
	for _, e := range slices.Backward(list) {
		if e.Page == c.Name && e.Time.After(since) {
			text += "; an error of the page: " + c.Short(pwerrors.FirstLine(e.Text), 200)
			break
		}
	}
	return text + ")"
}

func outlineOptions(p *browser.Page, in snapshotParams) snapshot.Options {
	return snapshot.Options{Controls: in.Interactive, Depth: in.Depth,
		Budget: cmp.Or(in.Budget, p.Session.Browser.Config.OutlineTokens)}
}

// outlined is the outline, and how to get what it leaves out.
func outlined(root *snapshot.Node, o snapshot.Options) string {
	out := root.Fit(o)
	text := snapshot.Text(out.Lines)
	if note := out.Note(); note != "" {
		text += "\n" + note
	}
	return text
}

// changes is the difference, or the whole where that is shorter: after a navigation little is
// left of what was there. It is that of the uncut page, unless so much changed that this would
// be longer than the outline.
func changes(before, after *snapshot.Node, in snapshotParams, o snapshot.Options) string {
	if in.Full {
		lines := after.Lines(in.Depth)
		return changed(before, after, snapshot.Diff(before.Lines(in.Depth), lines), snapshot.Text(lines))
	}
	whole := outlined(after, o)
	diff := snapshot.Diff(before.At(o, 0), after.At(o, 0))
	if len(diff) > len(whole) {
		level := after.Fit(o).Level
		diff = snapshot.Diff(before.At(o, level), after.At(o, level))
	}
	return changed(before, after, diff, whole)
}

// shown is the outline that stands beside a picture. The next act answers what changes of it.
func shown(c *tool.Call, root *snapshot.Node) string {
	remember(c.Page, root)
	return outlined(root, outlineOptions(c.Page, snapshotParams{}))
}

// remember keeps the newest snapshot that was answered, and returns the one before, and what is to be
// compared with it: what stood behind a modal dialog in each outline of the document is news.
func remember(p *browser.Page, root *snapshot.Node) (before, now *snapshot.Node) {
	view := seen.Of(p)
	view.mu.Lock()
	defer view.mu.Unlock()
	before, now, view.last = view.last, root, root
	unseen := view.unseen && before != nil
	view.unseen = snapshot.Blocks(root) && (unseen || before == nil || !snapshot.Shared(before, root))
	if unseen {
		before, now = before.Front(), now.Front()
	}
	return before, now
}

// news is what an act answers of the outline: what changed since the last snapshot, or the whole
// of a document that is new; "" where nothing changed. was is the page's URL before the act.
func news(c *tool.Call, whole bool, was string) (string, error) {
	root, loading, err := treeOf(c, was)
	if err != nil {
		return "", err
	}
	o := outlineOptions(c.Page, snapshotParams{})
	before, now := remember(c.Page, root)
	text, another := tellNews(c.Page, before, now, o)
	if another || whole {
		text = newOutline(c, root, before, whole, was)
	}
	return loading + text, nil
}

// newOutline is the outline of a document that is new, or that is asked for whole.
func newOutline(c *tool.Call, root, before *snapshot.Node, whole bool, was string) string {
	if len(root.Kids) == 0 && c.PW.URL() == "about:blank" {
		return ""
	}
	if !whole {
		root = root.Familiar(before)
	}
	text := outlined(root, outlineOptions(c.Page, snapshotParams{}))
	switch {
	case text == "":
		return nothing(c)
	case !whole && before != nil && was == c.PW.URL():
		return "all of it is new:\n" + text
	}
	return text
}

// Bounds of the wait for a page that shows that it is loading.
const (
	maxLoading  = time.Second
	loadingStep = 100 * time.Millisecond
)

// treeOf is the tree of a page after an act. A document, or a route, that is new and shows that it is loading has a
// moment to go on; then loading is a line that says so.
func treeOf(c *tool.Call, was string) (root *snapshot.Node, loading string, err error) {
	view := seen.Of(c.Page)
	view.mu.Lock()
	before := view.last
	view.mu.Unlock()
	if before != nil && was == c.PW.URL() {
		if root, err = tree(c, ""); err != nil || snapshot.Shared(before, root) {
			return root, "", err
		}
	}
	if loading, err = awaitContent(c); err == nil {
		root, err = tree(c, "") // it may have come since
	}
	return root, loading, err
}

// awaitContent gives a document that shows that it is loading a moment. It returns the line about one that still is.
func awaitContent(c *tool.Call) (loading string, err error) {
	for end := time.Now().Add(maxLoading); ; {
		timeout := playwright.Float(float64(maxLook.Milliseconds()))
		shows, err := c.PW.TextContent("ref=!loading", playwright.PageTextContentOptions{Timeout: timeout})
		if err != nil || shows == "" {
			return "", nil
		}
		if time.Now().After(end) || c.TimeLeft() < leastLeft {
			return happened("it seems to be loading: "+c.Short(shows, 100)+awaited(c.Page)) + "\n", nil
		}
		if err := c.Pause(loadingStep); err != nil {
			return "", err
		}
	}
}

// awaited says what a page has asked for without an answer.
func awaited(p *browser.Page) string {
	fastpath.CatchUp(p)
	if waiting := loadstate.Busy.Of(p).Waiting(); waiting != "" {
		return "; no answer yet from " + p.Short(waiting, 200)
	}
	return "; look again"
}

// tellNews says what is new in a tree, besides clocks that were told before.
func tellNews(p *browser.Page, before, now *snapshot.Node, o snapshot.Options) (text string, another bool) {
	view := seen.Of(p)
	view.mu.Lock()
	defer view.mu.Unlock()
	return now.News(before, o, cmp.Or(o.Budget, snapshot.DefaultBudget)/3, &view.clocks)
}

// tick finds out, before an act, whether what changed with the one before changes by itself.
func tick(ctx context.Context, p *browser.Page) {
	view := seen.Of(p)
	view.mu.Lock()
	before, doubtful := view.last, view.clocks.Doubtful()
	view.mu.Unlock()
	if !doubtful {
		return
	}
	ctx, end := context.WithTimeout(ctx, maxLook)
	defer end()
	root, err := browser.Await(ctx, p.Engine, p, func() (*snapshot.Node, error) {
		return tree(&tool.Call{Ctx: ctx, Page: p}, "")
	})
	if err != nil {
		return
	}
	view.mu.Lock()
	defer view.mu.Unlock()
	if view.last == before && snapshot.Shared(before, root) {
		view.clocks.Tick(before, root, outlineOptions(p, snapshotParams{}))
	}
}

func changed(before, after *snapshot.Node, diff, whole string) string {
	switch {
	case diff == "":
		return "no change"
	case len(diff) <= len(whole):
		return diff
	case snapshot.Shared(before, after):
		return "the whole outline, since much changed:\n" + whole
	}
	return "another page:\n" + whole
}

// Outline is the outline of a page for viewers. It does not change what later
// snapshots compare with.
func Outline(ctx context.Context, p *browser.Page) (string, error) {
	return browser.Await(ctx, p.Engine, p, func() (string, error) {
		root, err := tree(&tool.Call{Ctx: ctx, Page: p}, "")
		if err != nil {
			return "", err
		}
		return outlined(root, outlineOptions(p, snapshotParams{})), nil
	})
}
