package devtools

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// sheet is a stylesheet of the page: CSS.CSSStyleSheetHeader.
type sheet struct {
	id, url, origin, frame string
	line, column           int // of its text in the file, from 0
	inline                 bool
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
	p.opening.Lock()
	err := p.enableRuntime(ctx)
	p.opening.Unlock()
	if err != nil {
		return nil, err
	}
	s := &sheets{all: map[string]*sheet{}}
	p.session.On("CSS.styleSheetAdded", func(e map[string]any) {
		h := sub(e, "header")
		inline, _ := h["isInline"].(bool)
		s.mu.Lock()
		defer s.mu.Unlock()
		id := str(h, "styleSheetId")
		s.all[id] = &sheet{id: id, url: str(h, "sourceURL"), origin: str(h, "origin"), frame: str(h, "frameId"),
			line: num(h, "startLine"), column: num(h, "startColumn"), inline: inline}
	})
	p.session.On("CSS.styleSheetRemoved", func(e map[string]any) {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.all, str(e, "styleSheetId"))
	})
	// Chromium need not report the sheets of a document that went: the next one may
	// have another renderer.
	p.session.On("Runtime.executionContextsCleared", func(map[string]any) {
		s.mu.Lock()
		defer s.mu.Unlock()
		clear(s.all)
	})
	for _, method := range []string{"DOM.enable", "CSS.enable"} {
		if err := p.call(ctx, method, nil, nil); err != nil {
			return nil, err
		}
	}
	p.sheets = s
	return s, nil
}

// knowsSheets reports whether the page's stylesheets are known.
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
	slices.SortFunc(list, func(a, b *sheet) int {
		if c := strings.Compare(a.url, b.url); c != 0 {
			return c
		}
		return a.line - b.line
	})
	return list
}

// text is a stylesheet's current text: CSS.getStyleSheetText.
func (p *Page) text(ctx context.Context, s *sheet) (string, error) {
	var reply struct{ Text string }
	err := p.call(ctx, "CSS.getStyleSheetText", map[string]any{"styleSheetId": s.id}, &reply)
	return reply.Text, err
}
