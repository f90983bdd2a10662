package guard_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// TestCheckThatIsRefused: a checkbox that does not change is an error, also in a page that goes on.
func TestCheckThatIsRefused(t *testing.T) {
	t.Parallel()
	p, _ := pipetest.SharedIn(t)
	p.Call("nav", []any{"data:text/html,<input type=checkbox id=k onclick='event.preventDefault()'>"})
	pipetest.Has(t, p.Fail("check", []any{"#k"}), "did not change its state")
}
