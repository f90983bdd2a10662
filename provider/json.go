package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// encoding/json matches keys whatever their case, keeps the last of two equal
// keys and accepts broken UTF-8. On the wire none of that may pass, so objects
// are split here, exactly.

// member is one key of an object with its raw value, in the order of the text.
type member struct {
	key   string
	value json.RawMessage
}

// object is a JSON object split into its members.
type object []member

// get returns the value of a key, nil if absent.
func (o object) get(key string) json.RawMessage {
	for _, m := range o {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// duplicateError names a key that stands twice in one object.
type duplicateError struct{ key string }

func (e *duplicateError) Error() string { return fmt.Sprintf("key %q is given twice", e.key) }

// checkJSON reports whether text is exactly one JSON value in valid UTF-8. A
// duplicate key anywhere is a *duplicateError; the text is JSON all the same.
func checkJSON(text []byte) error {
	if i := invalidUTF8(text); i >= 0 {
		return fmt.Errorf("invalid UTF-8 at byte %d", i+1)
	}
	if !json.Valid(text) {
		return syntaxError(text)
	}
	return checkKeys(text)
}

// checkKeys walks valid JSON and reports the first key that an object has twice.
func checkKeys(text []byte) error {
	// Most requests have few quotes; the walk allocates a string a token, so
	// it is kept for objects.
	if bytes.IndexByte(text, '{') < 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	type level struct {
		keys map[string]bool // nil in an array
		key  bool            // the next string is a key
	}
	var stack []level
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		top := len(stack) - 1
		if d, ok := tok.(json.Delim); ok {
			switch d {
			case '{':
				stack = append(stack, level{keys: map[string]bool{}, key: true})
				continue
			case '[':
				stack = append(stack, level{})
				continue
			default:
				stack = stack[:top]
				top--
			}
		} else if top >= 0 && stack[top].key {
			key := tok.(string)
			if stack[top].keys[key] {
				return &duplicateError{key}
			}
			stack[top].keys[key] = true
			stack[top].key = false
			continue
		}
		if top >= 0 && stack[top].keys != nil {
			stack[top].key = true
		}
	}
}

// splitObject splits an object into members, keys unescaped. The text must be
// valid JSON.
func splitObject(text []byte) (object, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil, fmt.Errorf("expected an object, got %s", jsonType(text))
	}
	var o object
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		o = append(o, member{tok.(string), value})
	}
	return o, nil
}

// splitArray splits an array into its raw elements.
func splitArray(text []byte) ([]json.RawMessage, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("expected an array, got %s", jsonType(text))
	}
	return list, nil
}

// jsonType names the type of a raw value in the words of an error.
func jsonType(raw []byte) string {
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

func isNull(raw []byte) bool { return raw == nil || string(bytes.TrimSpace(raw)) == "null" }

// syntaxError says where text stops being JSON.
func syntaxError(text []byte) error {
	var v json.RawMessage
	err := json.Unmarshal(text, &v)
	var s *json.SyntaxError
	if errors.As(err, &s) {
		return fmt.Errorf("%s at byte %d", s.Error(), s.Offset)
	}
	if err == nil {
		err = errors.New("not JSON")
	}
	return err
}

// invalidUTF8 is the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// encode is json.Marshal without HTML escapes and without the line feed. It
// panics on values that JSON can't hold; Table.Call has tried before.
func encode(v any) json.RawMessage {
	raw, err := tryEncode(v)
	if err != nil {
		panic(err)
	}
	return raw
}

func tryEncode(v any) (json.RawMessage, error) {
	if raw, ok := v.(json.RawMessage); ok && raw != nil {
		return lineSafe(raw), nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// lineSafe escapes U+2028 and U+2029, which stand for themselves in JSON but
// end a line for some readers of lines, Node's among them.
func lineSafe(raw json.RawMessage) json.RawMessage {
	if !bytes.Contains(raw, []byte("\u2028"[:2])) {
		return raw
	}
	raw = bytes.ReplaceAll(raw, []byte("\u2028"), []byte(`\u2028`))
	return bytes.ReplaceAll(raw, []byte("\u2029"), []byte(`\u2029`))
}
