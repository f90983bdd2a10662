package handlers

import (
	"context"
	"sync"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func tabTools() []*provider.Tool {
	return []*provider.Tool{
		onSession(Act.Reads("pages", "List pages", "List the open pages").Within(5*time.Second), listPages),
		onPageDo(Act.Acts("front", "Bring to front", "Bring the page to the front of the window").Within(5*time.Second), bringToFront),
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

// titleTime is how long a page has to tell its title.
const titleTime = time.Second

// listPages is context.pages of every context, in the order they were opened.
func listPages(ctx context.Context, s *Session, _ noParams) ([]pageInfo, error) {
	pages := s.openPages()
	list := make([]pageInfo, len(pages))
	var wait sync.WaitGroup
	for i, p := range pages {
		wait.Add(1)
		go func() {
			defer wait.Done()
			list[i] = s.infoOf(p)
		}()
	}
	wait.Wait()
	return list, ctx.Err()
}

func (s *Session) infoOf(p *page) pageInfo {
	type told struct {
		title  string
		opener playwright.Page
	}
	answer := make(chan told, 1)
	go func() {
		title, _ := p.pw.Title()
		opener, _ := p.pw.Opener()
		answer <- told{title, opener}
	}()
	i := pageInfo{URL: p.pw.URL()}
	var opener playwright.Page
	select {
	case t := <-answer:
		i.Title, opener = t.title, t.opener
	case <-time.After(titleTime):
	}
	i.Page, i.Context, i.Active = s.handlesOf(p)
	if o := s.find(opener); opener != nil && o != nil {
		i.Opener, _, _ = s.handlesOf(o)
	}
	return i
}

// bringToFront is page.bringToFront.
func bringToFront(c *call, _ noParams) error {
	return c.fail(c.pw.BringToFront(), "")
}
