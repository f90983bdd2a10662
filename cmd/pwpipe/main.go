// Command pwpipe is Playwright over a pipe: it reads requests from stdin, a
// line of JSON each, drives a real browser and writes replies to stdout.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"pwpipe/internal/browser/extension"
	_ "pwpipe/internal/machine/early" // its init may end the process, or make it another
	"pwpipe/internal/machine/memory"
	"pwpipe/internal/script/typescript"
	"pwpipe/internal/shell/thin"
)

func main() {
	typescript.RunIfAsked()
	out := os.Stdout
	os.Stdout = os.Stderr // stdout is for replies: a library in some debug mode prints there
	// A reader that went away becomes an error of write, to be handled in order, rather than the
	// end of the process. A handler, unlike SIG_IGN, is not inherited by the driver and the browser.
	signal.Notify(make(chan os.Signal, 1), brokenPipe...)
	memory.Bound()
	err := execute(out)
	var status exitStatus
	switch {
	case errors.As(err, &status):
		os.Exit(int(status))
	case errors.Is(err, syscall.EPIPE): // pwpipe tools | head
		os.Exit(int(readerGone))
	case err != nil:
		fmt.Fprintln(thin.ForTerminal(os.Stderr), "pwpipe:", err) // which may have a page's text
		os.Exit(2)
	}
}

// execute runs a tool's command (pwpipe click e5), or else one of the program's own.
func execute(out *os.File) error {
	if extension.Asked(os.Args[1:]) {
		return extension.Host(os.Args[1:], os.Stdin, out)
	}
	if handled, err := shellCommand(os.Args[1:], out); handled {
		return err
	}
	root := newRootCommand(out)
	if len(os.Args) > 1 {
		addToolCommands(root, os.Args[1], out)
	}
	return root.Execute()
}

// exitStatus ends the program with a status and no further words.
type exitStatus int

// readerGone is as if SIGPIPE had ended us.
const readerGone exitStatus = 128 + 13

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }
