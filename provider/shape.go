package provider

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"pwpipe/provider/internal/rawjson"
)

// shape is what a Go type says about the JSON made from it: which names are ours, and
// which texts no page wrote. The zero shape is JSON that a page may have written.
type shape struct {
	fields  map[string]*shape // of a struct, by name; nil for other types
	elem    *shape            // of a list, or of a map, whose names are not ours
	picture bool              // nobody reads it as text: an Image, or a field with own:"picture"
	// own is the tag of that name: "yes" for a text of pwpipe or the caller, "word" for
	// a text of the browser if it is one of ownWords.
	own  string
	keys map[string]bool // names of the format of JSON below: the tag of that name
}

var (
	shapes    sync.Map // reflect.Type: *shape
	imageType = reflect.TypeFor[Image]()
	worded    = reflect.TypeFor[encoding.TextMarshaler]()
)

// shapeOf reads a type.
func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s := readShape(t, map[reflect.Type]*shape{})
	shapes.Store(t, s)
	return s
}

func readShape(t reflect.Type, above map[reflect.Type]*shape) *shape {
	switch {
	case t == imageType:
		return &shape{picture: true}
	case t == rawType || t.Implements(worded):
		return &shape{}
	case above[t] != nil: // a recursive type
		return above[t]
	}
	switch t.Kind() {
	case reflect.Pointer:
		return readShape(t.Elem(), above)
	case reflect.Slice, reflect.Array, reflect.Map:
		return &shape{elem: readShape(t.Elem(), above)}
	case reflect.Struct:
	default:
		return &shape{}
	}
	s := &shape{fields: map[string]*shape{}}
	above[t] = s
	defer delete(above, t)
	for _, f := range fieldsIn(t) {
		name, _ := jsonName(f)
		if name == "" {
			name = f.Name
		}
		s.fields[name] = fieldShape(f, above)
	}
	return s
}

// fieldShape is the shape of a field's value, with its tags.
func fieldShape(f reflect.StructField, above map[reflect.Type]*shape) *shape {
	field := *readShape(f.Type, above)
	if own := f.Tag.Get("own"); own != "" {
		field.own, field.picture = own, own == "picture"
		if field.elem != nil { // a list of such texts
			field.elem = &shape{own: own}
		}
	}
	if keys := f.Tag.Get("keys"); keys != "" {
		field.keys = map[string]bool{}
		for _, k := range strings.Split(keys, ",") {
			field.keys[k] = true
		}
	}
	return &field
}

// member is the shape of a value in an object, and whether its name is ours.
func (s *shape) member(key string) (value *shape, ours bool) {
	switch {
	case s.fields != nil:
		if f := s.fields[key]; f != nil {
			return f, true
		}
		return &shape{}, false
	case s.elem != nil:
		return s.elem, false
	}
	return s, s.keys[key]
}

// item is the shape of a value in an array.
func (s *shape) item() *shape {
	if s.elem != nil {
		return s.elem
	}
	return &shape{keys: s.keys}
}

// jsonMap maps the strings and numbers of a JSON text. With value it has no other function.
type jsonMap struct {
	value func(text json.RawMessage) json.RawMessage // maps a string that is no name
	// text maps a string with the shape of its value. For a name, ours says whether the
	// name is ours.
	text   func(s string, at *shape, name, ours bool) string
	number func(text string) (mask string, changed bool)
}

// mapJSON maps the strings of valid JSON with a shape, and copies everything else
// unchanged.
func mapJSON(raw json.RawMessage, of *shape, m jsonMap) json.RawMessage {
	w := jsonWalk{Decoder: rawjson.Read(raw), raw: raw, m: m, next: []*shape{of}}
	for w.step() {
	}
	if w.out == nil {
		return raw
	}
	return append(w.out, raw[w.from:]...)
}

// MapStrings maps the strings and names of a JSON text.
func MapStrings(raw json.RawMessage, fn func(string) string) json.RawMessage {
	return mapJSON(raw, &shape{}, jsonMap{text: func(s string, _ *shape, _, _ bool) string { return fn(s) }})
}

// jsonWalk walks through a JSON text once.
type jsonWalk struct {
	*jsontext.Decoder
	raw  json.RawMessage
	m    jsonMap
	out  []byte   // the rewritten text so far; nil while nothing has changed
	from int      // start of the part of raw that is not in out yet
	in   []*shape // of the objects and arrays that the walk is in
	next []*shape // of the next value, there and outside
}

// step takes one token, or a picture. It reports whether there was one.
func (w *jsonWalk) step() bool {
	top := len(w.in)
	at := w.next[top]
	switch kind := w.PeekKind(); {
	case kind == 0:
		return false
	case kind == '}' || kind == ']':
		w.in, w.next = w.in[:top-1], w.next[:top]
	case kind == '{' || kind == '[':
		if at.picture {
			return w.SkipValue() == nil
		}
		w.in = append(w.in, at)
		w.next = append(w.next, at.item())
	case kind == '"', kind == '0' && w.m.number != nil:
		return w.scalar(top, at, kind == '"')
	}
	_, err := w.ReadToken()
	return err == nil
}

// scalar takes a string, a name or a number.
func (w *jsonWalk) scalar(top int, at *shape, text bool) bool {
	v, err := w.ReadValue()
	if err != nil {
		return false
	}
	if !text {
		if mask, ok := w.m.number(string(v)); ok {
			w.replace(v, rawjson.Encode(mask))
		}
		return true
	}
	s, _ := rawjson.Text(v)
	name, ours := false, false
	if in, n := w.StackIndex(top); in == '{' && n%2 == 1 {
		name = true
		at, ours = w.in[top-1].member(s)
		w.next[top] = at
	}
	switch {
	case name && w.m.value != nil, !name && at.picture:
		return true
	case w.m.value != nil:
		w.replace(v, w.m.value(json.RawMessage(v)))
		return true
	}
	if mapped := w.m.text(s, at, name, ours); mapped != s {
		w.replace(v, rawjson.Encode(mapped))
	}
	return true
}

// replace replaces the value that was read last.
func (w *jsonWalk) replace(value jsontext.Value, with json.RawMessage) {
	end := int(w.InputOffset())
	w.out = append(append(w.out, w.raw[w.from:end-len(value)]...), with...)
	w.from = end
}
