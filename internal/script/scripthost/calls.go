package scripthost

import (
	"context"
	"fmt"
	"io"
)

// called is a call of ours: its name, its number, 0 where no answer is wanted, and what
// it takes.
type called struct {
	Name string `json:"call"`
	ID   int64  `json:"id,omitempty"`
	Args any    `json:"args,omitempty"`
}

// reply is what a call of theirs is answered.
type reply struct {
	head any // an object, nil for none
	raw  []byte
}

// answerHead is the head of our answer to a call.
type answerHead struct {
	ID    int64   `json:"id"`
	Error *string `json:"error,omitempty"`
	Args  any     `json:"args,omitempty"`
}

// handler answers a call of theirs.
type handler func(r *Runtime, ctx context.Context, f frame) (reply, error)

// takes makes a handler of a function that takes a struct, and the bytes of the frame.
func takes[T any](do func(r *Runtime, ctx context.Context, in T, raw []byte) (reply, error)) handler {
	return func(r *Runtime, ctx context.Context, f frame) (reply, error) {
		in, err := decode[T](f)
		if err != nil {
			return reply{}, fmt.Errorf("%s: %w", f.Call, err)
		}
		return do(r, ctx, in, f.raw)
	}
}

// none is what a call takes that takes nothing.
type none struct{}

// atOnce are the calls that the process may wait for without going on: none of them
// waits for the browser, which would wait for the process.
var (
	atOnce = map[string]bool{"file": true, "describe": true, "plain": true, "request": true, "hears": true}
	// inOrder are those that tell something, whose order counts.
	inOrder = map[string]bool{"say": true, "ready": true, "failed": true, "hangUp": true, "picture": true}
)

// handlers are all that can be called, by name. It is a function, as some of them lead
// back to [Runtime.readCalls], which a variable may not.
func handlers() map[string]handler {
	return map[string]handler{
		"ready": takes(ready), "failed": takes(failed), "say": takes(say), "join": takes(join), "leave": takes(leave),
		"file": takes(file), "lower": takes(lowerCode),
		"context": takes(contextOf), "newContext": takes(newContext), "closeContext": takes(closeContext),
		"closeBrowser": takes(closeBrowser), "viewport": takes(setViewport), "media": takes(setMedia),
		"selector": takes(selector), "describe": takes(describe), "helper": takes(helper), "plain": takes(plain),
		"explain": takes(explain), "request": takes(judgeRequest), "upload": takes(judgeUpload), "har": takes(readHAR),
		"dial": takes(dial), "data": takes(data), "hears": takes(hears), "hangUp": takes(hangUp),
		"film": takes(beginFilm), "picture": takes(picture), "endFilm": takes(endFilm),
	}
}

// readCalls answers the calls that come on a pipe, and hands on answers to ours.
// One that waits takes one call at a time.
func (r *Runtime) readCalls(in io.Reader, out *writer, waits bool) error {
	known := handlers()
	for {
		f, err := readFrame(in)
		if err != nil {
			return err
		}
		if f.Call == "" && !waits {
			r.answered(f)
			continue
		}
		do := known[f.Call]
		if do == nil || waits && !atOnce[f.Call] {
			return fmt.Errorf("there is no call %.40q", f.Call)
		}
		switch {
		case waits:
			r.answer(do, f, out)
		case inOrder[f.Call]:
			if _, err := do(r, r.ctx, f); err != nil {
				return err
			}
		default:
			if err := r.take(do, f, out); err != nil {
				return err
			}
		}
	}
}

// take answers a call in a goroutine of its own, where there is room.
func (r *Runtime) take(do handler, f frame, out *writer) error {
	size := int64(f.size)
	if r.held.Add(size) > mostHeld {
		return errFrame
	}
	select {
	case r.busy <- struct{}{}:
	default:
		return fmt.Errorf("more than %d calls at once", mostCalls)
	}
	go func() {
		defer func() { <-r.busy; r.held.Add(-size) }()
		r.answer(do, f, out)
	}()
	return nil
}

func (r *Runtime) answer(do handler, f frame, out *writer) {
	a, err := do(r, r.ctx, f)
	if err == nil && len(a.raw) > longestFrame-longestHead {
		err = fmt.Errorf("more than %d MiB", (longestFrame-longestHead)>>20)
	}
	h := answerHead{ID: f.ID, Args: a.head}
	if err != nil {
		why := err.Error()
		h, a.raw = answerHead{ID: f.ID, Error: &why}, nil
	}
	if out.write(h, a.raw) != nil {
		r.kill(errEnded)
	}
}

// answered hands an answer to who waits for it. One that nobody waits for may
// have come too late.
func (r *Runtime) answered(f frame) {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case r.waiting[f.ID] <- f:
	default:
	}
	delete(r.waiting, f.ID)
}
