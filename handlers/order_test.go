package handlers_test

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pwpipe/features"
	"pwpipe/handlers/browser"
	"pwpipe/internal/pipetest"
)

// TestHookOrder: testdata/hooks.txt says who sees a browser, a context or a page first, and
// who is asked first to answer a dialog.
func TestHookOrder(t *testing.T) {
	var text strings.Builder
	for field := range reflect.TypeFor[browser.Hooks]().Fields() {
		fmt.Fprintf(&text, "%s:", field.Name)
		for _, h := range features.Hooks() {
			if hook := reflect.ValueOf(h).FieldByIndex(field.Index); !hook.IsNil() {
				fmt.Fprintf(&text, " %s", topicOf(hook))
			}
		}
		text.WriteByte('\n')
	}
	pipetest.Golden(t, "testdata/hooks.txt", text.String())
}

// topicOf is the last part of the name of a function's package.
func topicOf(fn reflect.Value) string {
	name := runtime.FuncForPC(fn.Pointer()).Name() // pwpipe/handlers/act.init.func1
	name = name[strings.LastIndexByte(name, '/')+1:]
	topic, _, _ := strings.Cut(name, ".")
	return topic
}
