package devtools

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// sheet is a stylesheet of the page: CSS.CSSStyleSheetHeader.
type sheet struct {
	id, url, origin string
	line            int // where its text begins in the file, from 0
}

// sheets are the page's stylesheets.
type sheets struct {
	mu  sync.Mutex
	all map[string]*sheet
}

// styleSheets are the page's stylesheets: CSS.enable, the first time.
func (p *Page) styleSheets(ctx context.Context) (*sheets, error) {
	p.styling.Lock()
	defer p.styling.Unlock()
	if p.sheets != nil {
		return p.sheets, nil
	}
	if err := p.enableRuntime(ctx); err != nil {
		return nil, err
	}
	s := &sheets{all: map[string]*sheet{}}
	p.on("CSS.styleSheetAdded", &s.mu, func(e map[string]any) {
		h := sub(e, "header")
		id := str(h, "styleSheetId")
		s.all[id] = &sheet{id, str(h, "sourceURL"), str(h, "origin"), num(h, "startLine")}
	})
	p.on("CSS.styleSheetRemoved", &s.mu, func(e map[string]any) { delete(s.all, str(e, "styleSheetId")) })
	// Chromium need not report the sheets of a document that went: the next one may
	// have another renderer.
	p.on("Runtime.executionContextsCleared", &s.mu, func(map[string]any) { clear(s.all) })
	for _, method := range []string{"DOM.enable", "CSS.enable"} {
		if err := p.call(ctx, method, nil, nil); err != nil {
			return nil, err
		}
	}
	p.sheets = s
	return s, nil
}

func (p *Page) knowsSheets() bool {
	p.styling.Lock()
	defer p.styling.Unlock()
	return p.sheets != nil
}

// get is the stylesheet of an id, nil if it is gone.
func (s *sheets) get(id string) *sheet {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[id]
}

// matching are the page's own stylesheets whose URL is accepted, in the order
// of their URLs.
func (s *sheets) matching(accept func(url string) bool) []*sheet {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*sheet
	for _, h := range s.all {
		if h.origin == "regular" && h.url != "" && accept(h.url) {
			list = append(list, h)
		}
	}
	slices.SortFunc(list, func(a, b *sheet) int { return cmp.Or(strings.Compare(a.url, b.url), a.line-b.line) })
	return list
}

// text is a stylesheet's current text: CSS.getStyleSheetText.
func (p *Page) text(ctx context.Context, s *sheet) (string, error) {
	var reply struct{ Text string }
	err := p.call(ctx, "CSS.getStyleSheetText", map[string]any{"styleSheetId": s.id}, &reply)
	return reply.Text, err
}
