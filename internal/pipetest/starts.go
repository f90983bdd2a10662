package pipetest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// logStart adds a line to the file that PWPIPE_TEST_STARTS names: the package, the test,
// and what it starts. A browser takes a second of processor time to start, so the tests
// with many lines are those to look at when the suite is to become faster.
func logStart(t testing.TB, what string) {
	name := os.Getenv("PWPIPE_TEST_STARTS")
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dir, _ := os.Getwd()
	fmt.Fprintf(f, "%s %s %s\n", filepath.Join(filepath.Base(filepath.Dir(dir)), filepath.Base(dir)), t.Name(), what)
}
