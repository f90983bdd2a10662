// Package rawjson reads JSON texts without making values of them, and exactly:
// encoding/json matches keys whatever their case, keeps the last of two equal
// keys and accepts broken UTF-8. On the wire none of that may pass.
package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Member is one key of an object with its raw value, in the order of the text.
type Member struct {
	Key   string
	Value json.RawMessage
}

// Object is a JSON object split into its members.
type Object []Member

// Get returns the value of a key, nil if absent.
func (o Object) Get(key string) json.RawMessage {
	for i := range o {
		if o[i].Key == key {
			return o[i].Value
		}
	}
	return nil
}

var errNotJSON = errors.New("not JSON")

// Split splits an object into members. Keys are unescaped; values are slices of the
// text. The text must be valid JSON.
func Split(text []byte) (Object, error) {
	i := skipSpace(text, 0)
	if i == len(text) || text[i] != '{' {
		return nil, fmt.Errorf("expected an object, got %s", TypeOf(text))
	}
	o := make(Object, 0, 8)
	for i = skipSpace(text, i+1); i < len(text) && text[i] == '"'; {
		end := EndOfString(text, i)
		key, err := unquote(text[i:end])
		if err != nil {
			return nil, err
		}
		if i = skipSpace(text, end); i == len(text) || text[i] != ':' {
			return nil, errNotJSON
		}
		i = skipSpace(text, i+1)
		if end = EndOfValue(text, i); end == i {
			return nil, errNotJSON
		}
		o = append(o, Member{key, text[i:end:end]})
		if i = skipSpace(text, end); i < len(text) && text[i] == ',' {
			i = skipSpace(text, i+1)
		}
	}
	if i == len(text) || text[i] != '}' {
		return nil, errNotJSON
	}
	return o, nil
}

// SplitArray splits an array into its elements, which are slices of the text. The text
// must be valid JSON.
func SplitArray(text []byte) ([]json.RawMessage, error) {
	i := skipSpace(text, 0)
	if i == len(text) || text[i] != '[' {
		return nil, fmt.Errorf("expected an array, got %s", TypeOf(text))
	}
	list := []json.RawMessage{}
	for i = skipSpace(text, i+1); i < len(text) && text[i] != ']'; {
		end := EndOfValue(text, i)
		if end == i {
			return nil, errNotJSON
		}
		list = append(list, text[i:end:end])
		if i = skipSpace(text, end); i < len(text) && text[i] == ',' {
			i = skipSpace(text, i+1)
		}
	}
	if i == len(text) {
		return nil, errNotJSON
	}
	return list, nil
}

// Join is the inverse of [Split].
func Join(o Object) json.RawMessage {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, Encode(m.Key)...), ':'), m.Value...)
	}
	return append(b, '}')
}

// TypeOf names the type of a raw value for errors.
func TypeOf(raw []byte) string {
	i := skipSpace(raw, 0)
	if i == len(raw) {
		return "nothing"
	}
	switch raw[i] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// IsNull reports whether a value is null or absent.
func IsNull(raw []byte) bool { return raw == nil || string(bytes.TrimSpace(raw)) == "null" }

// Text is the text of a raw string; ok is false for any other value.
func Text(raw []byte) (s string, ok bool) {
	if s, ok = Plain(raw); ok {
		return s, true
	}
	return s, TypeOf(raw) == "a string" && json.Unmarshal(raw, &s) == nil
}

// Plain is the text of a raw string without escapes, in valid UTF-8.
func Plain(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", false
	}
	inside := raw[1 : len(raw)-1]
	if bytes.IndexByte(inside, '\\') >= 0 || invalidUTF8(inside) >= 0 {
		return "", false
	}
	return string(inside), true
}

func unquote(raw []byte) (s string, err error) {
	if s, ok := Plain(raw); ok {
		return s, nil
	}
	err = json.Unmarshal(raw, &s)
	return s, err
}

func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	return i
}

// EndOfString is the index after the closing quote of the string at i.
func EndOfString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(text))
}

// EndOfValue is the index after the value at i; i if there is none.
func EndOfValue(text []byte, i int) int {
	if i < len(text) && text[i] == '"' {
		return EndOfString(text, i)
	}
	depth := 0
	for i < len(text) {
		switch text[i] {
		case '"':
			i = EndOfString(text, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // of the enclosing value
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}

// Encode is json.Marshal without HTML escapes and without the line feed. It panics on
// values that JSON can't hold; for such values use [TryEncode].
func Encode(v any) json.RawMessage {
	raw, err := TryEncode(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// TryEncode is [Encode] with an error.
func TryEncode(v any) (json.RawMessage, error) {
	switch v := v.(type) {
	case json.RawMessage:
		if v != nil {
			return lineSafe(v), nil
		}
	case string:
		if simple(v) {
			return append(append(append(make([]byte, 0, len(v)+2), '"'), v...), '"'), nil
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// simple reports whether a text needs no escapes in JSON; most need none.
func simple(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// lineSafe escapes U+2028 and U+2029. They are valid in JSON but end a line for some
// readers, Node's among them.
func lineSafe(raw json.RawMessage) json.RawMessage {
	if !bytes.Contains(raw, []byte("\u2028"[:2])) {
		return raw
	}
	raw = bytes.ReplaceAll(raw, []byte("\u2028"), []byte(`\u2028`))
	return bytes.ReplaceAll(raw, []byte("\u2029"), []byte(`\u2029`))
}

// DuplicateError is a key that one object has twice.
type DuplicateError struct{ Key string }

func (e *DuplicateError) Error() string { return fmt.Sprintf("key %q is given twice", e.Key) }

// Check reports whether text is exactly one JSON value in valid UTF-8. A duplicate key
// anywhere is a *[DuplicateError]; the text is valid JSON otherwise.
func Check(text []byte) error {
	if i := invalidUTF8(text); i >= 0 {
		return fmt.Errorf("invalid UTF-8 at byte %d", i+1)
	}
	escapes := jsontext.AllowInvalidUTF8(true) // halves of characters, which encoding/json replaces
	if jsontext.Value(text).IsValid(escapes) {
		return nil
	}
	if !json.Valid(text) {
		return syntaxError(text)
	}
	_, err := jsontext.NewDecoder(bytes.NewReader(text), escapes).ReadValue()
	if twice := (*jsontext.SyntacticError)(nil); errors.As(err, &twice) && errors.Is(err, jsontext.ErrDuplicateName) {
		return &DuplicateError{twice.JSONPointer.LastToken()}
	}
	return err
}

// syntaxError says where text stops being JSON.
func syntaxError(text []byte) error {
	var v json.RawMessage
	err := json.Unmarshal(text, &v)
	var s *json.SyntaxError
	if errors.As(err, &s) {
		return fmt.Errorf("%s at byte %d", s.Error(), s.Offset)
	}
	if err == nil {
		err = errNotJSON
	}
	return err
}

// invalidUTF8 is the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}
