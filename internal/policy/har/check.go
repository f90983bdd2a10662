package har

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// stray says why a name leads elsewhere than to a file beside the HAR, "" if it does
// not. It is equally strict on all systems.
func stray(name string) string {
	switch {
	case strings.ContainsRune(name, 0):
		return "it is no name of a file"
	case strings.HasPrefix(name, "/"), strings.HasPrefix(name, `\`), len(name) > 1 && name[1] == ':':
		return "it is an absolute path; a HAR may name files beside it only"
	case strings.Contains(name, `\`):
		return "it has a backslash; a HAR may name files beside it only"
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "it climbs out of the HAR's folder"
		}
	}
	if !filepath.IsLocal(name) {
		return "it is no file beside the HAR"
	}
	return ""
}

// check walks over all of the text, used or not. It checks its depth, repeated names in
// an object, of which readers differ in which they take, and every _file.
func check(raw []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowInvalidUTF8(true))
	for ended, file := false, false; ; ended = dec.StackDepth() == 0 { // file: a _file has been named
		t, err := dec.ReadToken()
		switch {
		case ended && errors.Is(err, io.EOF):
			return nil
		case ended:
			return errors.New("it is not JSON: text follows its end")
		case errors.Is(err, jsontext.ErrDuplicateName):
			twice := (*jsontext.SyntacticError)(nil)
			errors.As(err, &twice)
			return fmt.Errorf("%s occurs twice", wayOf(dec, twice.JSONPointer))
		case err != nil:
			return fmt.Errorf("it is not JSON: %w", plainly(raw, err))
		case dec.StackDepth() > MaxDepth:
			return fmt.Errorf("it is nested more than %d deep, at %s", MaxDepth, wayOf(dec, dec.StackPointer().Parent()))
		}
		if kind, n := dec.StackIndex(dec.StackDepth()); kind == '{' && n%2 == 1 {
			file = t.String() == "_file"
			continue
		}
		if v := t.String(); file && t.Kind() != 'n' && (t.Kind() != '"' || v != "") {
			why := "it is no name of a file"
			if t.Kind() == '"' {
				why = stray(v)
			}
			if why != "" {
				return &Refused{wayOf(dec, dec.StackPointer()), v, why}
			}
		}
		file = false
	}
}

// plainly is the error of a text that is no JSON, in encoding/json's words.
func plainly(raw []byte, err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return cmp.Or(json.NewDecoder(bytes.NewReader(raw)).Decode(new(json.RawMessage)), err)
}

// wayOf is the place of a value in the document: log.entries[3].response.
func wayOf(dec *jsontext.Decoder, way jsontext.Pointer) string {
	var b strings.Builder
	depth := 0
	for name := range way.Tokens() {
		if depth++; depth <= dec.StackDepth() {
			if kind, _ := dec.StackIndex(depth); kind == '[' {
				b.WriteString("[" + name + "]")
				continue
			}
		}
		b.WriteString("." + name)
	}
	s := strings.TrimPrefix(b.String(), ".")
	if len(s) > 200 {
		s = s[:200] + "…"
	}
	return s
}
