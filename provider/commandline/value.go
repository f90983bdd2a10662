package commandline

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"pwpipe/provider"
	"pwpipe/provider/internal/rawjson"
)

var rawType = reflect.TypeFor[json.RawMessage]()

// valueOf makes a parameter's JSON of a word. What may be any JSON is JSON where the
// word is an object or an array, and text otherwise.
func valueOf(p provider.Param, text string) (json.RawMessage, error) {
	t := p.Type()
	switch kind := t.Kind(); {
	case t == rawType || kind == reflect.Interface:
		raw := json.RawMessage(text)
		if text != "" && strings.ContainsRune("{[", rune(text[0])) && rawjson.Check(raw) == nil {
			return raw, nil
		}
		return rawjson.Encode(text), nil
	case kind == reflect.String:
		return rawjson.Encode(text), nil
	case kind == reflect.Bool:
		if text != "true" && text != "false" {
			return nil, fmt.Errorf("expected true or false, got %q", text)
		}
		return json.RawMessage(text), nil
	case kind == reflect.Slice:
		if strings.HasPrefix(text, "[") {
			return jsonValue(text, "an array")
		}
		if t.Elem().Kind() == reflect.String {
			return rawjson.Encode([]string{text}), nil
		}
		return jsonValue("["+text+"]", "an array")
	case kind == reflect.Map || kind == reflect.Struct:
		return jsonValue(text, "an object")
	}
	return jsonValue(text, "a number")
}

// examples of the kinds of JSON.
var examples = map[string]string{"a number": "5", "an array": `["a", "b"]`, "an object": `{"a": 1}`}

func jsonValue(text, kind string) (json.RawMessage, error) {
	raw := json.RawMessage(text)
	if rawjson.Check(raw) != nil || rawjson.TypeOf(raw) != kind {
		return nil, fmt.Errorf("expected %s such as %s, got %q", kind, examples[kind], text)
	}
	return raw, nil
}

// envelopeValue is a value of what belongs to every request.
func envelopeValue(name, text string) (json.RawMessage, error) {
	if name == "page" || name == "outline" {
		return rawjson.Encode(text), nil
	}
	return jsonValue(text, "a number")
}

// Text is an answer for people and models: a text as it is, nothing of null, else JSON.
func Text(tool *provider.Tool, result provider.Result) string {
	switch v := result.Value.(type) {
	case provider.Content:
		if text, pictures := v.Content(); len(pictures) == 0 {
			return text
		}
	case provider.Piece:
		return v.ForShell()
	}
	if tool.Result == "_" || rawjson.IsNull(result.JSON) {
		return ""
	}
	if s, ok := rawjson.Text(result.JSON); ok {
		return s
	}
	return string(result.JSON)
}
