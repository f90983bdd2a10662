package script

import (
	"runtime"
	"sync"
	"weak"

	"github.com/dop251/goja"
)

// builtin is what Go uses of the engine's, taken before any script could change
// it.
type builtin struct {
	parse      goja.Callable // JSON.parse
	buffer     goja.Value
	bufferFrom goja.Callable
	newError   goja.Value
	newURL     goja.Value

	begin, settle goja.Callable // of the prelude
}

// ownBuffer is a Buffer without the symbol under which the engine's hands out a
// Go value.
const ownBuffer = `(() => {
  'use strict';
  const Engines = Buffer;
  function Own(v, ...more) { return typeof v === 'number' ? Engines.alloc(v) : Engines.from(v, ...more); }
  for (const name of Object.getOwnPropertyNames(Engines)) if (name !== 'prototype') Object.defineProperty(Own, name, Object.getOwnPropertyDescriptor(Engines, name));
  Own.prototype = Engines.prototype;
  Object.setPrototypeOf(Own, Object.getPrototypeOf(Engines));
  Object.defineProperty(Own.prototype, 'constructor', { value: Own, writable: true, configurable: true });
  Object.defineProperty(globalThis, 'Buffer', { value: Own, writable: true, configurable: true });
})()`

// takeBuiltin is called while the engine is new.
func (r *Runtime) takeBuiltin() error {
	if _, err := r.vm.RunString(ownBuffer); err != nil {
		return err
	}
	get := func(of, name string) goja.Value { return r.vm.Get(of).ToObject(r.vm).Get(name) }
	r.builtin.parse, _ = goja.AssertFunction(get("JSON", "parse"))
	r.builtin.buffer = r.vm.Get("Buffer")
	r.builtin.bufferFrom, _ = goja.AssertFunction(get("Buffer", "from"))
	r.builtin.newError, r.builtin.newURL = r.vm.Get("Error"), r.vm.Get("URL")
	return nil
}

// held are the Go values of the objects that stand for them, the handles. Only
// Go has it, so no object can be made to look like one; and it keeps none.
type held struct {
	mu sync.Mutex
	of map[weak.Pointer[goja.Object]]any
}

func (h *held) set(o *goja.Object, v any) {
	p := weak.Make(o)
	h.mu.Lock()
	h.of[p] = v
	h.mu.Unlock()
	runtime.AddCleanup(o, func(p weak.Pointer[goja.Object]) {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.of, p)
	}, p)
}

func (h *held) get(o *goja.Object) (any, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v, ok := h.of[weak.Make(o)]
	return v, ok
}
