package devtools

import (
	"encoding/json"
	"strings"
)

// remoteObject is a value in the page: Runtime.RemoteObject.
type remoteObject struct {
	Type, Subtype       string
	Value               json.RawMessage
	UnserializableValue string
	Description         string
	ObjectID            string
	Preview             *objectPreview
}

type objectPreview struct {
	Type, Subtype, Description string
	Overflow                   bool
	Properties                 []propertyPreview
	Entries                    []struct{ Key, Value *objectPreview }
}

type propertyPreview struct {
	Name, Type, Subtype, Value string
	ValuePreview               *objectPreview
}

// String is the property's value.
func (f propertyPreview) String() string {
	switch {
	case f.ValuePreview != nil && f.ValuePreview.Description != "":
		return f.ValuePreview.String()
	case f.Type == "string":
		return quote(f.Value)
	case f.Type == "function":
		return "ƒ"
	}
	return f.Value
}

// exceptionDetails is an exception of a script: Runtime.ExceptionDetails.
type exceptionDetails struct {
	Text       string
	Exception  *remoteObject
	LineNumber int // from 0
}

// evaluation is the reply to what runs a script.
type evaluation struct {
	Result           remoteObject
	ExceptionDetails *exceptionDetails
}

// Error is the first line of what was thrown.
func (e *exceptionDetails) Error() string {
	text := e.Text
	if x := e.Exception; x != nil && x.Description != "" {
		text = x.Description
	} else if x != nil && len(x.Value) > 0 {
		text = "threw " + string(x.Value)
	}
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimPrefix(line, "Uncaught ")
}

// How much of a value a preview shows, in characters.
const (
	maxString  = 200
	maxPreview = 300
)

// preview is a value for people: a primitive as it is, anything else as a short text.
func (p *Page) preview(o *remoteObject) any {
	switch {
	case o.UnserializableValue != "": // NaN, -0, 10n
		return o.UnserializableValue
	case o.Type == "undefined":
		return "undefined"
	case o.Type == "string":
		var s string
		_ = json.Unmarshal(o.Value, &s)
		return p.cut(s, maxString)
	case o.ObjectID == "" && len(o.Value) > 0:
		return o.Value
	case o.Type == "function":
		head, _, _ := strings.Cut(o.Description, "{")
		return p.cut(strings.TrimSpace(head), maxString)
	case o.Subtype == "error":
		line, _, _ := strings.Cut(o.Description, "\n")
		return p.cut(line, maxString)
	case o.Preview != nil:
		return p.cut(o.Preview.String(), maxPreview)
	}
	return p.cut(o.Description, maxString)
}

// String is the preview as the console shows it.
func (p *objectPreview) String() string {
	switch p.Subtype {
	case "", "array", "map", "set", "typedarray", "weakmap", "weakset", "arraybuffer":
	default:
		return p.Description
	}
	var parts []string
	for _, e := range p.Entries {
		s := e.Value.String()
		if e.Key != nil {
			s = e.Key.String() + " => " + s
		}
		parts = append(parts, s)
	}
	if p.Subtype != "map" && p.Subtype != "set" { // of those it is the size, which the description has
		for _, f := range p.Properties {
			s := f.String()
			if p.Subtype != "array" && p.Subtype != "typedarray" {
				s = f.Name + ": " + s
			}
			parts = append(parts, s)
		}
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	return p.wrap(strings.Join(parts, ", "))
}

func (p *objectPreview) wrap(inside string) string {
	switch {
	case p.Type != "object" && p.Type != "":
		if p.Type == "string" {
			return quote(p.Description)
		}
		return p.Description
	case p.Subtype == "array":
		return "[" + inside + "]"
	case p.Description == "Object" || p.Description == "":
		return "{" + inside + "}"
	}
	return p.Description + " {" + inside + "}"
}

func quote(s string) string {
	raw, _ := json.Marshal(s) // a string can always be encoded
	return string(raw)
}
