package scripthost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

// called is a call of ours: its name, its number (0 if no answer is wanted), and its
// arguments.
type called struct {
	Name string `json:"call"`
	ID   int64  `json:"id,omitempty"`
	Args any    `json:"args,omitempty"`
}

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

// does is takes for a function that answers nothing.
func does[T any](do func(r *Runtime, in T) error) handler {
	return takes(func(r *Runtime, _ context.Context, in T, _ []byte) (reply, error) { return reply{}, do(r, in) })
}

// none is what a call takes that takes nothing.
type none struct{}

// atOnce are the calls for which the process may block: none of them waits for the
// browser, which would wait for the process.
var (
	atOnce = map[string]bool{"file": true, "describe": true, "plain": true, "request": true, "hears": true}
	// inOrder are notifications, which are handled in the order of their coming.
	inOrder = map[string]bool{"say": true, "ready": true, "failed": true, "hangUp": true, "picture": true}
)

// handlers are all that can be called, by name. It is a function, as some of them lead
// back to [Runtime.readCalls], which a variable may not.
func handlers() map[string]handler {
	return map[string]handler{
		"ready": takes(ready), "failed": takes(failed), "say": takes(say), "join": takes(join),
		"leave": does(func(r *Runtime, _ none) error { r.line.leave(); return nil }),
		"file":  takes(file), "lower": takes(lowerCode),
		"context": takes(contextOf), "newContext": takes(newContext),
		"closeContext": does(func(r *Runtime, in contextCall) error { return r.host.CloseContext(in.Context) }),
		"closeBrowser": does(func(r *Runtime, _ none) error { return r.host.CloseBrowser() }),
		"viewport": does(func(r *Runtime, in viewportCall) error {
			return r.host.Viewport(in.Page, in.Size.Width, in.Size.Height)
		}),
		"media":    does(func(r *Runtime, in mediaCall) error { return r.host.Media(in.Page, in.Options) }),
		"request":  does(func(r *Runtime, in requestCall) error { return r.host.Request(in.URL) }),
		"hangUp":   does(func(r *Runtime, in hangUpCall) error { r.tunnels.drop(in.Stream); return nil }),
		"selector": takes(selector), "describe": takes(describe), "helper": takes(helper), "plain": takes(plain),
		"explain": takes(explain), "secret": takes(secret), "upload": takes(judgeUpload), "har": takes(readHAR),
		"dial": takes(dial), "data": takes(data), "hears": takes(hears),
		"film": takes(beginFilm), "picture": takes(picture), "endFilm": takes(endFilm),
	}
}

// calls carries calls both ways, and their answers.
type calls struct {
	control writer // to the process: our calls, and answers to its own
	now     writer // answers to calls for which it blocks

	held atomic.Int64  // bytes of frames that are being worked on
	busy chan struct{} // holds a token for each call that is being worked on

	mu      sync.Mutex
	waiting map[int64]chan frame // for answers to our calls; nil once the process has ended
}

// number is a call's. It can't be guessed: a script that writes to the pipe can't answer
// the next call in place of the process's own code.
func number() int64 { return rand.Int64N(1 << 53) }

// do calls the process, and waits for its answer.
func (c *calls) do(ctx context.Context, gone <-chan struct{}, call called, raw []byte) (frame, error) {
	answer := make(chan frame, 1)
	call.ID = number()
	if !c.expect(call.ID, answer) {
		return frame{}, errEnded
	}
	defer c.forget(call.ID)
	if err := c.control.write(call, raw); err != nil {
		<-gone
		return frame{}, errEnded
	}
	select {
	case f := <-answer:
		if f.Error != nil {
			return f, errors.New(*f.Error)
		}
		return f, nil
	case <-ctx.Done():
		return frame{}, ctx.Err()
	case <-gone:
		return frame{}, errEnded
	}
}

// expect reports whether a call may still be answered.
func (c *calls) expect(id int64, answer chan frame) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting == nil {
		return false
	}
	c.waiting[id] = answer
	return true
}

func (c *calls) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

// answered hands over an answer. If nobody waits for it, it may have come too late.
func (c *calls) answered(f frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case c.waiting[f.ID] <- f:
	default:
	}
	delete(c.waiting, f.ID)
}

// close: no call is answered any more.
func (c *calls) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = nil
}

// tell calls the process without waiting for an answer.
func (c *calls) tell(name string, args any) {
	_ = c.control.write(called{Name: name, Args: args}, nil)
}

func (r *Runtime) call(ctx context.Context, name string, args any, raw []byte) (frame, error) {
	f, err := r.calls.do(ctx, r.process.gone, called{Name: name, Args: args}, raw)
	if errors.Is(err, errEnded) {
		err = r.process.lost()
	}
	return f, err
}

// readCalls answers the calls that come on a pipe, and hands over the answers to ours.
// Where the process blocks for each call, they are answered one at a time.
func (r *Runtime) readCalls(in io.Reader, out *writer, blocks bool) error {
	known := handlers()
	for {
		f, err := readFrame(in)
		if err != nil {
			return err
		}
		if f.Call == "" && !blocks {
			r.calls.answered(f)
			continue
		}
		do := known[f.Call]
		if do == nil || blocks && !atOnce[f.Call] {
			return fmt.Errorf("there is no call %.40q", f.Call)
		}
		switch {
		case blocks:
			r.answer(do, f, out)
		case inOrder[f.Call]:
			if _, err := do(r, r.process.ctx, f); err != nil {
				return err
			}
		default:
			if err := r.take(do, f, out); err != nil {
				return err
			}
		}
	}
}

// take answers a call in its own goroutine, if there is room.
func (r *Runtime) take(do handler, f frame, out *writer) error {
	size := int64(f.size)
	if r.calls.held.Add(size) > maxHeld {
		return errFrame
	}
	select {
	case r.calls.busy <- struct{}{}:
	default:
		return fmt.Errorf("more than %d calls at once", maxCalls)
	}
	go func() {
		defer func() { <-r.calls.busy; r.calls.held.Add(-size) }()
		r.answer(do, f, out)
	}()
	return nil
}

func (r *Runtime) answer(do handler, f frame, out *writer) {
	a, err := do(r, r.process.ctx, f)
	if err == nil && len(a.raw) > longestFrame-longestHead {
		err = fmt.Errorf("more than %d MiB", (longestFrame-longestHead)>>20)
	}
	h := answerHead{ID: f.ID, Args: a.head}
	if err != nil {
		why := err.Error()
		h, a.raw = answerHead{ID: f.ID, Error: &why}, nil
	}
	if out.write(h, a.raw) != nil {
		r.process.kill(errEnded)
	}
}
