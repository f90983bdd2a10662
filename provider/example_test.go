package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"pwpipe/provider"
	"pwpipe/provider/toollist"
	"pwpipe/provider/wire"
)

type greeting struct {
	Name string `json:"name" doc:"who is greeted"`
	Loud bool   `json:"loud,omitempty" doc:"in capitals"`
}

// greet declares a tool. Its parameters are the fields of greeting, and all lists,
// schemas and errors follow from them.
func greet() *provider.Tool {
	return provider.Define(provider.Spec{
		Name: "greet", Title: "Greet", Doc: "Greet somebody", Profile: "core",
		Timeout: 5 * time.Second, Effect: provider.Reads,
	}, func(_ context.Context, in greeting) (string, error) {
		text := "Hello, " + in.Name
		if in.Loud {
			text = strings.ToUpper(text)
		}
		return text, nil
	})
}

// Declare a tool, and list it as `pwpipe tools` does.
func ExampleDefine() {
	list, err := toollist.Describe([]*provider.Tool{greet()}, "markdown")
	fmt.Println(list, err)
	// Output:
	// | tool | does | answers | deadline |
	// |---|---|---|---|
	// | `greet name [loud]` | Greet somebody | text | 5 s |
	//  <nil>
}

// Call a tool in process, without a wire. An error has a kind, for example to
// choose a status code.
func ExampleTable_Call() {
	table := provider.NewTable([]*provider.Tool{greet()}, provider.TableOptions{})
	result, err := table.Call(context.Background(), provider.Request{Tool: "greet", Params: json.RawMessage(`["Ada"]`)})
	fmt.Printf("%s %v\n", result.JSON, err)

	_, err = table.Call(context.Background(), provider.Request{Tool: "greet"})
	var e *provider.Error
	fmt.Println(errors.As(err, &e), e.Kind == provider.KindArgs, e)
	// Output:
	// "Hello, Ada" <nil>
	// true true greet: missing parameter "name" (a string); greet takes name, loud?
}

// Serve a table of tools on a pair of streams: a line in, a line out. Plain
// requests and JSON-RPC 2.0 need no mode.
func Example_stdio() {
	table := provider.NewTable([]*provider.Tool{greet()}, provider.TableOptions{})
	in := strings.NewReader(`{"id":1,"method":"greet","params":{"name":"Ada"}}
{"id":"b","method":"greet","params":["Grace",true]}
{"jsonrpc":"2.0","id":3,"method":"greet","params":{"name":"Joan"}}
{"id":4,"method":"greet","params":{"nam":"Ada"}}
`)
	stdio := wire.Stdio{Table: table}
	failed, err := stdio.Serve(context.Background(), in, os.Stdout)
	fmt.Println(failed, err)
	// Output:
	// {"id":1,"result":"Hello, Ada"}
	// {"id":"b","result":"HELLO, GRACE"}
	// {"jsonrpc":"2.0","id":3,"result":"Hello, Joan"}
	// {"id":4,"error":"greet: unknown parameter \"nam\"; greet takes name, loud?"}
	// true <nil>
}
