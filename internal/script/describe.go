package script

import (
	"fmt"
	"reflect"

	"github.com/dop251/goja"
	"github.com/playwright-community/playwright-go"
)

// describe words a value of playwright-go for a result or the console.
func (r *Runtime) describe(v goja.Value) string {
	self, _ := r.unwrap(v)
	switch self := self.(type) {
	case playwright.Page:
		if r.host.Describe != nil {
			return r.host.Describe(self)
		}
		return "Page " + self.URL()
	case playwright.Frame:
		return "Frame " + self.URL()
	case playwright.Locator:
		if sel := locatorSelector(self); sel != "" {
			return "Locator@" + sel
		}
	case playwright.Request:
		return "Request " + self.Method() + " " + self.URL()
	case playwright.Response:
		return fmt.Sprintf("Response %d %s", self.Status(), self.URL())
	case playwright.APIResponse:
		return fmt.Sprintf("APIResponse %d %s", self.Status(), self.URL())
	case playwright.ConsoleMessage:
		return "ConsoleMessage " + self.Text()
	case playwright.Dialog:
		return "Dialog " + self.Message()
	case playwright.JSHandle:
		if s := self.String(); s != "" {
			return s
		}
	}
	return classOf(self)
}

// locatorSelector is what a locator was made of. It does not tell; its struct
// does.
func locatorSelector(l playwright.Locator) string {
	if sel := reflect.ValueOf(l).Elem().FieldByName("selector"); sel.Kind() == reflect.String {
		return sel.String()
	}
	return ""
}
