package provider

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"pwpipe/provider/internal/rawjson"
)

// args are the params of a request by name or by position, split once, or those of Go code.
type args struct {
	in    reflect.Value   // of Go code: the parameters' struct
	of    json.RawMessage // the text that they come from
	named rawjson.Object
	list  []json.RawMessage
}

// Named is a request with params by name. They are not split again.
func Named(tool string, params rawjson.Object) Request { return Request{Tool: tool}.with(params) }
func (r Request) with(params rawjson.Object) Request {
	r.Params = rawjson.Join(params)
	r.args = args{of: r.Params, named: params}
	return r
}

// Members are the params of a request of [Named] or [Tool.ByName].
func (r Request) Members() rawjson.Object { return r.args.named }

// split splits the params of a request. It does nothing if reading the request has
// split them.
func (r *Request) split() (err error) {
	if same(r.args.of, r.Params) {
		return nil
	}
	if r.Params != nil && !json.Valid(r.Params) {
		return Errorf(KindArgs, "params: not JSON")
	}
	r.args, err = splitArgs(r.Params)
	return err
}

// splitArgs splits params that are valid JSON.
func splitArgs(params json.RawMessage) (a args, err error) {
	a.of = params
	switch kind := rawjson.TypeOf(params); {
	case rawjson.IsNull(params):
	case kind == "an object":
		a.named, err = rawjson.Split(params)
	case kind == "an array":
		a.list, err = rawjson.SplitArray(params)
	default:
		err = Errorf(KindArgs, "params: expected an object or an array, got %s", kind)
	}
	return a, err
}

// same reports whether two texts are the same memory.
func same(a, b json.RawMessage) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// arg is one argument of a call, nil if it is not given.
func (t *Tool) arg(a args, name string) json.RawMessage {
	if a.named != nil {
		return a.named.Get(name)
	}
	for i, raw := range a.list {
		if i < len(t.Params) && t.Params[i].Name == name {
			return raw
		}
	}
	return nil
}

// named gives positional arguments their names.
func (t *Tool) named(a args) (rawjson.Object, error) {
	if a.list == nil {
		return a.named, nil
	}
	if len(a.list) > len(t.Params) {
		return nil, Errorf(KindArgs, "takes at most %d, got %d", len(t.Params), len(a.list)).WithHint("%s", t.takes())
	}
	o := make(rawjson.Object, len(a.list))
	for i, v := range a.list {
		o[i] = rawjson.Member{Key: t.Params[i].Name, Value: v}
	}
	return o, nil
}

// takes lists the tool's parameters for an error.
func (t *Tool) takes() string {
	return t.Name + " takes " + cmp.Or(t.paramList(), "no parameters")
}

// paramList names the parameters: "sel, state?", optional ones with a question mark.
func (t *Tool) paramList() string {
	var names []string
	for _, p := range t.Params {
		if p.Optional {
			p.Name += "?"
		}
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// envelope moves page, timeout, max and session_id from the named arguments to the
// request. A tool's own parameter with such a name stays. A lenient tool takes only its
// session there: to its callers the others are unknown members.
func (t *Tool) envelope(r Request) (Request, error) {
	if err := r.split(); err != nil {
		return r, err
	}
	rest := make(rawjson.Object, 0, len(r.args.named))
	for _, m := range r.args.named {
		if !isEnvelope(m.Key) || t.Has(m.Key) || t.Lenient && m.Key != "session_id" {
			rest = append(rest, m)
		} else if err := r.set(m.Key, m.Value, t.TimeoutUnit); err != nil {
			return r, err
		}
	}
	if len(rest) < len(r.args.named) {
		r = r.with(rest)
	}
	return r, nil
}

// ownEnvelope takes max and outline from a tool's own parameters of these names, which
// mean the same.
func (t *Tool) ownEnvelope(r *Request, in reflect.Value) {
	if p := paramNamed(t.Params, "max"); p != nil && p.typ.Kind() == reflect.Int {
		r.Max = max(r.Max, int(in.FieldByIndex(p.index).Int()))
	}
	if p := paramNamed(t.Params, "outline"); p != nil && p.typ.Kind() == reflect.String {
		r.Outline = cmp.Or(in.FieldByIndex(p.index).String(), r.Outline)
	}
}

// isEnvelope reports whether a key belongs to every request.
func isEnvelope(key string) bool {
	return key == "page" || key == "timeout" || key == "max" || key == "outline" || key == "session_id"
}

// Ask sets a key that belongs to every request: page, timeout, max, outline or session_id.
func (t *Tool) Ask(r *Request, key string, value json.RawMessage) error {
	if err := r.set(key, value, t.TimeoutUnit); err != nil {
		return badArguments(t, err)
	}
	return nil
}

// SessionOf is the session that a request names, beside its params or among them. It
// ignores invalid params: the call reports them.
func (t *Tool) SessionOf(r Request) (string, error) {
	if r.split() != nil {
		return r.Session, nil
	}
	if raw := t.arg(r.args, "session_id"); raw != nil {
		if err := t.Ask(&r, "session_id", raw); err != nil {
			return "", err
		}
	}
	return r.Session, nil
}

// maxTimeout is the longest timeout that a caller may set. It is short enough to catch
// milliseconds given as seconds: 30000 is refused.
const maxTimeout = time.Hour

// set takes one key of the envelope.
func (r *Request) set(key string, raw json.RawMessage, unit time.Duration) error {
	if rawjson.IsNull(raw) {
		return nil
	}
	switch key {
	case "max":
		if json.Unmarshal(raw, &r.Max) != nil || r.Max < 1 {
			return Errorf(KindArgs, "max: expected a whole number of characters above 0, got %s", raw)
		}
	case "timeout":
		return r.setTimeout(raw, unit)
	case "outline":
		return r.setOutline(raw)
	default:
		s, ok := rawjson.Text(raw)
		if !ok || s == "" {
			return Errorf(KindArgs, "%s: expected a handle such as \"p1\", got %s", key, rawjson.TypeOf(raw))
		}
		if key == "page" {
			r.Page = s
		} else {
			r.Session = s
		}
	}
	return nil
}

func (r *Request) setTimeout(raw json.RawMessage, unit time.Duration) error {
	var n float64
	if json.Unmarshal(raw, &n) != nil || n <= 0 || n*float64(unit) > float64(maxTimeout) {
		e := Errorf(KindArgs, "timeout: expected a number of %s above 0 (at most an hour), got %s", UnitName(unit), raw)
		if unit == time.Second && n >= 1000 {
			e = e.WithHint("the unit is seconds: %s milliseconds are %g", raw, n/1000)
		}
		return e
	}
	r.Timeout = max(time.Duration(n*float64(unit)), time.Millisecond)
	return nil
}

func (r *Request) setOutline(raw json.RawMessage) error {
	s, _ := rawjson.Text(raw)
	switch {
	case !r.Tell:
		return Errorf(KindArgs, "outline: only acts over MCP and in a shell answer one; call snapshot")
	case s != "diff" && s != "whole" && s != "none":
		return Errorf(KindArgs, "outline: expected diff, whole or none, got %s", raw)
	}
	r.Outline = s
	return nil
}

// UnitName names a unit of a tool's timeouts.
func UnitName(unit time.Duration) string {
	if unit == time.Millisecond {
		return "milliseconds"
	}
	return "seconds"
}

// ByName has all of a request among its params, each by its name: also what stands beside
// them, such as the page.
func (t *Tool) ByName(r Request) (Request, error) {
	if err := r.split(); err != nil {
		return r, badArguments(t, err)
	}
	named, err := t.named(r.args)
	if err != nil {
		return r, badArguments(t, err)
	}
	named = slices.Clone(named)
	add := func(key string, value any, given bool) {
		if given && !t.Has(key) {
			named = append(named, rawjson.Member{Key: key, Value: rawjson.Encode(value)})
		}
	}
	add("page", r.Page, r.Page != "")
	add("timeout", float64(r.Timeout)/float64(t.TimeoutUnit), r.Timeout > 0)
	add("max", r.Max, r.Max > 0)
	return r.with(named), nil
}
