package provider

import (
	"encoding/json"
	"reflect"

	"pwpipe/provider/internal/rawjson"
)

// knownIn leaves out the members that are no parameters, in objects within too. A member that
// has a parameter's other name (the tag also) gets its own, if that is not given as well.
func knownIn(params []Param, o rawjson.Object) rawjson.Object {
	own := make(rawjson.Object, 0, len(o))
	for _, m := range o {
		p := paramNamed(params, m.Key)
		if p == nil {
			p = paramAlso(params, m.Key)
			if p == nil || o.Get(p.Name) != nil || own.Get(p.Name) != nil {
				continue
			}
		}
		own = append(own, rawjson.Member{Key: p.Name, Value: knownWithin(p.Type(), m.Value)})
	}
	return own
}

// paramAlso finds a parameter by its other name, nil if there is none.
func paramAlso(params []Param, name string) *Param {
	for i := range params {
		if params[i].also != "" && params[i].also == name {
			return &params[i]
		}
	}
	return nil
}

// knownWithin is knownIn for the objects of a value. A value of another type stays: reading it
// says what is wrong.
func knownWithin(t reflect.Type, raw json.RawMessage) json.RawMessage {
	switch t = deref(t); {
	case t.Kind() == reflect.Struct:
		if o, err := rawjson.Split(raw); err == nil {
			return rawjson.Join(knownIn(knownParams(t), o))
		}
	case t.Kind() == reflect.Slice && deref(t.Elem()).Kind() == reflect.Struct:
		list, err := rawjson.SplitArray(raw)
		if err != nil || rawjson.IsNull(raw) {
			return raw
		}
		for i := range list {
			list[i] = knownWithin(t.Elem(), list[i])
		}
		return rawjson.Encode(list)
	}
	return raw
}
