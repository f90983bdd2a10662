// Package pages opens, chooses, closes and lists pages and contexts.
package pages

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools that Go code calls too.
var (
	NewContext = tool.TypedOnSession(tool.Core.Switches("new-ctx", "New context",
		"Open a browser context with cookies of its own; its handle").OwnWords(), newCtx)
	NewPage = tool.TypedOnSession(tool.Core.Switches("new-page", "New page",
		"Open a page in a context, without making it active; its handle").OwnWords(), newPage)
	Use = tool.TypedOnSessionDo(tool.Core.Switches("use-page", "Use page",
		"Make a page the active one").Within(5*time.Second).OwnWords(),
		func(ctx context.Context, s *browser.Session, in PageParams) error { return s.Use(ctx, in.PID) })
	Close = tool.TypedOnSessionDo(tool.Core.Switches("close-page", "Close page", "Close a page").
		Within(5*time.Second).OwnWords().Closes("pid"),
		func(ctx context.Context, s *browser.Session, in PageParams) error { return s.ClosePage(ctx, in.PID) })
	List = tool.TypedOnSession(tool.Act.Reads("pages", "List pages", "List the open pages").
		Within(5*time.Second), listPages)
	Front = tool.TypedOnPageDo(tool.Act.Acts("front", "Bring to front",
		"Bring the page to the front of the window").Within(5*time.Second),
		func(c *tool.Call, _ tool.NoParams) error { return c.Fail(c.PW.BringToFront(), "") })
)

// Tools are core's: contexts and pages by their handles.
func Tools() []*provider.Tool {
	return []*provider.Tool{NewContext.Tool, NewPage.Tool, Use.Tool, Close.Tool}
}

// newCtx is browser.newContext.
func newCtx(ctx context.Context, s *browser.Session, _ tool.NoParams) (string, error) {
	e, err := s.Running(ctx)
	if err != nil {
		return "", err
	}
	_, name, err := s.NewContext(ctx, e)
	return name, err
}

// NewPageParams are the parameters of [NewPage].
type NewPageParams struct {
	Ctx string `json:"ctx" secrets:"no" doc:"context handle"`
	Use bool   `json:"use,omitempty" doc:"make it active"`
}

// newPage is context.newPage.
func newPage(ctx context.Context, s *browser.Session, in NewPageParams) (string, error) {
	e, err := s.Running(ctx)
	if err != nil {
		return "", err
	}
	c, err := s.ContextNamed(in.Ctx)
	if err != nil {
		return "", provider.AsError(err).WithHint("new-ctx opens one")
	}
	p, err := s.NewPage(ctx, e, c)
	if err != nil {
		return "", err
	}
	if in.Use {
		err = s.Use(ctx, p.Name)
	}
	return p.Name, err
}

// PageParams are the parameters of [Use] and [Close].
type PageParams struct {
	PID string `json:"pid" secrets:"no" doc:"page handle"`
}

type labelParams struct {
	Label string `json:"label,omitempty" secrets:"no" doc:"a letter, then letters, digits, - and _"`
}

// isLabel reports whether a text is a letter, then at most 39 letters, digits, - and _. A regular
// expression that counts letters of all scripts would take a third of pwpipe's own start.
func isLabel(text string) bool {
	inLabel := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' || r == '-' }
	runes := []rune(text)
	return len(runes) > 0 && len(runes) <= 40 && unicode.IsLetter(runes[0]) && strings.TrimFunc(text, inLabel) == ""
}

// isHandle reports whether a text has the form of a handle, of a page or of a context.
func isHandle(text string) bool {
	digits := strings.TrimLeft(text, "pPcC")
	return len(text)-len(digits) == 1 && digits != "" && strings.TrimFunc(digits, unicode.IsNumber) == ""
}

// labelPage labels the page that the request names, or the active one.
func labelPage(ctx context.Context, s *browser.Session, in labelParams) error {
	switch {
	case isHandle(in.Label):
		return provider.Errorf(provider.KindArgs, "label: %s has the form of a handle; give another word", in.Label)
	case in.Label != "" && !isLabel(in.Label):
		return provider.Errorf(provider.KindArgs,
			"label: expected a letter, then letters, digits, - and _, at most 40 in all, got %q", in.Label)
	}
	p, err := s.Page(ctx, provider.RequestFrom(ctx).Page)
	if err != nil {
		return err
	}
	return browser.LabelPage(s, p, in.Label)
}

// TabTools list the pages, and bring one to the front.
func TabTools() []*provider.Tool {
	label := tool.Act.Switches("label-page", "Label page",
		"Give the page a label, which names it as its handle does (use-page login); none takes it away")
	label.Labels = true
	return []*provider.Tool{
		tool.OnSessionDo(label.Within(5*time.Second).OwnWords(), labelPage),
		List.Tool, Front.Tool,
	}
}

// Info is a page, as [List] answers it.
type Info struct {
	Page    string `json:"page" own:"yes" doc:"handle"`
	Label   string `json:"label,omitempty" own:"yes" doc:"its label, if it was given one"`
	Context string `json:"context" own:"yes" doc:"handle of its context"`
	Title   string `json:"title" doc:"title; empty if the page does not answer"`
	URL     string `json:"url" doc:"address"`
	Opener  string `json:"opener,omitempty" own:"yes" doc:"handle of the page that opened it"`
	Lent    bool   `json:"lent,omitempty" own:"yes" doc:"whether it is a tab of the person's, lent"`
	Active  bool   `json:"active" doc:"whether requests that name no page work on it"`
	Silent  bool   `json:"-"` // whether it did not answer its title in time
}

// titleTime is how long a page has to answer its title.
const titleTime = time.Second

// listPages is context.pages of every context, in the order they were opened.
func listPages(ctx context.Context, s *browser.Session, _ tool.NoParams) ([]Info, error) {
	pages := s.OpenPages()
	list := make([]Info, len(pages))
	var wait sync.WaitGroup
	for i, p := range pages {
		wait.Go(func() { list[i] = infoOf(s, p) })
	}
	wait.Wait()
	return list, ctx.Err()
}

func infoOf(s *browser.Session, p *browser.Page) Info {
	i := Info{URL: p.PW.URL(), Label: browser.LabelOf(s, p)}
	answer := make(chan Info, 1)
	go func(told Info) {
		told.Title, _ = p.PW.Title()
		opener, _ := p.PW.Opener()
		if o := s.Find(opener); o != nil {
			told.Opener, _, _ = s.HandlesOf(o)
		}
		_ = p.Attached() // then it is known which page it is
		answer <- told
	}(i)
	select {
	case i = <-answer:
	case <-time.After(titleTime):
		i.Silent = true
	}
	i.Page, i.Context, i.Active = s.HandlesOf(p)
	if from := s.Browser.Config.Source; from.Lends() {
		i.Lent = from.Lent(p.Target())
	}
	return i
}
