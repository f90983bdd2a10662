// Package strictjson decodes JSON that may be hostile into structs of ours.
//
// encoding/json matches names whatever their case, folds look-alikes such as U+017F,
// keeps the last of two equal names and drops members that no field takes. Each of
// these lets a sender say one thing to a check and another to what runs after it.
package strictjson

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// exact are the rules: names match exactly, each name occurs once, and every member has a
// field. Broken UTF-16, which a script's texts may hold, is replaced as
// JavaScript's own encoder does.
var exact = json.JoinOptions(json.RejectUnknownMembers(true), jsontext.AllowDuplicateNames(false), jsontext.AllowInvalidUTF8(true))

// Decode decodes text, which is one JSON value, into a pointer. No text at all is an
// empty object. The struct must be one of ours: a library's struct may have fields that
// open files, and gains more with each version.
func Decode(text []byte, into any) error {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}")
	}
	err := json.Unmarshal(text, into, exact)
	var semantic *json.SemanticError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, json.ErrUnknownName) && errors.As(err, &semantic):
		return fmt.Errorf("unknown member %q", semantic.JSONPointer.LastToken())
	case errors.As(err, &semantic):
		where := strings.TrimPrefix(string(semantic.JSONPointer), "/")
		return fmt.Errorf("%s: %s is not expected here", cmp.Or(where, "the value"), kinds[semantic.JSONKind])
	}
	return err
}

var kinds = map[jsontext.Kind]string{jsontext.KindNull: "null", jsontext.KindFalse: "a boolean", jsontext.KindTrue: "a boolean",
	jsontext.KindString: "a string", jsontext.KindNumber: "this number",
	jsontext.KindBeginObject: "an object", jsontext.KindBeginArray: "an array"}
