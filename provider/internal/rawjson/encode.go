package rawjson

import (
	"bytes"
	"encoding/json"
)

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
