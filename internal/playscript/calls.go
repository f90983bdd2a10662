package playscript

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// called is a call of ours: what it takes, with its name and its number.
type called struct {
	name string
	id   int64
	head any
}

func (c called) MarshalJSON() ([]byte, error) {
	members := map[string]any{}
	text, err := json.Marshal(c.head)
	if err == nil {
		err = json.Unmarshal(text, &members)
	}
	members["call"], members["id"] = c.name, c.id
	if err != nil {
		return nil, err
	}
	return json.Marshal(members)
}

// reply is what a call of theirs is answered.
type reply struct {
	head any // an object, nil for none
	raw  []byte
}

// answerHead is a head with the number of the call.
type answerHead struct {
	id   int64
	head any
	err  error
}

func (a answerHead) MarshalJSON() ([]byte, error) {
	members := map[string]any{}
	if a.err != nil {
		members["error"] = a.err.Error()
	} else if a.head != nil {
		text, err := json.Marshal(a.head)
		if err == nil {
			err = json.Unmarshal(text, &members)
		}
		if err != nil {
			return nil, err
		}
	}
	members["id"] = a.id
	return json.Marshal(members)
}

// handler answers a call of theirs.
type handler func(r *Runtime, ctx context.Context, f frame) (reply, error)

// handlers are all that can be called, by name. atOnce are those that the process
// may wait for without going on: none of them waits for the browser, which would
// wait for the process.
var (
	handlers map[string]handler
	atOnce   = map[string]bool{"file": true, "describe": true, "plain": true, "request": true, "hears": true}
	// inOrder are those that tell something, whose order counts.
	inOrder = map[string]bool{"say": true, "ready": true, "failed": true, "hangUp": true}
)

func init() {
	handlers = map[string]handler{
		"ready": ready, "failed": failed, "say": say, "join": join, "leave": leave, "file": file, "lower": lowerCode,
		"context": contextOf, "newContext": newContext, "closeContext": closeContext, "closeBrowser": closeBrowser,
		"viewport": setViewport, "media": setMedia, "selector": selector, "describe": describe, "helper": helper, "plain": plain,
		"explain": explain, "request": judgeRequest, "upload": judgeUpload, "har": readHAR,
		"dial": dial, "data": data, "hears": hears, "hangUp": hangUp,
	}
}

// readCalls answers the calls that come on a pipe, and hands on answers to ours.
// One that waits takes one call at a time.
func (r *Runtime) readCalls(in io.Reader, out *writer, waits bool) error {
	for {
		f, err := readFrame(in)
		if err != nil {
			return err
		}
		if f.Call == "" && !waits {
			r.answered(f)
			continue
		}
		do := handlers[f.Call]
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
	size := int64(len(f.text) + len(f.raw))
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
	if err != nil {
		a.raw = nil
	}
	if out.write(answerHead{f.ID, a.head, err}, a.raw) != nil {
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
