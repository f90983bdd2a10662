package agent

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/internal/text/snapshot"
	"pwpipe/provider"
)

// maxBefore is how much is said of what a script changed in documents that it left, in characters.
const maxBefore = 100

// leaving notes what a script has changed of the outline, before it goes on to another document.
func leaving(c *tool.Call, _ tool.NoParams) (any, error) {
	r := provider.RequestFrom(c.Ctx)
	look := r.Outline
	if look == "" {
		look = c.Session.Browser.Config.ActOutline
	}
	view := seen.Of(c.Page)
	view.mu.Lock()
	before := view.last
	view.mu.Unlock()
	if !r.Tell || look != "diff" && look != "whole" || before == nil || c.IsPaused() {
		return nil, nil
	}
	ctx, end := context.WithTimeout(c.Ctx, maxLook)
	defer end()
	after, err := tree(&tool.Call{Ctx: ctx, Page: c.Page}, "")
	if err != nil || !snapshot.Shared(before, after) {
		return nil, err
	}
	o := outlineOptions(c.Page, snapshotParams{})
	diff := snapshot.Diff(before.At(o, 0), after.At(o, 0))
	view.mu.Lock()
	defer view.mu.Unlock()
	var gone []string
	had := len(view.leftChanges)
	for line := range strings.SplitSeq(diff, "\n") {
		switch mark, text, _ := strings.Cut(line, " "); mark {
		case "+", "~":
			view.leftChanges = append(view.leftChanges, mark+" "+plainLine(text))
		case "-":
			gone = append(gone, mark+" "+plainLine(text))
		}
	}
	if len(view.leftChanges) == had { // else what is new says it
		view.leftChanges = append(view.leftChanges, gone...)
	}
	view.leftTree = after
	return nil, nil
}

// went notes the URL to which a script has sent a page, "" for none.
func went(p *browser.Page, to string) {
	view := seen.Of(p)
	view.mu.Lock()
	defer view.mu.Unlock()
	view.went = to
}

// changesBefore is the line about what a script changed in documents that it left, without what the
// newest outline shows as well.
func changesBefore(p *browser.Page) []string {
	view := seen.Of(p)
	view.mu.Lock()
	defer view.mu.Unlock()
	lines := view.leftChanges
	view.leftChanges = nil
	if len(lines) == 0 || view.last == nil || snapshot.Shared(view.leftTree, view.last) {
		return nil
	}
	shows := map[string]bool{}
	for _, line := range view.last.At(outlineOptions(p, snapshotParams{}), 0) {
		shows[plainLine(line.Text)] = true
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return shows[line[2:]] && line[0] != '-' })
	if len(lines) == 0 {
		return nil
	}
	return []string{provider.HappenedMark + "before page.goto: " + snapshot.Cut(strings.Join(lines, "; "), maxBefore)}
}

// plainLine is a line of an outline without refs, which act no more.
func plainLine(text string) string {
	return strings.TrimSuffix(strings.TrimSpace(refsIn.ReplaceAllString(text, "")), ":")
}

var refsIn = regexp.MustCompile(` \[(?:ref=|refs: )[^\]]*\]| \[active\]`)
