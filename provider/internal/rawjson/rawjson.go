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

// lax are the rules of a reader: [Check] has checked what it reads, or an answer quotes it.
var lax = jsontext.AllowDuplicateNames(true)

// escapes allows halves of characters in escapes, which encoding/json replaces.
var escapes = jsontext.AllowInvalidUTF8(true)

// Read returns a reader of the tokens of text, which must be valid JSON.
func Read(text []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text), lax, escapes)
}

// begin is Read inside of an object or an array.
func begin(text []byte, kind jsontext.Kind, want string) (*jsontext.Decoder, error) {
	r := Read(text)
	if r.PeekKind() != kind {
		return nil, fmt.Errorf("expected %s, got %s", want, TypeOf(text))
	}
	_, err := r.ReadToken()
	return r, err
}

// next is the next value, a slice of the text.
func next(r *jsontext.Decoder, text []byte) (json.RawMessage, error) {
	value, err := r.ReadValue()
	end := int(r.InputOffset())
	if err != nil {
		return nil, errNotJSON
	}
	return text[end-len(value) : end : end], nil
}

// Split splits an object into members. Keys are unescaped; values are slices of the
// text. The text must be valid JSON.
func Split(text []byte) (Object, error) {
	r, err := begin(text, '{', "an object")
	if err != nil {
		return nil, err
	}
	o := make(Object, 0, 8)
	for r.PeekKind() != '}' {
		key, err := r.ReadToken()
		if err != nil {
			return nil, errNotJSON
		}
		m := Member{Key: key.String()}
		if m.Value, err = next(r, text); err != nil {
			return nil, err
		}
		o = append(o, m)
	}
	return o, nil
}

// SplitArray splits an array into its elements, which are slices of the text. The text
// must be valid JSON.
func SplitArray(text []byte) ([]json.RawMessage, error) {
	r, err := begin(text, '[', "an array")
	if err != nil {
		return nil, err
	}
	list := []json.RawMessage{}
	for r.PeekKind() != ']' {
		value, err := next(r, text)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
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
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
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
	err := json.Unmarshal(text, new(json.RawMessage))
	var s *json.SyntaxError
	if errors.As(err, &s) {
		return fmt.Errorf("%s at byte %d", s.Error(), s.Offset)
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
