//go:build evidence

package extension

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A group says who has a tab, and is gone when the tab is given back, wherever it was before. A
// tab that is pinned, or in a group of the person's, stays so.
func TestGroups(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestWorkInALentTab of tests/reach is quick")
	t.Parallel()
	site := pipetest.Site(t)
	h := startPerson(t)
	for _, page := range []string{"/form", "/shadow", "/frames", "/popups"} {
		h.open(site + page)
	}
	h.see(`chrome.tabs.query({}).then(async (list) => {
		const of = (end) => list.find(({index}) => index === end).id;
		await chrome.tabs.update(of(2), {pinned: true});
		await chrome.tabGroups.update(await chrome.tabs.group({tabIds: [of(3)]}), {title: 'mine'});
	})`)
	before := h.strip()
	pipetest.Has(t, before, "pinned", "mine")
	for _, page := range []string{"/form", "/shadow", "/frames"} {
		h.click(site + page)
	}
	p := h.pwpipe("--base-url", site)
	h.waitFor("three lent tabs", func() bool { return strings.Count(p.Call("pages", nil), `"url"`) == 3 })
	pipetest.Has(t, h.strip(), "mine: ", "pinned", "lent to pwpipe: ")
	ours := p.Text("new-page", []any{"c1"})
	p.Call("nav", []any{"/form?ours"}, "page", ours)
	h.waitFor("a group of our tab", func() bool { return strings.Contains(h.groups(), "lent to pwpipe: "+site+"/form?ours;") })
	p.Close()
	h.waitFor("the tabs as they were", func() bool { return h.strip() == before })
}
