package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"pwpipe/provider/internal/rawjson"
)

// BatchParams are the parameters of the tool batch.
type BatchParams struct {
	Steps   json.RawMessage `json:"steps" secrets:"no" doc:"array of steps, each [\"tool\", param, …] or {\"tool\" or \"method\", \"params\", \"page\", \"timeout\"}; or a text with a step a line, such as: fill #name \"Ada Albers\". A step may take what an earlier one answered: $1, $2.title; ${1} inside a text; $$1 is the text $1"`
	OnError string          `json:"on_error,omitempty" doc:"after a failed step: stop answers an error, continue runs the others and answers each outcome" enum:"stop,continue" default:"stop"`
	Reply   string          `json:"reply,omitempty" doc:"answer every step's result, or only the last one's" enum:"all,last" default:"all"`
}

// Outcome is the outcome of one step.
type Outcome struct {
	Tool   string          `json:"tool"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// batchReply is the answer with the outcome of every step.
type batchReply struct {
	OK     bool      `json:"ok"`
	Failed []int     `json:"failed,omitempty"` // numbers of the steps, from 1
	Steps  []Outcome `json:"steps"`
}

// Bounds of a batch: its number of steps, and the bytes of all their results.
const (
	maxSteps   = 1000
	maxResults = 64 << 20

	maxHappened = 30 // lines of what the steps did
)

// RunBatch is the tool that runs many steps as one request. Each goes through the same
// funnel as a request of its own, on the batch's page unless it names another. The
// tool's declaration says that it has Steps.
func RunBatch(ctx context.Context, in BatchParams) (json.RawMessage, error) {
	t := tableOf(ctx)
	own := RequestFrom(ctx)
	steps, err := t.steps(in.Steps)
	if err != nil {
		return nil, err
	}
	reply := batchReply{OK: true, Steps: []Outcome{}}
	plain, kept := []Outcome{}, 0 // before page texts are marked, since later steps use it
	var happened []string
	for i, s := range steps {
		if err := ctx.Err(); err != nil {
			return nil, stepError(i, steps, AsError(err))
		}
		if s.Page == "" {
			s.Page = own.Page
		}
		s.Tell, s.Outline = own.Tell, cmp.Or(s.Outline, own.Outline)
		if s.followed = i < len(steps)-1; s.followed && in.OnError != "stop" {
			s.Outline = "none"
		}
		s.timed = TimeGiven(ctx)
		result, err := t.runStep(ctx, s, plain)
		happened = stepLines(happened, i, s.Tool, result.Happened)
		Happened(ctx, happened)
		if kept += len(result.JSON); kept > maxResults {
			kept -= len(result.JSON)
			result, err = Result{}, Errorf(KindLimit, "%s: done, but the results of the steps are over %d MiB", s.Tool, maxResults>>20)
		}
		done := Outcome{Tool: s.Tool, Result: result.JSON}
		shown := Outcome{Tool: s.Tool, Result: t.redact(t.byName[s.Tool], s, result, true).JSON}
		if err != nil {
			e := t.redactError(AsError(err), true)
			if in.OnError == "stop" || ctx.Err() != nil {
				return nil, stepError(i, steps, e)
			}
			done.Error, shown.Error = e.Error(), e.Error()
			reply.OK, reply.Failed = false, append(reply.Failed, i+1)
		}
		plain, reply.Steps = append(plain, done), append(reply.Steps, shown)
	}
	if in.Reply == "last" {
		last := reply.Steps[len(steps)-1]
		if last.Error != "" {
			return nil, stepError(len(steps)-1, steps, &Error{Kind: KindFailed, Msg: last.Error})
		}
		return last.Result, nil
	}
	return rawjson.Encode(reply), nil
}

// stepLines adds what happened in a step, and says of each line of which step it is. Other lines
// are of the outline, and stay as they are.
func stepLines(all []string, i int, tool string, lines []string) []string {
	for _, line := range lines {
		rest, ours := strings.CutPrefix(line, HappenedMark)
		switch {
		case !ours:
			all = append(all, line)
		case len(all) < maxHappened:
			all = append(all, fmt.Sprintf("%sstep %d, %s: %s", HappenedMark, i+1, tool, rest))
		case len(all) == maxHappened:
			all = append(all, HappenedMark+"and more in later steps")
		}
	}
	return all
}

// runStep puts earlier results into a step and calls its tool.
func (t *Table) runStep(ctx context.Context, s Request, done []Outcome) (Result, error) {
	params, err := refer(ctx, s.Params, done)
	if err != nil {
		return Result{}, err
	}
	s.Params, s.part, s.step = params, true, len(done)+1
	return t.Call(ctx, s)
}

// stepError says which step failed, and keeps the failure's kind.
func stepError(i int, steps []Request, e *Error) *Error {
	o := *e
	o.Msg = fmt.Sprintf("step %d of %d failed: %s", i+1, len(steps), e.Msg)
	if i > 0 {
		o.Msg = fmt.Sprintf("step %d of %d failed (those before it are done): %s", i+1, len(steps), e.Msg)
	}
	return &o
}

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
		return nil, Errorf(KindArgs, "steps: the list is empty")
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

// StepsOf returns the steps of a batch as requests by themselves. A batch whose steps take
// earlier answers, or which goes on after a failure, is an error.
func (t *Table) StepsOf(batch Request) ([]Request, error) {
	batch, err := t.byName[batch.Tool].ByName(batch)
	if err != nil {
		return nil, err
	}
	var in BatchParams
	if err := json.Unmarshal(batch.Params, &in); err != nil {
		return nil, err
	}
	if in.OnError == "continue" {
		return nil, Errorf(KindArgs, "a batch that goes on after a failure has no other form")
	}
	list, err := t.steps(in.Steps)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Params, err = refer(context.Background(), list[i].Params, nil); err != nil {
			return nil, Errorf(KindArgs, "step %d takes what an earlier one answers, which has no other form", i+1)
		}
		if list[i].Page == "" {
			list[i].Page = batch.Page
		}
	}
	return list, nil
}

// WithParams returns the steps of a batch with other texts for some parameters, by the
// step's number and the parameter's name. The other steps stay as they are written.
func (t *Table) WithParams(steps json.RawMessage, texts map[int]map[string]string) (json.RawMessage, error) {
	if text, ok := rawjson.Text(steps); ok {
		lines, n := strings.Split(text, "\n"), 0
		for i, line := range lines {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			if n++; texts[n] == nil {
				continue
			}
			r, err := t.ParseLine(line)
			if err != nil {
				return nil, err
			}
			made, err := withTexts(t.byName[r.Tool], r, n, texts[n])
			if err != nil {
				return nil, err
			}
			lines[i] = string(made)
		}
		return rawjson.Encode(strings.Join(lines, "\n")), nil
	}
	list, err := rawjson.SplitArray(steps)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if texts[i+1] == nil {
			continue
		}
		r, err := t.step(list[i])
		if err != nil {
			return nil, err
		}
		if list[i], err = withTexts(t.byName[r.Tool], r, i+1, texts[i+1]); err != nil {
			return nil, err
		}
	}
	return rawjson.Encode(list), nil
}

// withTexts writes a step with other texts for some of its parameters.
func withTexts(tool *Tool, r Request, number int, texts map[string]string) (json.RawMessage, error) {
	r, err := tool.ByName(r)
	if err != nil {
		return nil, err
	}
	o, err := rawjson.Split(r.Params)
	if err != nil {
		return nil, err
	}
	for i, m := range o {
		text, other := texts[m.Key]
		if !other {
			continue
		}
		if old, _ := rawjson.Text(m.Value); reWhole.MatchString(old) || reInside.MatchString(old) {
			return nil, Errorf(KindArgs, "step %d: %s is what an earlier step answers", number, m.Key)
		}
		o[i].Value = rawjson.Encode(text)
	}
	return rawjson.Join(rawjson.Object{
		{Key: "method", Value: rawjson.Encode(r.Tool)}, {Key: "params", Value: rawjson.Join(o)},
	}), nil
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
