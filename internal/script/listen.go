package script

import (
	"github.com/dop251/goja"
	"github.com/playwright-community/playwright-go"
)

// emitter is what has events.
type emitter interface {
	On(name string, handler any)
	RemoveListener(name string, handler any)
}

// listen has a function called with the events of an object, and answers a
// number to end that by; 0 where there are no such events. The prelude listens
// once for each object and event, and tells its own listeners.
func (r *Runtime) listen(obj goja.Value, event string, fn goja.Callable) int {
	self, _ := r.unwrap(obj)
	e, ok := self.(emitter)
	if !ok {
		panic(r.vm.NewTypeError("this has no events"))
	}
	if !theTable().hears(classOf(self), event) {
		return 0
	}
	if len(r.listeners) >= maxListeners {
		r.refuse("more than %d kinds of events listened to", maxListeners)
	}
	if event == "dialog" {
		r.dialogs.listen(self, 1)
	}
	handler := func(payload ...any) {
		if d, ok := first(payload).(playwright.Dialog); ok {
			r.dialogs.deliver(d)
		}
		if !r.loop.postEvent(func() { r.callBack(fn, payload, nil) }) {
			r.dropped.Add(1)
		}
	}
	e.On(event, handler)
	r.lastListener++
	r.listeners[r.lastListener] = func() {
		e.RemoveListener(event, handler)
		if event == "dialog" {
			r.dialogs.listen(self, -1)
		}
	}
	return r.lastListener
}

// unlisten ends what listen began.
func (r *Runtime) unlisten(number int) {
	if end := r.listeners[number]; end != nil {
		delete(r.listeners, number)
		end()
	}
}
