package pages

import (
	"context"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// TabTools list the pages, and bring one to the front.
func TabTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnSession(tool.Act.Reads("pages", "List pages", "List the open pages").Within(5*time.Second), listPages),
		tool.OnPageDo(tool.Act.Acts("front", "Bring to front",
			"Bring the page to the front of the window").Within(5*time.Second), bringToFront),
	}
}

type pageInfo struct {
	Page    string `json:"page" own:"yes" doc:"handle"`
	Context string `json:"context" own:"yes" doc:"handle of its context"`
	Title   string `json:"title" doc:"title; empty if the page does not answer"`
	URL     string `json:"url" doc:"address"`
	Opener  string `json:"opener,omitempty" own:"yes" doc:"handle of the page that opened it"`
	Active  bool   `json:"active" doc:"whether requests that name no page work on it"`
}

// titleTime is how long a page has to answer its title.
const titleTime = time.Second

// listPages is context.pages of every context, in the order they were opened.
func listPages(ctx context.Context, s *browser.Session, _ tool.NoParams) ([]pageInfo, error) {
	pages := s.OpenPages()
	list := make([]pageInfo, len(pages))
	var wait sync.WaitGroup
	for i, p := range pages {
		wait.Add(1)
		go func() {
			defer wait.Done()
			list[i] = infoOf(s, p)
		}()
	}
	wait.Wait()
	return list, ctx.Err()
}

func infoOf(s *browser.Session, p *browser.Page) pageInfo {
	type titleAnswer struct {
		title  string
		opener playwright.Page
	}
	answer := make(chan titleAnswer, 1)
	go func() {
		title, _ := p.PW.Title()
		opener, _ := p.PW.Opener()
		answer <- titleAnswer{title, opener}
	}()
	i := pageInfo{URL: p.PW.URL()}
	var opener playwright.Page
	select {
	case t := <-answer:
		i.Title, opener = t.title, t.opener
	case <-time.After(titleTime):
	}
	i.Page, i.Context, i.Active = s.HandlesOf(p)
	if o := s.Find(opener); opener != nil && o != nil {
		i.Opener, _, _ = s.HandlesOf(o)
	}
	return i
}

// bringToFront is page.bringToFront.
func bringToFront(c *tool.Call, _ tool.NoParams) error {
	return c.Fail(c.PW.BringToFront(), "")
}
