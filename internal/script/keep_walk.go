package script

import (
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// walker goes through the engine's memory by its types, the way the collector
// does by addresses. What belongs to other packages it leaves alone.
type walker struct {
	todo []reflect.Value
	seen map[unsafe.Pointer]bool
	size int
	most int
}

func (w *walker) run() {
	for len(w.todo) > 0 && w.size <= w.most {
		v := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		w.visit(v)
	}
}

// new notes memory, and reports whether it is met for the first time.
func (w *walker) new(p unsafe.Pointer, size int) bool {
	if p == nil || w.seen[p] {
		return false
	}
	w.seen[p] = true
	w.size += size
	return true
}

func (w *walker) visit(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		w.parts(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			w.meet(v.Index(i))
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			w.meet(it.Key())
			w.meet(it.Value())
		}
	}
}

func (w *walker) parts(v reflect.Value) {
	if v.Kind() != reflect.Struct {
		w.meet(v)
		return
	}
	if lock := v.FieldByName("Mutex"); lock.IsValid() && lock.Type() == mutexType {
		w.locked(v, (*sync.Mutex)(unsafe.Pointer(lock.UnsafeAddr())))
		return
	}
	for _, i := range memberFields(v.Type()) {
		w.meet(v.Field(i))
	}
}

var mutexType = reflect.TypeFor[sync.Mutex]()

// locked goes through what is behind a lock: of a WeakMap the collector takes
// what nothing else holds, at any time. Its members are counted here, and what
// they lead to is visited later.
func (w *walker) locked(v reflect.Value, lock *sync.Mutex) {
	lock.Lock()
	defer lock.Unlock()
	for i := range v.NumField() {
		m := v.Field(i)
		if m.Kind() != reflect.Map {
			continue
		}
		w.size += m.Len() * int(m.Type().Key().Size()+m.Type().Elem().Size()+8)
		for it := m.MapRange(); it.Next(); {
			w.meet(it.Value())
		}
	}
}

// meet counts memory that is met for the first time, and has it visited later.
func (w *walker) meet(v reflect.Value) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		s := v.String()
		w.new(unsafe.Pointer(unsafe.StringData(s)), len(s))
	case reflect.Pointer:
		if ours(v.Type().Elem()) && w.new(v.UnsafePointer(), int(v.Type().Elem().Size())) {
			w.todo = append(w.todo, v)
		}
	case reflect.Slice:
		if w.new(v.UnsafePointer(), v.Cap()*int(v.Type().Elem().Size())) && holds(v.Type().Elem()) {
			w.todo = append(w.todo, v)
		}
	case reflect.Map:
		if t := v.Type(); w.new(v.UnsafePointer(), v.Len()*int(t.Key().Size()+t.Elem().Size()+8)) {
			w.todo = append(w.todo, v)
		}
	case reflect.Array:
		if holds(v.Type().Elem()) {
			w.visit(v)
		}
	case reflect.Struct:
		w.parts(v)
	}
}

var memberFieldsOf sync.Map // reflect.Type of a struct -> []int

// memberFields are the fields of a struct that can lead to others.
func memberFields(t reflect.Type) []int {
	if list, ok := memberFieldsOf.Load(t); ok {
		return list.([]int)
	}
	var list []int
	for i := range t.NumField() {
		// Why the engine is interrupted is written by who does it, at any time.
		if f := t.Field(i); holds(f.Type) && f.Name != interruptField {
			list = append(list, i)
		}
	}
	memberFieldsOf.Store(t, list)
	return list
}

// interruptField is the engine's, with a value of ours.
const interruptField = "interruptVal"

// ours tells the types that are followed: the engine's and those without a
// package.
func ours(t reflect.Type) bool {
	p := t.PkgPath()
	return p == "" || strings.HasPrefix(p, "github.com/dop251/goja") || p == "math/big"
}

// holds reports whether values of a type can lead to others.
func holds(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.String, reflect.Slice, reflect.Map:
		return true
	case reflect.Array:
		return holds(t.Elem())
	case reflect.Struct:
		return ours(t) && t.NumField() > 0
	}
	return false
}
