package provider

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"regexp"
	"strings"

	"pwpipe/internal/text/secrets"
)

// Words says who wrote the texts of a tool's answers and errors.
type Words int

// By default a page may have contributed to a text, so it is marked.
const (
	PageWords  Words = iota
	OwnAnswers       // answers come from pwpipe and the caller; errors may quote a page
	OwnWords         // answers and errors come from pwpipe and the caller
)

// ownWords are terms of the browser, not of a page. A field with own:"word" is marked
// if its text is not one of them.
var ownWords = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE
		document stylesheet image media font script texttrack xhr fetch prefetch eventsource websocket manifest ping preflight signedexchange cspviolationreport beacon other
		log debug info error warning warn dir dirxml table trace clear startGroup startGroupCollapsed endGroup assert profile profileEnd count timeEnd time
		alert confirm prompt beforeunload accepted dismissed
		Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError DOMException
		Strict Lax None page mock server reply abort fallback script stylesheet paused running pausing took-over handed-back asked`) {
		set[w] = true
	}
	return set
}()

// bounded turns the markers on.
func (t *Table) bounded() {
	t.boundary = strings.ToLower(rand.Text())
	t.mark()
}

// mark makes a new marker and the search for it.
func (t *Table) mark() {
	// A page that learned the marker may write it in pieces or escaped. The search for
	// secrets finds it in any form.
	t.marker, _ = secrets.Marked(map[string]string{"marker": t.boundary}, func(string) string { return "<marker>" })
}

// Boundaries are the markers before and after a page's text, "" if markers are off.
func (t *Table) Boundaries() (begin, end string) {
	if t.marker == nil {
		return "", ""
	}
	return "[page-content " + t.boundary + "]", "[/page-content " + t.boundary + "]"
}

// bound puts the markers around one text of a page. It removes markers from the text
// first.
func (t *Table) bound(s string) string {
	if s == "" || t.marker == nil {
		return s
	}
	begin, end := t.Boundaries()
	return begin + t.marker.Mask(s) + end
}

// Bound marks a page's text that a tool writes elsewhere than into its answer. ctx is a
// handler's.
func Bound(ctx context.Context, text string) string {
	if t := tableOf(ctx); t != nil {
		return t.bound(text)
	}
	return text
}

// unbound removes markers from the parameters of a request. So text that a model copied
// from an answer means the same without them, and a page never sees one. It searches
// the decoded texts, since a client may escape them in any way.
func (t *Table) unbound(params json.RawMessage) json.RawMessage {
	if t.marker == nil {
		return params
	}
	begin, end := t.Boundaries()
	whole := strings.NewReplacer(begin, "", end, "")
	return MapStrings(params, func(s string) string {
		for {
			bare := whole.Replace(s)
			if bare == s {
				return t.marker.Mask(s) // and what is left of one, in any encoding
			}
			s = bare // removing one may have joined its surroundings into another
		}
	})
}

// reWord is a name that can't be a sentence.
var reWord = regexp.MustCompile(`^[A-Za-z_$][\w$]{0,23}$`)

// chose reports whether the caller chose a name in an answer: a word of the request.
func (r redaction) chose(name string) bool {
	if !reWord.MatchString(name) {
		return false
	}
	for rest := r.params; ; {
		i := bytes.Index(rest, []byte(name))
		if i < 0 {
			return false
		}
		end := i + len(name)
		if (i == 0 || !inWord(rest[i-1])) && (end == len(rest) || !inWord(rest[end])) {
			return true
		}
		rest = rest[end:]
	}
}

func inWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}
