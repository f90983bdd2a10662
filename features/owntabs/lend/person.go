package lend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pwpipe/internal/browser/cdp"
)

// What the person sees, and does.

// Tab is a tab of the person's windows.
type Tab struct {
	ID    string `json:"targetId"`
	Title string `json:"title"`
	URL   string `json:"url"`
	Agent int    `json:"agent,omitempty"` // who has it, 0 for nobody
	Lent  bool   `json:"lent,omitempty"`  // rather than opened by it
}

// Agent is one that uses the browser.
type Agent struct {
	Number  int `json:"number"`
	Process int `json:"process"` // of its program
}

// Tabs are the tabs of the person's windows, and the agents that there are. Without agents it
// does not ask the browser, which might ask the person.
func (l *Lender) Tabs(ctx context.Context) (tabs []Tab, agents []Agent, err error) {
	for _, b := range l.borrowers() {
		agents = append(agents, Agent{b.number, b.wants.Process})
	}
	if len(agents) == 0 {
		return nil, nil, nil
	}
	conn, err := l.connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	s, err := conn.Browser(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = s.Detach(ctx) }()
	open, err := homeTabs(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	for _, i := range open {
		t := Tab{ID: i.ID, Title: i.Title, URL: i.URL}
		if b := l.holder(i.ID); b != nil {
			t.Agent, t.Lent = b.number, b.lent(i.ID)
		}
		tabs = append(tabs, t)
	}
	return tabs, agents, nil
}

// homeTabs lists the tabs of the browser's own windows.
func homeTabs(ctx context.Context, s *cdp.Session) (tabs []info, err error) {
	var made struct {
		IDs []string `json:"browserContextIds"`
	}
	var open struct {
		Infos []info `json:"targetInfos"`
	}
	err = errors.Join(s.Call(ctx, "Target.getBrowserContexts", nil, &made),
		s.Call(ctx, "Target.getTargets", nil, &open))
	for _, i := range open.Infos {
		if i.canBeLent() && !slices.Contains(made.IDs, i.Context) {
			tabs = append(tabs, i)
		}
	}
	return tabs, err
}

// Lend lends a tab to an agent, by its number; 0 is the only one.
func (l *Lender) Lend(ctx context.Context, tab string, agent int) error {
	list := l.borrowers()
	if agent != 0 {
		list = slices.DeleteFunc(list, func(b *borrower) bool { return b.number != agent })
	}
	switch {
	case len(list) == 0:
		return errors.New("no such agent: an agent is there once it has asked for a page")
	case len(list) > 1:
		return fmt.Errorf("there are %d agents: name one", len(list))
	}
	tabs, _, err := l.Tabs(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(tabs, func(t Tab) bool { return t.ID == tab })
	switch {
	case at < 0:
		return errors.New("the tab is closed")
	case tabs[at].Agent != 0:
		return fmt.Errorf("agent %d has the tab", tabs[at].Agent)
	}
	list[0].give(tab, false)
	return nil
}

// canBeLent reports whether a target is a tab with a site's page, and not with one of the browser's
// own or with a file.
func (i info) canBeLent() bool {
	return i.Type == "page" && (i.URL == "" || ofSite(i.URL))
}

// names reports whether a tab of the person's is one that the texts name.
func (w wants) names(i info) bool {
	return i.canBeLent() && slices.ContainsFunc(w.Lend, func(text string) bool {
		return strings.Contains(i.URL, text) || strings.Contains(i.Title, text)
	})
}

// isLent reports whether the person lent a tab to an agent of a program.
func (l *Lender) isLent(tab string, process int) bool {
	b := l.holder(tab)
	return b != nil && b.wants.Process == process && b.lent(tab)
}

func (l *Lender) holder(tab string) *borrower {
	l.holding.Lock()
	defer l.holding.Unlock()
	return l.holders[tab]
}

// borrowers are the agents, the oldest first.
func (l *Lender) borrowers() []*borrower {
	l.holding.Lock()
	defer l.holding.Unlock()
	return slices.Clone(l.agents)
}
