package scripthost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"pwpipe/features/scripts/typescript"
)

func ready(r *Runtime, _ context.Context, _ none, _ []byte) (reply, error) {
	if isClosed(r.queue.ready) {
		return reply{}, errors.New("ready twice")
	}
	close(r.queue.ready)
	return reply{}, nil
}

type failedCall struct {
	Why string `json:"why"`
}

func failed(_ *Runtime, _ context.Context, in failedCall, _ []byte) (reply, error) {
	return reply{}, fmt.Errorf("%w: %.500s", errFailed, in.Why)
}

type sayCall struct {
	Level string `json:"level"`
}

func say(r *Runtime, _ context.Context, in sayCall, raw []byte) (reply, error) {
	if x := r.queue.running.Load(); x != nil {
		x.say(Line{fmt.Sprintf("%.20s", in.Level), string(raw)})
	}
	return reply{}, nil
}

// join makes the process a client of the virtual browser.
func join(r *Runtime, ctx context.Context, _ none, _ []byte) (reply, error) {
	c := r.line.join()
	go func() {
		_ = r.host.Serve(ctx, c)
		if ctx.Err() == nil && r.line.present.Load() == c {
			r.calls.tell("left", nil)
		}
	}()
	return reply{}, nil
}

func file(r *Runtime, _ context.Context, in fileCall, content []byte) (reply, error) {
	in.raw = content
	head, raw, err := r.host.file(in)
	if err == nil {
		r.noteWritten(in)
	}
	return reply{head, raw}, err
}

type contextCall struct {
	Context string `json:"context"`
}

func contextOf(r *Runtime, _ context.Context, in contextCall, _ []byte) (reply, error) {
	options, err := r.host.Context(in.Context)
	return reply{map[string]any{"options": options}, nil}, err
}

type newContextCall struct {
	Options ContextOptions `json:"options"`
}

func newContext(r *Runtime, ctx context.Context, in newContextCall, _ []byte) (reply, error) {
	id, options, err := r.host.NewContext(ctx, in.Options)
	return reply{map[string]any{"context": id, "options": options}, nil}, err
}

type viewportCall struct {
	Page string `json:"page"`
	Size Size   `json:"size"`
}

type mediaCall struct {
	Page    string `json:"page"`
	Options Media  `json:"options"`
}

type selectorCall struct {
	Page     string `json:"page"`
	Selector string `json:"selector"`
	Gone     bool   `json:"gone"` // it is a ref whose element is not there
}

func selector(r *Runtime, _ context.Context, in selectorCall, _ []byte) (reply, error) {
	sel, err := r.host.Selector(in.Page, in.Selector, in.Gone)
	return reply{map[string]any{"selector": sel}, nil}, err
}

type pageCall struct {
	Page string `json:"page"`
}

func describe(r *Runtime, _ context.Context, in pageCall, _ []byte) (reply, error) {
	return reply{map[string]any{"text": r.host.Describe(in.Page)}, nil}, nil
}

type helperCall struct {
	Name string `json:"name"`
	Page string `json:"page"`
	Run  int64  `json:"run"`
}

// helper calls a helper. It ends with the run that asked, or with the process.
func helper(r *Runtime, ctx context.Context, in helperCall, options []byte) (reply, error) {
	x := r.queue.running.Load()
	if x == nil || x.id != in.Run {
		return reply{}, errors.New("no script runs")
	}
	within, cancel := context.WithCancel(x.ctx)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	v, picture, err := r.host.Helper(within, in.Name, in.Page, options)
	if err != nil {
		return reply{}, err
	}
	text, err := json.Marshal(v)
	if err != nil {
		return reply{}, err
	}
	return reply{map[string]any{"length": len(text)}, append(text, picture...)}, nil
}

type plainCall struct {
	Name string `json:"name"`
	Page string `json:"page"`
}

func plain(r *Runtime, _ context.Context, in plainCall, arg []byte) (reply, error) {
	v, err := r.host.Plain(in.Name, in.Page, arg)
	return reply{map[string]any{"value": v}, nil}, err
}

// secret tells whether a text that is about to be typed holds a secret.
func secret(r *Runtime, _ context.Context, _ none, text []byte) (reply, error) {
	mask := r.host.Mask
	return reply{map[string]any{"held": mask != nil && mask(string(text)) != string(text)}, nil}, nil
}

// lowerCode writes TypeScript in words that Node reads, with a source map so that
// errors still name the caller's lines. What it can't read either is answered with a
// reason. A session has one source read at a time: each takes a process.
func lowerCode(r *Runtime, ctx context.Context, _ none, code []byte) (reply, error) {
	if err := checkSource(string(code)); err != nil {
		return unread(err), nil
	}
	r.lowering.Lock()
	defer r.lowering.Unlock()
	plain, err := typescript.Strip(ctx, string(code))
	switch {
	case err != nil:
		return unread(err), nil
	case plain.Why != "":
		why := map[string]any{"why": plain.Why}
		if plain.Line != 0 {
			why["line"] = plain.Line
		}
		return reply{why, nil}, nil
	}
	head := map[string]any{"length": len(plain.Code), "before": plain.Before}
	return reply{head, append([]byte(plain.Code), plain.Map...)}, nil
}

func unread(why error) reply {
	return reply{map[string]any{"why": why.Error(), "unread": true}, nil}
}
