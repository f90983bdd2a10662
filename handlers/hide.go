package handlers

import (
	"encoding/json"

	"pwpipe/internal/secrets"
	"pwpipe/internal/snapshot"
	"pwpipe/provider"
)

// The table masks secrets in whatever a tool answers. What a tool cuts, writes
// to a file or remembers, it masks itself before that, here: a piece of a value
// could be too short to be known again.

// hide masks the secrets in a text.
func (b *Browser) hide(text string) string {
	if b.cfg.Mask == nil {
		return text
	}
	return b.cfg.Mask(text)
}

// unresolved is a request's parameters as they can be written to a file: with
// the names of secrets, and selectors that were made from a page masked.
func (b *Browser) unresolved(params json.RawMessage) json.RawMessage {
	if b.cfg.Unresolve == nil || params == nil {
		return params
	}
	return provider.MapStrings(params, b.cfg.Unresolve)
}

// short is a text of at most so many characters, for an error or a list. It is
// the only way in which tools shorten what a page or a caller worded.
func (b *Browser) short(text string, most int) string {
	return secrets.Shorten(b.hide(text), most)
}

func (p *page) hide(text string) string { return p.session.browser.hide(text) }

func (p *page) short(text string, most int) string { return p.session.browser.short(text, most) }

// hideTree masks the secrets in a snapshot, before it is shortened and folded.
func (p *page) hideTree(n *snapshot.Node) {
	if p.session.browser.cfg.Mask == nil {
		return
	}
	for _, k := range n.Kids {
		k.Name, k.URL = p.hide(k.Name), p.hide(k.URL)
		p.hideTree(k)
	}
}
