package lend

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// An agent's pages are at sites. The browser's own pages (its settings, its passwords, the
// list of all tabs) and local files are the person's, in every context.

// ofSite reports whether an address is a site's, or of a blank page.
func ofSite(address string) bool {
	if address == "about:blank" || address == "about:srcdoc" {
		return true
	}
	u, err := url.Parse(address)
	if err == nil && u.Scheme == "blob" { // its page's
		u, err = url.Parse(u.Opaque)
	}
	return err == nil && slices.Contains([]string{"http", "https", "data"}, strings.ToLower(u.Scheme))
}

// atSite reports whether an agent may have a target where it is. A page that failed to load is
// the browser's, but shows nothing of it.
func (t *target) atSite() bool {
	return t.info.Type != "page" || slices.Contains([]string{"", "chrome-error://chromewebdata/"}, t.info.URL) ||
		ofSite(t.info.URL)
}

// partAtSite reports whether an agent may have a part of its page. A frame of an extension's, such
// as a keeper of passwords puts into pages, has the extension's powers.
func (t *target) partAtSite() bool {
	return t.info.Type != "iframe" || t.info.URL == "" || ofSite(t.info.URL) ||
		strings.HasPrefix(t.info.URL, "chrome-error:")
}

// mayOpen judges an address that an agent has a page go to.
func mayOpen(address string) error {
	if !ofSite(address) {
		return refused("only http(s), data: and about:blank are opened in the browser that a person uses")
	}
	return nil
}

func navigate(c *command, p *struct {
	URL            string `json:"url"`
	Referrer       string `json:"referrer,omitempty"`
	TransitionType string `json:"transitionType,omitempty"`
	FrameID        string `json:"frameId,omitempty"`
	ReferrerPolicy string `json:"referrerPolicy,omitempty"`
}) error {
	return mayOpen(p.URL)
}

// entry is an entry of a page's history.
type entry struct {
	ID         int64  `json:"id"`
	URL        string `json:"url"`
	Typed      string `json:"userTypedURL"`
	Title      string `json:"title"`
	Transition string `json:"transitionType"`
}

type entries struct {
	Current int     `json:"currentIndex"`
	List    []entry `json:"entries"`
}

// history is the rule of Page.getNavigationHistory. Where a lent tab has been outside of sites
// is left blank.
func history(c *command, _ *none) error {
	c.then = func(result json.RawMessage) json.RawMessage {
		got := entries{List: []entry{}}
		_ = json.Unmarshal(result, &got)
		for i, e := range got.List {
			if !ofSite(e.URL) || e.Typed != "" && !ofSite(e.Typed) {
				got.List[i] = entry{ID: e.ID, Transition: e.Transition}
			}
		}
		return encoded(got)
	}
	return nil
}

// toEntry is the rule of Page.navigateToHistoryEntry: the entry must be a site's.
func toEntry(c *command, p *struct {
	ID int64 `json:"entryId"`
}) error {
	s, method := c.session, c.method
	c.do = func(answer reply) {
		s.Send("Page.getNavigationHistory", nil, func(result json.RawMessage, err error) {
			var got entries
			if err == nil {
				err = json.Unmarshal(result, &got)
			}
			at := slices.IndexFunc(got.List, func(e entry) bool { return e.ID == p.ID })
			switch {
			case err != nil:
			case at < 0:
				err = refused("No entry with passed id")
			default:
				err = mayOpen(got.List[at].URL)
			}
			if err != nil {
				answer(nil, err)
				return
			}
			s.Send(method, p, answer)
		})
	}
	return nil
}
