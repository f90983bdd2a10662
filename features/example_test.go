package features_test

import (
	"strings"

	"pwpipe/cmd/program"
	"pwpipe/features/clipboard"
	"pwpipe/features/har"
	"pwpipe/handlers"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// counting is a feature of one's own, with one tool.
var counting = program.Feature{
	Name: "counting", Doc: "count words",
	Part: handlers.Part{Tools: map[handlers.Place]func() []*provider.Tool{handlers.AfterCore: countTools}},
}

func countTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Read.Reads("words", "Count words", "Count the words of an element"), countWords),
	}
}

// countWords has the page, the parameters and the deadline of its call.
func countWords(c *tool.Call, in tool.SelParam) (int, error) {
	text, err := tool.Frame(c.Page).Locator(string(in.Sel)).InnerText()
	return len(strings.Fields(text)), c.Fail(err, string(in.Sel))
}

// A pwpipe of one's own: the core, two features and a tool.
func Example() {
	program.Program{
		Version:  "1.0",
		Features: []program.Feature{counting, clipboard.Feature, har.Feature},
	}.Main()
}
