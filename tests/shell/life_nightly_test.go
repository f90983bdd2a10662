//go:build evidence && unix

package shell

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest"
)

// Flags of open apply or are an error, even if two commands start the service at once.
func TestFlagsAtOnce(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t)
	var all sync.WaitGroup
	var mu sync.Mutex
	good := 0
	for i := range 4 {
		all.Go(func() {
			_, errs, status := d.bash(fmt.Sprintf("pwpipe open -q --idle %dh", i+1))
			mu.Lock()
			defer mu.Unlock()
			if status == 0 {
				good++
			} else if status != 2 || !strings.Contains(errs, "the service runs already") {
				t.Errorf("status %d, %s", status, errs)
			}
		})
	}
	all.Wait()
	if good != 1 {
		t.Errorf("flags of %d commands hold", good)
	}
}

// A service of another build keeps serving, and says so.
func TestAnotherBuild(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestCommands is quick")
	t.Parallel()
	d := newDesk(t)
	d.ok("pwpipe open -q; cp -L $(command -v pwpipe) other; touch -d 2020-01-01 other")
	out, errs, status := d.bash("./other eval 1+1")
	if out != "2\n" || status != 0 || strings.Count(errs, "\n") != 1 {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
	pipetest.Has(t, errs, "another version", "pwpipe close --all")
	if out, quiet, _ := d.bash("./other eval -q 1+1"); out != "2\n" || quiet != errs { // -q keeps warnings
		t.Errorf("-q: %q, %q, want %q", out, quiet, errs)
	}
	d.ok("./other close --all")
	d.ok("./other open -q; ./other eval 1+1")
}
