package eachtool_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestNavOKBounds: the errors of HTTP begin with status 400.
func TestNavOKBounds(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestNavOK is quick")
	t.Parallel()
	p := pipetest.Shared(t)
	ok := func(url string) pipetest.Object { return pipetest.Object{"url": url, "ok": true} }
	pipetest.Steps(p,
		does("nav", ok("/status/399"), "null"),
		does("nav", ok("/status/400"), "!answered with status 400"),
		does("nav", ok("/status/401"), "!answered with status 401"),
		does("nav", list("/status/400"), "null"),
	)
}
