package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// Navigating to a download fails with an error that names the tool for it.
func TestNavigatingToADownload(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"/files"})
	pipetest.Has(t, p.Fail("nav", []any{"/files/orders.csv"}), "/files/orders.csv was given up: it is a download")
	pipetest.Has(t, p.Call("download", pipetest.Object{"url": "/files/orders.csv"}), "orders.csv")
}
