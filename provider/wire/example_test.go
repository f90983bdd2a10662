package wire_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"pwpipe/provider"
	"pwpipe/provider/wire"
)

type greeting struct {
	Name string `json:"name" doc:"who is greeted"`
	Loud bool   `json:"loud,omitempty" doc:"in capitals"`
}

// Serve a table of tools on a pair of streams: a line in, a line out. Plain
// requests and JSON-RPC 2.0 need no mode.
func ExampleStdio_Serve() {
	greet := provider.Define(provider.Spec{Name: "greet", Title: "Greet", Doc: "Greet somebody", Profile: "core", Timeout: 5 * time.Second},
		func(_ context.Context, in greeting) (string, error) {
			text := "Hello, " + in.Name
			if in.Loud {
				text = strings.ToUpper(text)
			}
			return text, nil
		})
	table := provider.NewTable([]*provider.Tool{greet}, provider.TableOptions{})
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
