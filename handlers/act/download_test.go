package act_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// Who goes to what is a download is told so, and what takes it.
func TestNavigatingToADownload(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"/files"})
	pipetest.Has(t, p.Fail("nav", []any{"/files/orders.csv"}), "/files/orders.csv was given up: it is a download")
	pipetest.Has(t, p.Call("download", pipetest.Object{"url": "/files/orders.csv"}), "orders.csv")
}
