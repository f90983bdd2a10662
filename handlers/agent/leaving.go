package agent

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/internal/text/snapshot"
	"pwpipe/provider"
)

// How much is said of what changed in documents that were left, in characters: of what the page said to its
// reader, such as an alert or a toast, and of the rest.
const (
	maxSaid   = 300
	maxBefore = 100
)

// leavingParams says what the script process knows of the document that is left.
type leavingParams struct {
	Sent bool `json:"sent"` // the script itself has sent the page there, or to one before
}

// leaving notes what a script has changed of the outline, before it goes on to another document. Where its acts led
// to another view, or to another document, that is what they changed.
func leaving(c *tool.Call, in leavingParams) (any, error) {
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
	another := err == nil && !snapshot.Shared(before, after)
	if err != nil || another && (in.Sent || len(after.Kids) == 0) {
		return nil, err
	}
	o := outlineOptions(c.Page, snapshotParams{})
	had, has := before.At(o, 0), after.At(o, 0)
	said, rest := snapshot.Changes(had, has)
	same := map[string]bool{} // another document has other refs in the same words
	if another {
		for _, line := range had {
			text := plainLine(line.Text)
			same["+ "+text], same["  "+text] = true, true // itself, and over what is new in it
		}
		for _, line := range has {
			same["- "+plainLine(line.Text)] = true
		}
	}
	view.mu.Lock()
	defer view.mu.Unlock()
	for _, line := range said {
		if change := plainChange(line); !same[change] {
			view.leftSaid = append(view.leftSaid, change)
		}
	}
	lines := map[string][]string{}
	for _, line := range rest {
		if change := plainChange(line); !same[change] && !slices.Contains(view.leftSaid, change) {
			lines[line[:1]] = append(lines[line[:1]], change)
		}
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

// plainChange is a line of a difference without its place and its refs.
func plainChange(line string) string { return line[:1] + " " + plainLine(line[1:]) }

// changesBefore are the lines about documents that were left: what a script changed in them, and what they
// said to their reader at last, without what the newest outline shows as well.
func changesBefore(p *browser.Page, parted []string) (told []string) {
	view := seen.Of(p)
	view.mu.Lock()
	defer view.mu.Unlock()
	said, lines, left := view.leftSaid, view.leftChanges, view.leftTree
	view.leftSaid, view.leftChanges = nil, nil
	if view.last == nil {
		return nil
	}
	shows := map[string]bool{}
	for _, line := range view.last.At(outlineOptions(p, snapshotParams{}), 0) {
		shows[plainLine(line.Text)] = true
	}
	isShown := func(line string) bool { return shows[line[2:]] && line[0] != '-' }
	if len(said)+len(lines) > 0 && !snapshot.Shared(left, view.last) {
		all := strings.Join(said, "\n")
		parted = slices.DeleteFunc(parted, func(text string) bool { return strings.Contains(all, text) })
		said, lines = slices.DeleteFunc(said, isShown), slices.DeleteFunc(lines, isShown)
		var parts []string
		if len(said) > 0 {
			parts = append(parts, shortened(said, maxSaid))
		}
		if len(lines) > 0 {
			parts = append(parts, shortened(lines, maxBefore))
		}
		if len(parts) > 0 {
			told = append(told, provider.HappenedMark+"before page.goto: "+strings.Join(parts, "; "))
		}
	}
	page := strings.Join(slices.Collect(maps.Keys(shows)), "\n")
	parted = slices.DeleteFunc(parted, func(text string) bool { return strings.Contains(page, text) })
	if len(parted) > 0 {
		told = append(told, happened("the page before said: "+shortened(parted, maxSaid)))
	}
	return told
}

// lastSeen is the page's last outline, nil before there is one.
func lastSeen(p *browser.Page) *snapshot.Node {
	view := seen.Of(p)
	view.mu.Lock()
	defer view.mu.Unlock()
	return view.last
}

// unread are the lines of texts that an outline does not show, without secrets.
func unread(p *browser.Page, outline *snapshot.Node, texts []string) (list []string) {
	if len(texts) == 0 {
		return nil
	}
	var shows strings.Builder
	if outline != nil {
		for _, line := range outline.At(outlineOptions(p, snapshotParams{}), 0) {
			shows.WriteString(plainLine(line.Text) + "\n")
		}
	}
	for _, text := range texts {
		var news []string
		for line := range strings.Lines(p.Hide(text)) {
			if line = strings.Join(strings.Fields(line), " "); line != "" && !strings.Contains(shows.String(), line) {
				news = append(news, line)
			}
		}
		if len(news) > 0 {
			list = append(list, strings.Join(news, " "))
		}
	}
	return list
}

// shortened joins a list to at most so many characters. It keeps the last entry, which mostly has the
// result of an act.
func shortened(list []string, most int) string {
	text := strings.Join(list, "; ")
	last := snapshot.Cut(list[len(list)-1], most/2)
	if len(text) <= most || len(list) == 1 {
		return snapshot.Cut(text, most)
	}
	return snapshot.Cut(strings.Join(list[:len(list)-1], "; "), most-len(last)) + " " + last
}

// plainLine is a line of an outline without refs, which act no more.
func plainLine(text string) string {
	return strings.TrimSuffix(strings.TrimSpace(refsIn.ReplaceAllString(text, "")), ":")
}

var refsIn = regexp.MustCompile(` \[(?:ref=|refs: )[^\]]*\]| \[active\]`)
