package endpoint

import (
	"context"
	"errors"
	"slices"
	"time"

	"pwpipe/features/clipboard"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/workarounds"
	"pwpipe/internal/browser/cdp"
)

// identifyTime bounds the wait until a client's page is known as one of the session's:
// the page is asked for its id.
const identifyTime = 2 * time.Second

// Identified is [PageBy] for a page that may be new: a client may hear of it before the
// driver does.
func Identified(s *browser.Session, target string) *browser.Page {
	for end := time.Now().Add(identifyTime); ; time.Sleep(5 * time.Millisecond) {
		p := PageBy(s, target)
		unknown := slices.ContainsFunc(s.OpenPages(), func(p *browser.Page) bool { return p.Target() == "" })
		if p != nil || time.Now().After(end) || !unknown && !isOpen(s, target) {
			return p
		}
	}
}

// isOpen reports whether the browser has a target.
func isOpen(s *browser.Session, target string) bool {
	e := s.Current()
	if e == nil || target == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), identifyTime)
	defer cancel()
	line, _, err := e.Line()
	return err == nil && line.Call(ctx, "Target.getTargetInfo", map[string]any{"targetId": target}, nil) == nil
}

// PageBy is the session's page of a target, nil if there is none.
func PageBy(s *browser.Session, target string) *browser.Page {
	for _, p := range s.OpenPages() {
		if target != "" && p.Target() == target {
			return p
		}
	}
	return nil
}

// keepsMedium makes a client's DevTools sessions keep the page's emulated medium.
func keepsMedium(s *browser.Session) func(target string, with *cdp.Session) {
	return func(target string, with *cdp.Session) {
		go func() { // it may ask the page for its id
			if p := Identified(s, target); p != nil {
				workarounds.Joins(p, with)
			}
		}()
	}
}

// TargetOf is the page's [browser.Page.Target]. It asks a new page and waits for the
// answer. "" if there is none.
func TargetOf(p *browser.Page) string {
	for end := time.Now().Add(identifyTime); p.Target() == "" && time.Now().Before(end); {
		select {
		case <-p.Gone:
			return p.Target()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return p.Target()
}

// paste pastes the session's own clipboard: all sessions share the browser's.
func paste(s *browser.Session, target string) error {
	p := Identified(s, target)
	if p == nil {
		return errors.New("the page is closed")
	}
	return clipboard.Paste(p)
}
