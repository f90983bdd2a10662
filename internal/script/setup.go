package script

import (
	"embed"
	"fmt"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/buffer"
	"github.com/dop251/goja_nodejs/require"
	"github.com/dop251/goja_nodejs/url"
)

//go:embed *.js
var scripts embed.FS

// files are what a new engine runs, in this order. Each is a function of what is
// native and of the scope, which the first one makes.
var files = []string{"prelude.js", "members.js", "language.js", "formats.js", "values.js", "handles.js", "locators.js", "routes.js", "fetch.js", "expect.js", "modules.js", "devtools.js"}

// programs are compiled once for all engines.
var programs = sync.OnceValues(func() ([]*goja.Program, error) {
	var list []*goja.Program
	for _, name := range files {
		code, err := scripts.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p, err := goja.Compile(name, string(code), false)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
})

func (r *Runtime) setUp() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("setting up the script engine: %v", p)
		}
	}()
	vm := r.vm
	vm.SetMaxCallStackSize(maxDepth)
	vm.SetFieldNameMapper(goja.TagFieldNameMapper("json", true))
	require.NewRegistry(require.WithLoader(noFiles)).Enable(vm)
	buffer.Enable(vm)
	url.Enable(vm)
	if err := vm.GlobalObject().Delete("require"); err != nil { // scripts get their own, in the scope
		return err
	}
	if err := r.boundIntrinsics(); err != nil {
		return err
	}
	vm.SetPromiseRejectionTracker(r.track)
	if err := r.takeBuiltin(); err != nil {
		return err
	}
	r.defineClasses()
	n := vm.CreateObject(nil)
	r.defineNative(n)
	list, err := programs()
	if err != nil {
		return err
	}
	var scope goja.Value = goja.Undefined()
	for i, p := range list {
		v, err := vm.RunProgram(p)
		if err != nil {
			return err
		}
		start, _ := goja.AssertFunction(v)
		made, err := start(goja.Undefined(), n, scope)
		if err != nil {
			return fmt.Errorf("%s: %w", files[i], err)
		}
		if i == 0 {
			scope = made
		}
	}
	r.builtin.begin, _ = goja.AssertFunction(scope.ToObject(vm).Get("begin"))
	r.builtin.settle, _ = goja.AssertFunction(scope.ToObject(vm).Get("settle"))
	return r.lock()
}

// noFiles is what the engine's modules load files by.
func noFiles(string) ([]byte, error) { return nil, require.ModuleFileDoesNotExistError }

// names are what every script can name besides the language's own.
var names = []string{"page", "context", "browser", "state", "$", "console", "expect", "require", "fetch", "crypto",
	"setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "queueMicrotask",
	"process", "performance", "structuredClone", "atob", "btoa", "TextEncoder", "TextDecoder", "AbortController", "AbortSignal",
	"Headers", "Response", "FormData", "Blob", "File", "$import",
	"accessibilitySnapshot", "screenshotWithAccessibilityLabels", "showAriaRefLabels", "hideAriaRefLabels", "getCleanHTML", "waitForPageLoad",
	"getLatestLogs", "getCDPSession", "createDebugger", "createEditor", "getStylesForLocator", "formatStylesAsText", "getReactSource"}
