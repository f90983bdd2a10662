// Package program is the program pwpipe: the core's commands and flags, and what a feature adds
// to them. A program of one's own calls its Main with features of its choice.
package program

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"pwpipe/internal/machine/cell"
	"pwpipe/internal/machine/memory"
	"pwpipe/internal/shell/thin"
)

// Main runs the program with the words of the command line, and ends the process. It is for the
// first line of a main function.
func (p Program) Main() {
	cell.Run() // where package early has not done it yet
	out := os.Stdout
	os.Stdout = os.Stderr     // stdout is for replies: a library in some debug mode prints there
	_ = os.Unsetenv("DEBUGP") // with it playwright-go prints what it sends, also values of --secrets
	// A reader that went away becomes an error of write, to be handled in order, rather than the
	// end of the process. A handler, unlike SIG_IGN, is not inherited by the driver and the browser.
	signal.Notify(make(chan os.Signal, 1), brokenPipe...)
	memory.Bound()
	err := p.execute(os.Args[1:], out)
	var status ExitStatus
	switch {
	case err == nil:
		os.Exit(0)
	case errors.As(err, &status):
		os.Exit(int(status))
	case errors.Is(err, syscall.EPIPE): // pwpipe tools | head
		os.Exit(int(ReaderGone))
	}
	fmt.Fprintln(thin.ForTerminal(os.Stderr), "pwpipe:", err) // which may have a page's text
	os.Exit(2)
}

// execute runs a command: one that a feature takes, such as a tool's (pwpipe click e5), or else
// one of the program's own.
func (p *Program) execute(words []string, out *os.File) error {
	if err := p.check(); err != nil {
		return err
	}
	without, err := withoutOf(words)
	if err != nil {
		return err
	}
	if err := p.leaveOut(without); err != nil {
		return err
	}
	for _, f := range p.Features {
		if f.Takes == nil {
			continue
		}
		if taken, err := f.Takes(p, words, out); taken {
			return err
		}
	}
	root := p.CommandLine(out)
	if len(words) > 0 {
		p.addToolCommands(root, words[0], out)
	}
	return root.Execute()
}

// ExitStatus ends the program with a status and no further words.
type ExitStatus int

// ReaderGone is as if SIGPIPE had ended us.
const ReaderGone ExitStatus = 128 + 13

func (s ExitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }
