package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"pwpipe/internal/text/secrets"
	"pwpipe/provider/internal/rawjson"
)

// Secrets replaces names by values in requests, and masks values in output.
type Secrets interface {
	Resolve(text string) (string, error)
	Mask(text string) string
	MaskNumber(text string) (mask string, masked bool)
}

// Verbatim is a type of text that secrets must not change: a path, for example, since a
// secret must not become a file's name.
type Verbatim interface{ Verbatim() }

// isVerbatim reports whether secrets leave a field alone.
func isVerbatim(f reflect.StructField) bool {
	t := deref(f.Type)
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return f.Tag.Get("secrets") == "no" || t.Implements(reflect.TypeFor[Verbatim]())
}

// resolve replaces the names of secrets by their values in the arguments of a call. It does so in
// the text of the client alone: what a handler passes on was resolved before, and what a reference
// of a batch has inserted may be a page's words, which must not name a secret.
func (t *Table) resolve(tool *Tool, r Request, named rawjson.Object) (rawjson.Object, error) {
	if t.options.Secrets == nil || r.part && r.written == nil {
		return named, nil
	}
	own := named
	if r.written != nil {
		a, err := splitArgs(r.written.params)
		if err == nil {
			own, err = tool.named(a)
		}
		if err != nil {
			return nil, err
		}
	}
	made := named
	for i, m := range named {
		p, text := paramNamed(tool.Params, m.Key), own.Get(m.Key)
		if p == nil || p.verbatim || !bytes.Contains(text, []byte("{{")) {
			continue
		}
		value, err := t.resolveOne(m.Key, text, r.written)
		if err != nil {
			return nil, err
		}
		if &made[0] == &named[0] { // a log shows the names
			made = slices.Clone(named)
		}
		made[i].Value = value
	}
	return made, nil
}

// resolveOne resolves the names in one argument. Names and references of a step are replaced in one
// pass, so that neither is looked for in what the other has inserted.
func (t *Table) resolveOne(key string, text json.RawMessage, from *asWritten) (json.RawMessage, error) {
	own := func(s string) (string, error) {
		out, err := t.options.Secrets.Resolve(s)
		if err != nil {
			err = Errorf(KindArgs, "%s: %w", key, err)
		}
		return out, err
	}
	if from != nil {
		return insert(from.ctx, text, from.done, own)
	}
	var failed error
	value := mapJSON(text, &shape{}, jsonMap{text: func(s string, _ *shape, name, _ bool) string {
		if name || failed != nil {
			return s
		}
		out, err := own(s)
		failed = err
		return out
	}})
	return value, failed
}

// MaskText masks the secrets in a text that is not part of a reply.
func (t *Table) MaskText(s string) string {
	if t.options.Secrets == nil {
		return s
	}
	return t.options.Secrets.Mask(s)
}

// HoldsSecret reports whether a text has the value of a secret in it. ctx is a handler's.
func HoldsSecret(ctx context.Context, text string) bool {
	t := TableOf(ctx)
	return t != nil && t.MaskText(text) != text
}

// redaction is how one JSON text is redacted for output.
type redaction struct {
	table  *Table
	marked bool            // mark page texts
	params json.RawMessage // the request, whose words the caller chose
}

// json masks secrets inside the strings of a JSON text, so that it stays valid, and
// marks page texts.
func (r redaction) json(raw json.RawMessage, of *shape) json.RawMessage {
	if raw == nil || r.table.options.Secrets == nil && !r.marked {
		return raw
	}
	m := jsonMap{text: r.text}
	if r.table.options.Secrets != nil {
		m.number = r.table.options.Secrets.MaskNumber
	}
	return mapJSON(raw, of, m)
}

func (r redaction) text(s string, at *shape, name, ours bool) string {
	if r.table.options.Secrets != nil {
		s = r.table.options.Secrets.Mask(s)
	}
	switch {
	case !r.marked || s == "":
		return s
	case name && (ours || r.chose(s)):
		return s
	case !name && (at.own == "yes" || at.own == "word" && ownWords[s]):
		return s
	}
	return r.table.bound(s)
}

// redact is the last step for a result: it masks secrets and marks page texts. A
// picture stays as it is.
func (t *Table) redact(tool *Tool, r Request, result Result, marked bool) Result {
	if _, picture := result.Value.(Image); picture || tool == nil {
		return result
	}
	marked = marked && t.marker != nil && tool.Words == PageWords
	if t.options.Secrets == nil && !marked {
		return result
	}
	masked := redaction{t, marked, r.Params}.json(result.JSON, tool.shapeOf(result.Value))
	if !bytes.Equal(masked, result.JSON) {
		return Result{JSON: masked, Value: remade(result.Value, masked, r.args.in.IsValid())}
	}
	return result
}

// redactLines masks the lines that say what an act did, and marks them: pages word parts of them.
func (t *Table) redactLines(lines []string, marked bool) []string {
	for i, s := range lines {
		s = t.MaskText(s)
		if marked && t.marker != nil {
			s = t.bound(s)
		}
		lines[i] = s
	}
	return lines
}

// shapeOf is the shape of a result: the tool's, unless the result was cut.
func (t *Tool) shapeOf(value any) *shape {
	if p, ok := value.(Piece); ok {
		return shapeOf(reflect.TypeOf(p))
	}
	return shapeOf(t.out)
}

// remade rebuilds a result that Go code takes, or that dialects encode themselves, from its redacted JSON. Any
// other result becomes that JSON.
func remade(value any, masked json.RawMessage, typed bool) any {
	_, content := value.(Content)
	_, piece := value.(Piece)
	if typed || content || piece {
		made := reflect.New(reflect.TypeOf(value))
		if json.Unmarshal(masked, made.Interface()) == nil {
			return made.Elem().Interface()
		}
	}
	return masked
}

// MaskError masks the secrets in the error of a request that did not run, nil for none.
func (t *Table) MaskError(err *Error) *Error { return t.redactError(err, false) }

// redactError is redact for an error, nil for none. It drops the wrapped error, which
// could contain the same texts.
func (t *Table) redactError(err *Error, marked bool) *Error {
	if err == nil || t.options.Secrets == nil && t.marker == nil {
		return err
	}
	e := *err
	e.Err = nil
	for _, s := range []*string{&e.Msg, &e.Hint, &e.URL, &e.Log} {
		*s = t.MaskText(*s)
	}
	if marked {
		t.markError(&e)
	}
	return &e
}

// markError marks the parts of an error that a page may have written. In an error of a
// tool these are all parts except the tool's name, the hint and the page's handle.
func (t *Table) markError(e *Error) {
	if t.marker == nil || e.by == nil || e.by.Words == OwnWords {
		return
	}
	e.URL, e.Log = t.bound(e.URL), t.bound(e.Log)
	switch e.Kind {
	case KindCancelled, KindUnavailable, KindLimit: // written by pwpipe
		return
	}
	head := e.by.Name + ": "
	if rest, ok := strings.CutPrefix(e.Msg, head); ok {
		e.Msg = head + t.bound(rest)
	} else {
		e.Msg = t.bound(e.Msg)
	}
}

// redactEvent is redact for an event.
func (t *Table) redactEvent(event any) (json.RawMessage, error) {
	raw, err := rawjson.TryEncode(event)
	if err != nil {
		return nil, err
	}
	return redaction{t, t.marker != nil, nil}.json(raw, shapeOf(reflect.TypeOf(event))), nil
}

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
	if t := TableOf(ctx); t != nil {
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
