package agent

import (
	"cmp"
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
	look := cmp.Or(r.Outline, c.Session.Browser.Config.ActOutline)
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
	lines := map[string][]string{}
	for line := range strings.SplitSeq(diff, "\n") {
		mark, text, _ := strings.Cut(line, " ")
		lines[mark] = append(lines[mark], mark+" "+plainLine(text))
	}
	for _, mark := range []string{"+", "~", "-"} { // what is new says most: the rest mostly repeats what the script did
		if len(lines[mark]) > 0 {
			view.leftChanges = append(view.leftChanges, lines[mark]...)
			break
		}
	}
	view.leftTree = after
	return nil, nil
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
	return []string{provider.HappenedMark + "before page.goto: " + shortened(lines)}
}

// shortened joins a list to at most [maxBefore] characters. It keeps the last entry, which mostly has the
// result of an act.
func shortened(list []string) string {
	text := strings.Join(list, "; ")
	last := snapshot.Cut(list[len(list)-1], maxBefore/2)
	if len(text) <= maxBefore || len(list) == 1 {
		return snapshot.Cut(text, maxBefore)
	}
	return snapshot.Cut(strings.Join(list[:len(list)-1], "; "), maxBefore-len(last)) + " " + last
}

// plainLine is a line of an outline without refs, which act no more.
func plainLine(text string) string {
	return strings.TrimSuffix(strings.TrimSpace(refsIn.ReplaceAllString(text, "")), ":")
}

var refsIn = regexp.MustCompile(` \[(?:ref=|refs: )[^\]]*\]| \[active\]`)
