package read

import (
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// LocatorTools name elements for programs.
func LocatorTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Read.Reads("locator", "Locator",
			"Get a selector that stands by itself for an element, such as a ref: by test id, role and name, label or text"),
			func(c *tool.Call, in tool.SelParam) (string, error) { return c.Standing(string(in.Sel)) }),
	}
}
