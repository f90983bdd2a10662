package browser

import (
	"encoding/json"

	"pwpipe/internal/text/secrets"
	"pwpipe/provider"
)

// The table masks secrets in whatever a tool answers. What a tool cuts, writes
// to a file or remembers, it masks itself before that, here: a piece of a value
// could be too short to be known again.

// Hide masks the secrets in a text.
func (b *Browser) Hide(text string) string {
	if b.Config.Mask == nil {
		return text
	}
	return b.Config.Mask(text)
}

// Unresolved is a request's parameters as they can be written to a file: with
// the names of secrets, and selectors that were made from a page masked.
func (b *Browser) Unresolved(params json.RawMessage) json.RawMessage {
	if b.Config.Unresolve == nil || params == nil {
		return params
	}
	return provider.MapStrings(params, b.Config.Unresolve)
}

// Short is a text of at most so many characters, for an error or a list. It is
// the only way in which tools shorten what a page or a caller worded.
func (b *Browser) Short(text string, most int) string {
	return secrets.Shorten(b.Hide(text), most)
}

// Hide masks the secrets in a text.
func (p *Page) Hide(text string) string { return p.Session.Browser.Hide(text) }

// Short is a text of at most so many characters, secrets masked.
func (p *Page) Short(text string, most int) string { return p.Session.Browser.Short(text, most) }
