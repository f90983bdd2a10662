package script

import (
	"reflect"

	"github.com/playwright-community/playwright-go"
)

// Own is what of the browser belongs to whom the script runs for. The process
// is everybody's; a script is to meet nothing of the others'.
type Own struct {
	// Browser is what scripts have for a browser, in place of playwright-go's,
	// which knows everybody's contexts.
	Browser func() playwright.Browser
	// NewPage is context.newPage.
	NewPage func(playwright.BrowserContext) (playwright.Page, error)
	// Instead is what is done instead of a call of playwright-go's; nil where
	// the call is made.
	Instead func(self any, method string, args []any) func() (any, error)
	// Has reports whether a page or a context is one of the owner's.
	Has func(pageOrContext any) bool
}

// owned is what a script gets for a value of playwright-go: the owner's
// browser for any browser, and nothing for what is somebody else's.
func (r *Runtime) owned(v any) any {
	own := r.host.Own
	switch v := v.(type) {
	case playwright.Browser:
		if _, hosts := v.(interface{ ScriptClass() string }); !hosts && own.Browser != nil {
			return own.Browser()
		}
	case playwright.Page, playwright.BrowserContext:
		if own.Has != nil && !own.Has(v) {
			return nil
		}
	}
	return v
}

// made makes a call, or does what the owner has done instead.
func (r *Runtime) made(self any, name string, args []reflect.Value) (any, error) {
	if instead := r.host.Own.Instead; instead != nil {
		values := make([]any, len(args))
		for i, a := range args {
			values[i] = a.Interface()
		}
		if do := instead(self, name, values); do != nil {
			return do()
		}
	}
	return results(r.goFunc(self, name).Call(args))
}

// goFunc is the Go function behind a method. What opens something, or leads to
// the browser, is the owner's.
func (r *Runtime) goFunc(self any, name string) reflect.Value {
	if c, ok := self.(playwright.BrowserContext); ok {
		switch own := r.host.Own; {
		case name == "NewPage" && own.NewPage != nil:
			return reflect.ValueOf(func() (playwright.Page, error) { return own.NewPage(c) })
		case name == "Browser" && own.Browser != nil:
			return reflect.ValueOf(own.Browser)
		}
	}
	return reflect.ValueOf(self).MethodByName(name)
}
