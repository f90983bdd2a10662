package service_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// The methods of the specification, with their parameters.
func TestOpenRPCHasTheMethods(t *testing.T) {
	t.Parallel()
	text, _, status := pipetest.Run(t, "", "tools", "--profile", "rpc", "--format", "openrpc")
	if status != 0 {
		t.Fatal(text)
	}
	pipetest.Golden(t, "../../docs/openrpc.json", text)
}
