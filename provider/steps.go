package provider

import (
	"encoding/json"
	"strings"

	"pwpipe/provider/internal/rawjson"
)

// steps reads the steps of a batch: an array of steps, or a text with one step a line.
func (t *Table) steps(raw json.RawMessage) (list []Request, err error) {
	text, isText := rawjson.Text(raw)
	switch {
	case isText:
		list, err = t.stepLines(text)
	case rawjson.TypeOf(raw) == "an array":
		list, err = t.stepArray(raw)
	default:
		err = Errorf(KindArgs, "steps: expected an array or a text, got %s", rawjson.TypeOf(raw))
	}
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, Errorf(KindArgs, "steps: there are none")
	case len(list) > maxSteps:
		return nil, Errorf(KindLimit, "steps: %d are more than %d", len(list), maxSteps)
	}
	for i, r := range list {
		tool := t.byName[r.Tool]
		if tool == nil {
			return nil, Errorf(KindArgs, "steps: step %d: there is no tool %q", i+1, r.Tool).WithHint("%s", t.Meant(r.Tool))
		}
		if tool.Steps {
			return nil, Errorf(KindArgs, "steps: step %d: a batch can't hold another", i+1)
		}
	}
	return list, nil
}

func (t *Table) stepLines(text string) (list []Request, err error) {
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r, err := t.ParseLine(line)
		if err != nil {
			return nil, Errorf(KindArgs, "steps: line %d: %w", n+1, err)
		}
		list = append(list, r)
	}
	return list, nil
}

func (t *Table) stepArray(raw json.RawMessage) (list []Request, err error) {
	all, _ := rawjson.SplitArray(raw)
	for i, s := range all {
		r, err := t.step(s)
		if err != nil {
			return nil, Errorf(KindArgs, "steps[%d]: %w", i, err)
		}
		list = append(list, r)
	}
	return list, nil
}

// step reads one step: ["tool", param, …], or an object like a request.
func (t *Table) step(raw json.RawMessage) (r Request, err error) {
	if rawjson.TypeOf(raw) == "an array" {
		list, err := rawjson.SplitArray(raw)
		if err != nil || len(list) == 0 || json.Unmarshal(list[0], &r.Tool) != nil || r.Tool == "" {
			return r, Errorf(KindArgs, "expected [\"tool\", param, …]")
		}
		if len(list) > 1 {
			// A single object after the name has the parameters by name, unless the
			// tool's first parameter is an object itself.
			if len(list) == 2 && rawjson.TypeOf(list[1]) == "an object" && !t.takesObject(r.Tool, list[1]) {
				r.Params = list[1]
			} else {
				r.Params = rawjson.Encode(list[1:])
			}
		}
		return r, nil
	}
	if rawjson.TypeOf(raw) != "an object" {
		return r, Errorf(KindArgs, "expected an array or an object, got %s", rawjson.TypeOf(raw))
	}
	if raw, err = methodNamed(raw); err != nil {
		return r, err
	}
	m := t.Parse(raw)
	if m.Err != nil {
		return r, Errorf(KindArgs, "%s", strings.TrimPrefix(m.Err.Msg, "invalid request: "))
	}
	return m.Request, nil
}

// methodNamed accepts "tool" as the name of a step's tool, as the step's outcome has
// it, in place of "method".
func methodNamed(raw json.RawMessage) (json.RawMessage, error) {
	o, err := rawjson.Split(raw)
	if err != nil || o.Get("tool") == nil {
		return raw, err
	}
	if o.Get("method") != nil {
		return nil, Errorf(KindArgs, "tool and method are the same: give one of them")
	}
	for i := range o {
		if o[i].Key == "tool" {
			o[i].Key = "method"
		}
	}
	return rawjson.Join(o), nil
}

// takesObject reports whether an object must be the tool's first parameter: it has a
// key that is no parameter's name.
func (t *Table) takesObject(name string, raw json.RawMessage) bool {
	tool := t.byName[name]
	o, err := rawjson.Split(raw)
	if tool == nil || err != nil || len(tool.Params) == 0 {
		return false
	}
	for _, m := range o {
		if !tool.Has(m.Key) && !isEnvelope(m.Key) {
			return true
		}
	}
	return false
}
