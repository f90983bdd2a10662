package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// DuplicateError is a key that one object has twice.
type DuplicateError struct{ Key string }

func (e *DuplicateError) Error() string { return fmt.Sprintf("key %q is given twice", e.Key) }

// Check reports whether text is exactly one JSON value in valid UTF-8. A duplicate key
// anywhere is a *[DuplicateError]; the text is valid JSON otherwise.
func Check(text []byte) error {
	if i := invalidUTF8(text); i >= 0 {
		return fmt.Errorf("invalid UTF-8 at byte %d", i+1)
	}
	if !json.Valid(text) {
		return syntaxError(text)
	}
	_, err := checkKeys(text, skipSpace(text, 0))
	return err
}

// checkKeys walks over the value at i of valid JSON and reports the first key that an
// object has twice. It goes as deep as json.Valid allows.
func checkKeys(text []byte, i int) (end int, err error) {
	switch text[i] {
	case '"':
		return EndOfString(text, i), nil
	case '{', '[':
	default:
		return EndOfValue(text, i), nil
	}
	var seen keys
	object := text[i] == '{'
	for i = skipSpace(text, i+1); text[i] != ']' && text[i] != '}'; {
		if object {
			end := EndOfString(text, i)
			if err := seen.add(text[i:end]); err != nil {
				return i, err
			}
			i = skipSpace(text, skipSpace(text, end)+1) // past the colon
		}
		if i, err = checkKeys(text, i); err != nil {
			return i, err
		}
		if i = skipSpace(text, i); text[i] == ',' {
			i = skipSpace(text, i+1)
		}
	}
	return i + 1, nil
}

// fewKeys is the largest number of keys that are compared one by one.
const fewKeys = 12

// keys are the keys of one object.
type keys struct {
	few  [fewKeys][]byte
	n    int
	many map[string]bool // once there are more than fewKeys
}

// add stores a key as written in the text. A repeated key is an error.
func (k *keys) add(quoted []byte) error {
	key := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(key, '\\') >= 0 {
		s, err := unquote(quoted)
		if err != nil {
			return err
		}
		key = []byte(s)
	}
	if k.many == nil {
		for _, other := range k.few[:k.n] {
			if bytes.Equal(other, key) {
				return &DuplicateError{string(key)}
			}
		}
		if k.n < fewKeys {
			k.few[k.n] = key
			k.n++
			return nil
		}
		k.many = map[string]bool{}
		for _, other := range k.few {
			k.many[string(other)] = true
		}
	}
	if k.many[string(key)] {
		return &DuplicateError{string(key)}
	}
	k.many[string(key)] = true
	return nil
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
