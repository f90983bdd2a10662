package har

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// object is a JSON object of a HAR, with its path for errors. Members are found by
// their exact names: a struct of encoding/json would take _File for _file.
type object struct {
	way     string
	raw     json.RawMessage
	members map[string]json.RawMessage // of raw, once they have been needed
}

// at is the path of a member.
func (o object) at(name string) string {
	if o.way == "" {
		return name
	}
	return o.way + "." + name
}

func (o object) wrong(name, want string) error {
	return fmt.Errorf("%s: expected %s", o.at(name), want)
}

// has reports whether there is such a member, and it is not null.
func (o object) has(name string) bool {
	raw, ok := o.members[name]
	return ok && string(raw) != "null"
}

// opened is an object with its members read.
func opened(way string, raw json.RawMessage) (object, error) {
	o := object{way: way, raw: raw}
	if err := json.Unmarshal(raw, &o.members); err != nil || o.members == nil {
		return o, fmt.Errorf("%s: expected an object", way)
	}
	return o, nil
}

// object is a member that must exist.
func (o object) object(name string) (object, error) {
	if o.members == nil { // the document itself
		var err error
		if o.members, err = membersOf(o.raw); err != nil {
			return o, err
		}
	}
	if !o.has(name) {
		return object{}, o.wrong(name, "an object, and there is none")
	}
	return opened(o.at(name), o.members[name])
}

func membersOf(raw json.RawMessage) (m map[string]json.RawMessage, err error) {
	if err = json.Unmarshal(raw, &m); err != nil || m == nil {
		return nil, fmt.Errorf("it is not a HAR: expected an object with the member log")
	}
	return m, nil
}

// list is a member that is a list of objects; empty if missing.
func (o object) list(name string) ([]object, error) {
	if !o.has(name) {
		return nil, nil
	}
	var all []json.RawMessage
	if err := json.Unmarshal(o.members[name], &all); err != nil {
		return nil, o.wrong(name, "a list")
	}
	out := make([]object, len(all))
	for i, raw := range all {
		var err error
		if out[i], err = opened(o.at(name)+"["+strconv.Itoa(i)+"]", raw); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// text is a member that is a string; empty if missing.
func (o object) text(name string) (s string, err error) {
	if !o.has(name) {
		return "", nil
	}
	if err := json.Unmarshal(o.members[name], &s); err != nil {
		return "", o.wrong(name, "a string")
	}
	return s, nil
}

// number is a member that is a whole number.
func (o object) number(name string) (int, error) {
	var f float64
	if err := json.Unmarshal(o.members[name], &f); err != nil || !whole(f) {
		return 0, o.wrong(name, "a whole number")
	}
	return int(f), nil
}
