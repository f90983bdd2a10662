package script

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"sync"
	"unsafe"

	"github.com/dop251/goja"
)

// The engine walks and builds values on Go's own stack and heap, in steps that
// nothing interrupts: what is too deep for the stack, or too large for the
// memory, would end the process. So the bounds stand in front of such a step.
// Sizes are in bytes of memory, in characters, or in members.
const (
	maxNesting  = 1000      // of JSON, and of values that a page hands over
	maxArgument = 100       // of the values that a script hands over, as playwright-go has it
	maxMembers  = 1 << 20   // that such a value holds altogether
	maxNative   = 2000      // functions of the engine within one another
	maxText     = 1 << 26   // characters of a text that one step makes
	maxBuffer   = 1 << 27   // bytes of an ArrayBuffer
	maxList     = 1 << 24   // members of a list that one step walks
	maxMade     = 1 << 22   // members of a list that one step makes
	maxArgs     = 1 << 20   // arguments of one call
	maxSeen     = 1 << 23   // values that JSON.stringify writes
	maxParsed   = maxMemory // memory of the value of a JSON text, as estimated
	maxPattern  = 1 << 18   // characters of a regular expression
	maxMachine  = 1 << 25   // numbers that the machine of a pattern holds
	maxBits     = 1 << 24   // bits of a BigInt that one step makes
	maxDigits   = 1 << 20   // digits that a BigInt is read from
	maxSyntax   = 2000      // depth of a script's syntax tree
	maxStack    = 1 << 30   // of a goroutine
	maxLabels   = 1 << 28   // memory of errors about labels

	maxListeners = 1000 // listeners, and routes
)

// raiseStack doubles what Go gives a goroutine, which grows by doubling and is
// refused a size that is only just above the usual limit: prototypes can be
// chained as far as the memory of a script reaches, and are walked on it.
var raiseStack = sync.OnceFunc(func() {
	if strconv.IntSize == 64 {
		debug.SetMaxStack(maxStack)
	}
})

// rangeError is what a script gets that is over a bound.
func (r *Runtime) rangeError(format string, args ...any) *goja.Object {
	o, err := r.vm.New(r.natives.rangeError, r.vm.ToValue(fmt.Sprintf(format, args...)))
	if err != nil {
		panic(err)
	}
	return o
}

// refuse throws a RangeError.
func (r *Runtime) refuse(format string, args ...any) { panic(r.rangeError(format, args...)) }

// tooMuch is the error of what was over a bound before the engine saw it.
func tooMuch(format string, args ...any) error {
	return &Failure{Name: "RangeError", Msg: fmt.Sprintf(format, args...)}
}

// overBound reports whether an error is one of tooMuch.
func overBound(err error) bool {
	f := (*Failure)(nil)
	return errors.As(err, &f) && f.Name == "RangeError"
}

// turning is what a value is on its way in or out of the engine.
type turning struct {
	deep    int
	made    map[unsafe.Pointer]*goja.Object // of lists and objects, on their way in
	members int                             // on their way out
}

// deeper goes into a part of a value on its way out of the engine; higher comes
// back.
func (r *Runtime) deeper() error {
	t := &r.turning
	if t.deep++; t.deep == 1 {
		t.members = 0
	}
	t.members++
	switch {
	case t.deep > maxArgument:
		return fmt.Errorf("the value is nested more than %d deep", maxArgument)
	case t.members > maxMembers:
		return fmt.Errorf("the value has more than %d members", maxMembers)
	}
	return nil
}

func (r *Runtime) higher() { r.turning.deep-- }
