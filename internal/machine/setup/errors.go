package setup

import "fmt"

// Error stops a set-up, and says what to do about it.
type Error struct{ err error }

func (e *Error) Error() string { return "setup: " + e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

// errorf makes an Error. Its format is a whole sentence.
func errorf(format string, args ...any) error { return &Error{fmt.Errorf(format, args...)} }
