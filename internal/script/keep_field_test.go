package script

import (
	"reflect"
	"testing"

	"github.com/dop251/goja"
)

// The engine has the field that is left out: a newer one may call it otherwise.
func TestInterruptField(t *testing.T) {
	vm, _ := reflect.TypeFor[goja.Runtime]().FieldByName("vm")
	f, ok := vm.Type.Elem().FieldByName(interruptField)
	if !ok || !holds(f.Type) {
		t.Fatalf("the engine has no field %s that holds something", interruptField)
	}
	for _, i := range memberFields(vm.Type.Elem()) {
		if vm.Type.Elem().Field(i).Name == interruptField {
			t.Error("it is followed")
		}
	}
}
