package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

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
	t := TableOf(ctx)
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
	s.written = &asWritten{ctx, t.unbound(s.Params), done}
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

// steps reads the steps of a batch.
func (t *Table) steps(raw json.RawMessage) (list []Request, err error) {
	written, isText, err := parted(raw)
	if err != nil {
		return nil, err
	}
	for i, part := range written {
		if isText && isBlank(part) {
			continue
		}
		r, err := t.readStep(part, isText)
		switch {
		case err != nil && isText:
			return nil, Errorf(KindArgs, "steps: line %d: %w", i+1, err)
		case err != nil:
			return nil, Errorf(KindArgs, "steps[%d]: %w", i, err)
		}
		list = append(list, r)
	}
	switch {
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

// parted are the steps of a batch as they are written: the lines of a text, or the elements of an
// array.
func parted(raw json.RawMessage) (written []string, isText bool, err error) {
	if text, isText := rawjson.Text(raw); isText {
		return strings.Split(text, "\n"), true, nil
	}
	if rawjson.TypeOf(raw) != "an array" {
		return nil, false, Errorf(KindArgs, "steps: expected an array or a text, got %s", rawjson.TypeOf(raw))
	}
	list, err := rawjson.SplitArray(raw)
	for _, part := range list {
		written = append(written, string(part))
	}
	return written, false, err
}

// isBlank reports whether a line of a text is no step.
func isBlank(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#'
}

func (t *Table) readStep(written string, isText bool) (Request, error) {
	if isText {
		return t.ParseLine(strings.TrimSpace(written))
	}
	return t.step(json.RawMessage(written))
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
	batch, err := t.byName[batch.Tool].envelope(batch)
	if err == nil {
		batch, err = t.byName[batch.Tool].ByName(batch)
	}
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

// WithTexts writes a request's line with other texts for some parameters, by the number of the
// batch's step, 0 for the request itself, and the parameter's name; and with other recorded
// elements. Its parameters get names; all else stays as it is written.
func (t *Table) WithTexts(
	line []byte, r Request, texts map[int]map[string]string, elements any,
) (json.RawMessage, error) {
	o, err := rawjson.Split(line)
	if err != nil {
		return nil, err
	}
	r.Page, r.Timeout, r.Max = "", 0, 0 // stand beside the parameters
	params, err := t.paramsWith(r, 0, texts[0])
	if err != nil {
		return nil, err
	}
	for i, m := range params {
		if m.Key == "steps" && t.byName[r.Tool].Steps {
			if params[i].Value, err = t.stepsWith(m.Value, texts); err != nil {
				return nil, err
			}
		}
	}
	compact := jsontext.Value(rawjson.Join(params))
	if err := compact.Compact(); err != nil {
		return nil, err
	}
	for i, m := range o {
		switch m.Key {
		case "params":
			o[i].Value = json.RawMessage(compact)
		case "element":
			o[i].Value = rawjson.Encode(elements)
		}
	}
	return rawjson.Join(o), nil
}

// stepsWith are the steps of a batch with other texts. The other steps stay as they are written.
func (t *Table) stepsWith(steps json.RawMessage, texts map[int]map[string]string) (json.RawMessage, error) {
	written, isText, err := parted(steps)
	if err != nil {
		return nil, err
	}
	n := 0
	for i, part := range written {
		if isText && isBlank(part) {
			continue
		}
		if n++; texts[n] == nil {
			continue
		}
		r, err := t.readStep(part, isText)
		if err != nil {
			return nil, err
		}
		params, err := t.paramsWith(r, n, texts[n])
		if err != nil {
			return nil, err
		}
		written[i] = string(rawjson.Join(rawjson.Object{
			{Key: "method", Value: rawjson.Encode(r.Tool)}, {Key: "params", Value: rawjson.Join(params)},
		}))
	}
	if isText {
		return rawjson.Encode(strings.Join(written, "\n")), nil
	}
	return json.RawMessage("[" + strings.Join(written, ",") + "]"), nil
}

// paramsWith are the parameters of a request, or of a batch's step, with other texts for some.
func (t *Table) paramsWith(r Request, step int, texts map[string]string) (rawjson.Object, error) {
	r, err := t.byName[r.Tool].ByName(r)
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
		if old, _ := rawjson.Text(m.Value); step > 0 && (reWhole.MatchString(old) || reInside.MatchString(old)) {
			return nil, Errorf(KindArgs, "step %d: %s is what an earlier step answers", step, m.Key)
		}
		o[i].Value = rawjson.Encode(text)
	}
	return o, nil
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
	return err == nil && tool != nil && len(tool.Params) > 0 && slices.ContainsFunc(o, func(m rawjson.Member) bool {
		return !tool.Has(m.Key) && !isEnvelope(m.Key)
	})
}
