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

// Words says whose words a tool's answers and errors are.
type Words int

// Whose words. Unless a tool says otherwise a page may have had part in them,
// and they are marked.
const (
	PageWords  Words = iota
	OwnAnswers       // answers are pwpipe's and the caller's; errors may quote a page
	OwnWords         // answers and errors are
)

// ownWords are what the browser, not a page, calls things: where a field is
// said to hold one of them (own:"word"), it is marked if it does not.
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

// bounded begins to mark what pages say.
func (t *Table) bounded() {
	t.boundary = strings.ToLower(rand.Text())
	t.mark()
}

// mark begins to look for the marker.
func (t *Table) mark() {
	// A page that learned the marker may write it, in pieces or escaped: it is
	// found as a secret is.
	t.marker, _ = secrets.Marked(map[string]string{"marker": t.boundary}, func(string) string { return "<marker>" })
}

// Boundaries are the markers before and after what a page said, "" where they
// are off.
func (t *Table) Boundaries() (begin, end string) {
	if t.marker == nil {
		return "", ""
	}
	return "[page-content " + t.boundary + "]", "[/page-content " + t.boundary + "]"
}

// bound marks one text of a page. The marker can't be part of it.
func (t *Table) bound(s string) string {
	if s == "" || t.marker == nil {
		return s
	}
	begin, end := t.Boundaries()
	return begin + t.marker.Mask(s) + end
}

// Bound marks what a page worded in a text that a tool writes elsewhere than
// into its answer. ctx is a handler's.
func Bound(ctx context.Context, text string) string {
	if t := tableOf(ctx); t != nil {
		return t.bound(text)
	}
	return text
}

// unbound takes the markers out of the parameters of a request: what a model
// copies from an answer means the same without them, and a page never sees one. It
// reads what the texts say: their escapes are the client's choice.
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
				return t.marker.Mask(s) // and what is left of one, however it is written
			}
			s = bare // may have made another one of what stood around it
		}
	})
}

// reWord is a name that can't be a sentence.
var reWord = regexp.MustCompile(`^[A-Za-z_$][\w$]{0,23}$`)

// chose reports whether a name in an answer is the caller's: a word of the
// request.
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
