package provider

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"

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

// jsonMap maps the strings and numbers of a JSON text.
type jsonMap struct {
	// text maps a string with the shape of its value. For a name, ours says whether the
	// name is ours.
	text   func(s string, at *shape, name, ours bool) string
	number func(text string) (mask string, changed bool)
}

// container is an object or an array that the walk is in.
type container struct {
	of     *shape
	value  *shape // of the next value
	object bool
	name   bool // a name comes next
}

// mapJSON maps the strings of valid JSON with a shape, and copies everything else
// unchanged.
func mapJSON(raw json.RawMessage, of *shape, m jsonMap) json.RawMessage {
	w := jsonWalk{raw: raw, m: m, top: container{value: of}}
	for w.at < len(raw) {
		w.step()
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
	raw   json.RawMessage
	m     jsonMap
	at    int
	out   []byte // the rewritten text so far; nil while nothing has changed
	from  int    // start of the part of raw that is not in out yet
	above []container
	top   container
}

func (w *jsonWalk) step() {
	switch c := w.raw[w.at]; {
	case c == '"':
		w.string()
	case c == '{' || c == '[':
		w.enter(c == '{')
	case c == '}' || c == ']':
		w.top, w.above = w.above[len(w.above)-1], w.above[:len(w.above)-1]
		w.at++
	case c == ',':
		w.top.name = w.top.object
		w.at++
	case w.m.number != nil && (c == '-' || c >= '0' && c <= '9'):
		end := w.at + 1
		for end < len(w.raw) && strings.IndexByte("+-.eE0123456789", w.raw[end]) >= 0 {
			end++
		}
		if mask, ok := w.m.number(string(w.raw[w.at:end])); ok {
			w.replace(end, mask)
		}
		w.at = end
	default:
		w.at++
	}
}

// enter goes into an object or an array, and skips a picture.
func (w *jsonWalk) enter(object bool) {
	of := w.top.value
	if of.picture {
		w.at = rawjson.EndOfValue(w.raw, w.at)
		return
	}
	w.above = append(w.above, w.top)
	w.top = container{of: of, object: object, name: object}
	if !object {
		w.top.value = of.item()
	}
	w.at++
}

func (w *jsonWalk) string() {
	end := rawjson.EndOfString(w.raw, w.at)
	s, ok := rawjson.Text(w.raw[w.at:end])
	if !ok {
		w.at = end
		return
	}
	name, ours := w.top.name, false
	if name {
		w.top.value, ours = w.top.of.member(s)
		w.top.name = false
	}
	if !name && w.top.value.picture {
		w.at = end
		return
	}
	if n := w.m.text(s, w.top.value, name, ours); n != s {
		w.replace(end, n)
	}
	w.at = end
}

// replace replaces the value that ends there.
func (w *jsonWalk) replace(end int, with string) {
	w.out = append(append(w.out, w.raw[w.from:w.at]...), rawjson.Encode(with)...)
	w.from = end
}
