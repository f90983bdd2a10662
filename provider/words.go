package provider

import (
	"cmp"
	"encoding/json"
	"strings"

	"pwpipe/provider/internal/rawjson"
)

// ParseLine reads a step written as a line: the tool, then its parameters in order. 'a
// b' and "a b" are one word; in the latter \ escapes. Quotes behind = belong to a selector:
// role=button[name="Log in"] is one word, too. A line that is a JSON array or
// object is read as a step of an array.
func (t *Table) ParseLine(line string) (Request, error) {
	if line[0] == '[' || line[0] == '{' {
		if err := rawjson.Check([]byte(line)); err != nil {
			return Request{}, Errorf(KindArgs, "not JSON: %w", err)
		}
		return t.step(json.RawMessage(line))
	}
	words, err := splitWords(line)
	if err != nil {
		return Request{}, err
	}
	r := Request{Tool: words[0].text}
	tool := t.byName[r.Tool]
	if tool == nil {
		return r, Errorf(KindArgs, "there is no tool %q", r.Tool).WithHint("%s", t.Meant(r.Tool))
	}
	if len(words)-1 > len(tool.Params) {
		return r, Errorf(KindArgs, "%s takes at most %d words after it, got %d; put a text of several words in quotes",
			r.Tool, len(tool.Params), len(words)-1)
	}
	params := []json.RawMessage{}
	for i, w := range words[1:] {
		params = append(params, tool.Params[i].fromWord(w))
	}
	r.Params = rawjson.Encode(params)
	return r, nil
}

// word is one word of a line. A quoted word is always text.
type word struct {
	text   string
	quoted bool
}

// fromWord makes of a word the JSON that a parameter expects. A word that does not fit
// stays text, so that the decoder refuses it by name.
func (p Param) fromWord(w word) json.RawMessage {
	if !w.quoted && reWhole.MatchString(w.text) {
		return rawjson.Encode(w.text) // a reference, replaced later
	}
	if typeName(p.typ) == "a string" || w.quoted || !json.Valid([]byte(w.text)) {
		return rawjson.Encode(w.text)
	}
	return json.RawMessage(w.text)
}

// splitWords splits a line at white space outside quotes.
func splitWords(line string) ([]word, error) {
	var w wordSplitter
	for _, c := range line {
		w.take(c)
	}
	if w.quote != 0 || w.inner != 0 || w.escaped {
		return nil, Errorf(KindArgs, "a quote is not closed: %s", line)
	}
	w.end()
	return w.words, nil
}

// wordSplitter walks through a line once.
type wordSplitter struct {
	words   []word
	text    strings.Builder // of the current word
	in      bool            // a word has begun
	quoted  bool            // with a quote
	quote   rune            // the open quote, 0 for none
	inner   rune            // the open quote behind =, which is part of the word
	last    rune            // the character before
	escaped bool
}

func (w *wordSplitter) take(c rune) {
	defer func() { w.last = c }()
	switch {
	case w.inner != 0:
		w.text.WriteRune(c)
		if c == w.inner && w.last != '\\' {
			w.inner = 0
		}
	case w.escaped:
		w.text.WriteRune(cmp.Or(escapes[c], c))
		w.escaped = false
	case c == '\\' && w.quote == '"':
		w.escaped = true
	case w.quote != 0 && c == w.quote:
		w.quote = 0
	case w.quote != 0:
		w.text.WriteRune(c)
	case (c == '"' || c == '\'') && !w.in: // elsewhere a quote is part of a selector
		w.quote, w.in, w.quoted = c, true, true
	case (c == '"' || c == '\'') && w.last == '=':
		w.inner = c
		w.text.WriteRune(c)
	case c == ' ' || c == '\t' || c == '\r':
		w.end()
	default:
		w.text.WriteRune(c)
		w.in = true
	}
}

// end ends the word.
func (w *wordSplitter) end() {
	if w.in {
		w.words = append(w.words, word{w.text.String(), w.quoted})
		w.text.Reset()
	}
	w.in, w.quoted = false, false
}

// escapes are what stands for another character behind a \.
var escapes = map[rune]rune{'n': '\n', 't': '\t'}
