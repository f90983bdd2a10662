package bench

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// pss is the memory of a process and its descendants without the browser, in
// MiB; shared memory is counted once (PSS). 0 if the system does not report it.
func pss(t testing.TB, pid int) float64 {
	return pipetest.PSS(pid) + below(t, pid, func(command string) bool {
		program, _, _ := strings.Cut(command, " ")
		return !strings.Contains(program, "chrom")
	})
}

// renderers is the same for the browser's renderers below a process.
func renderers(t testing.TB, pid int) float64 {
	return below(t, pid, func(command string) bool { return strings.Contains(command, "--type=renderer") })
}

func below(t testing.TB, pid int, counts func(command string) bool) (mib float64) {
	for child, command := range pipetest.Descendants(t, pid) {
		if counts(command) {
			mib += pipetest.PSS(child)
		}
	}
	return mib
}
