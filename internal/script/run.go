package script

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/dop251/goja"
	"github.com/playwright-community/playwright-go"
)

// execution is one run of a script.
type execution struct {
	ctx     context.Context
	page    playwright.Page
	stopped chan error // why it was stopped
	console []Line
	written int
	images  [][]byte
}

// Run runs code on a page: an expression, or statements of which the last may
// be one, with await. It returns when the code has ended, with what it
// returned, or when ctx ends.
func (r *Runtime) Run(ctx context.Context, page playwright.Page, code string) (Result, error) {
	select {
	case r.one <- struct{}{}:
		defer func() { <-r.one }()
	case <-ctx.Done(): // it was not its turn before its time was over
		return Result{}, ctx.Err()
	}
	switch {
	case r.busy():
		return Result{}, ErrStuck
	case r.spent.Load():
		return Result{}, errKept
	}
	x := &execution{ctx: ctx, page: page, stopped: make(chan error, 1)}
	done := make(chan outcome, 1)
	defer r.enter(x)()
	end := r.watch(ctx)
	r.loop.post(func() {
		if !r.begin() {
			return
		}
		r.call = x
		r.rejected = map[*goja.Promise]bool{}
		r.start(x, code, func(o outcome) {
			select {
			case done <- o:
			default:
			}
		})
	})
	var o outcome
	select {
	case o = <-done:
		if end(); r.halted.Load() { // in the very moment that it ended
			r.recover()
		}
	case cause := <-x.stopped:
		end()
		o = r.afterStop(done, cause)
	case <-r.closed: // nothing of it is run any more
		end()
		return Result{}, errClosed
	}
	r.loop.clearAll()
	defer collect(o.err)
	return r.finish(x, o)
}

// afterStop is the outcome of a script that was stopped: what it still said by
// itself, or why it was stopped.
func (r *Runtime) afterStop(done chan outcome, cause error) outcome {
	r.loop.clearAll() // no timer of its may go off any more
	r.recover()
	select {
	case o := <-done:
		return o
	default:
	}
	if r.busy() {
		cause = errors.Join(cause, ErrDeaf)
	}
	return outcome{err: cause}
}

// finish ends a run on the loop and collects what it left.
func (r *Runtime) finish(x *execution, o outcome) (Result, error) {
	if r.busy() { // it may still write there
		return Result{}, o.err
	}
	type end struct {
		result Result
		err    error
	}
	ended := make(chan end, 1)
	r.loop.post(func() {
		r.end()
		r.sayRejected(o.err)
		if n := r.dropped.Swap(0); n > 0 {
			r.print("warn", fmt.Sprintf("%d events came faster than the listeners worked and were left out", n))
		}
		r.call = nil
		err := o.err
		if r.keptTooMuch() {
			r.spent.Store(true)
			err = errKept
		}
		ended <- end{Result{Value: o.value, Console: x.console, Images: x.images}, err}
	})
	select {
	case e := <-ended:
		return e.result, e.err
	case <-r.closed:
		return Result{}, o.err
	}
}

// track notes the promises that were rejected, and those that were caught
// after all.
func (r *Runtime) track(p *goja.Promise, op goja.PromiseRejectionOperation) {
	if op == goja.PromiseRejectionReject {
		r.rejected[p] = true
		return
	}
	delete(r.rejected, p)
}

// sayRejected writes to the console what nobody caught: a promise that was not
// awaited. The error that ended the script is told already.
func (r *Runtime) sayRejected(ended error) {
	for p := range r.rejected {
		if err := r.thrown(p.Result()); ended == nil || err.Error() != ended.Error() {
			r.print("error", "nobody awaited this: "+err.Error())
		}
	}
}

type outcome struct {
	value json.RawMessage
	err   error
}

// start compiles and calls the code; end is called once it has settled.
func (r *Runtime) start(x *execution, code string, end func(outcome)) {
	fail := func(err error) { end(outcome{err: r.wordError(err)}) }
	fn, err := r.compile(code)
	if err != nil {
		fail(err)
		return
	}
	onEnd := func(call goja.FunctionCall) goja.Value {
		o := outcome{}
		if !goja.IsUndefined(call.Argument(0)) {
			o.err = r.thrown(call.Argument(0))
		} else if s, ok := call.Argument(1).Export().(string); ok {
			o.value = json.RawMessage(s)
		}
		end(o)
		return goja.Undefined()
	}
	if err := r.safely(func() error {
		_, err := r.builtin.begin(goja.Undefined(), fn, r.wrap(x.page), r.vm.ToValue(onEnd))
		return err
	}); err != nil {
		fail(err)
	}
}

// safely turns a panic inside the engine into an error.
func (r *Runtime) safely(fn func() error) (err error) {
	defer func() {
		p := recover()
		if o, ok := p.(*goja.Object); ok { // an error of ours, thrown where no script runs
			err = r.thrown(o)
		} else if p != nil {
			err = fmt.Errorf("the script engine failed: %v", p)
		}
	}()
	return fn()
}
