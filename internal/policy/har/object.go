package har

import (
	"encoding/json"
	"fmt"
	"math"
)

// object is a JSON object of a HAR, with its path for errors. Members are found by
// their exact names: a struct of encoding/json would take _File for _file. What is wrong
// reads as if it were missing.
type object struct {
	way     string
	members map[string]json.RawMessage
	err     *error // the first error of all objects of a HAR
}

func opened(err *error, way string, raw json.RawMessage) object {
	o := object{way: way, err: err}
	if json.Unmarshal(raw, &o.members) != nil || o.members == nil {
		o.fail(fmt.Errorf("%s: expected an object", way))
	}
	return o
}

// at is the path of a member.
func (o object) at(name string) string {
	if o.way == "" {
		return name
	}
	return o.way + "." + name
}

// fail notes an error, unless there is one.
func (o object) fail(err error) {
	if *o.err == nil {
		*o.err = err
	}
}

func (o object) wrong(name, want string) { o.fail(fmt.Errorf("%s: expected %s", o.at(name), want)) }

// has reports whether there is such a member, and it is not null.
func (o object) has(name string) bool {
	raw, ok := o.members[name]
	return ok && string(raw) != "null"
}

// read decodes a member, if there is one.
func (o object) read(name, want string, to any) {
	if o.has(name) && json.Unmarshal(o.members[name], to) != nil {
		o.wrong(name, want)
	}
}

// object is a member that must exist.
func (o object) object(name string) object {
	if !o.has(name) {
		o.wrong(name, "an object, and there is none")
		return object{err: o.err}
	}
	return opened(o.err, o.at(name), o.members[name])
}

// list is a member that is a list of objects; empty if missing.
func (o object) list(name string) []object {
	var all []json.RawMessage
	o.read(name, "a list", &all)
	out := make([]object, len(all))
	for i, raw := range all {
		out[i] = opened(o.err, fmt.Sprintf("%s[%d]", o.at(name), i), raw)
	}
	return out
}

// text is a member that is a string; empty if missing.
func (o object) text(name string) (s string) {
	o.read(name, "a string", &s)
	return s
}

// number is a member that is a whole number; nil if missing.
func (o object) number(name string) *int {
	if !o.has(name) {
		return nil
	}
	var f float64
	if json.Unmarshal(o.members[name], &f) != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<31 {
		o.wrong(name, "a whole number")
	}
	n := int(f)
	return &n
}
