//go:build !linux && !darwin && !freebsd

package thin

// controlling: on Windows a terminal says which it is by a variable, see TerminalIDs.
func controlling() (t terminal, ok bool) { return t, false }
