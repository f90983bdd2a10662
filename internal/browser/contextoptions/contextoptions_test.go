package contextoptions

import (
	"reflect"
	"testing"
)

// Contexts are opened only with options on the list, for every caller. playwright-go's
// other options name files or proxies; options of a later version are not reviewed.
func TestWhatContextsAreOpenedWith(t *testing.T) {
	of := reflect.TypeFor[Options]()
	for i := range of.NumField() {
		var asked Options
		field := reflect.ValueOf(&asked).Elem().Field(i)
		switch name := of.Field(i).Name; field.Kind() {
		case reflect.Pointer:
			field.Set(reflect.New(field.Type().Elem()))
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		case reflect.Map:
			field.Set(reflect.MakeMap(field.Type()))
		case reflect.Interface:
			field.Set(reflect.ValueOf("**/*"))
		default:
			t.Fatalf("%s is of a kind that is not tried", name)
		}
		name := of.Field(i).Name
		if err := (Request{Options: asked}).Judge(); (err == nil) != givable[name] {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"ClientCertificates", "RecordHarPath", "RecordHarURLFilter", "RecordVideo", "StorageStatePath"} {
		if _, there := of.FieldByName(name); !there || givable[name] {
			t.Errorf("%s is taken, or no longer there", name)
		}
	}
}
