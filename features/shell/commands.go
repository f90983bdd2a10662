package shell

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"pwpipe/cmd/program"
	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
	"pwpipe/provider/commandline"
	"pwpipe/provider/service"
)

// starters are the commands that start a service where none runs.
var starters = []string{"open", "goto", program.GoesTo, "read"}

// outlines is the tool that answers an outline.
const outlines = "snapshot"

// outlined are the tools after which the outline of the page is shown.
var outlined = []string{program.GoesTo, "back", "forward", "reload"}

// takesWords runs a command of the user's service: a tool, or a word about sessions.
// Package thin has tried before; this starts what it missed. Other words are not handled.
func takesWords(p *program.Program, words []string, out io.Writer) (handled bool, err error) {
	first := thin.First(words)
	if first == "" || slices.Contains(thin.Words, first) {
		return false, nil
	}
	table := p.Table()
	tool := table.Find(first)
	if tool == nil && !slices.Contains(service.Commands, first) {
		return false, nil
	}
	if first == "open" || first == "goto" {
		tool = table.Find(program.GoesTo)
	}
	if before := thin.Options(words); slices.Contains(before, "--help") || slices.Contains(before, "-h") {
		_, err := io.WriteString(out, program.ShellHelp(first, tool))
		return true, err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return true, fmt.Errorf("the working directory can't be read, or is gone; change to another one: %w", err)
	}
	r := runner{program: p, first: first, cwd: cwd, out: thin.ForTerminal(out)}
	if r.place, err = thin.Here(cwd); err != nil {
		return true, err
	}
	if first == "open" {
		if words, r.flags, err = takeFlags(words, p.FlagsOf(program.OfShell)); err != nil {
			return true, err
		}
	}
	c := thin.Pending
	if c == nil {
		read, err := thin.Read(words, os.Stdin)
		if err != nil {
			return true, err
		}
		c = &read
	}
	switch {
	case first == "sessions":
		return true, r.sessions(*c)
	case first == "show":
		return true, r.show(*c)
	case first == "close" && slices.Contains(thin.Options(words), "--all"):
		r.closeAll(*c)
		return true, nil
	}
	if err := checkLine(*c, tool); err != nil {
		return true, err
	}
	return true, r.ask(*c)
}

// takeFlags takes the flags of the service out of a command line.
func takeFlags(words []string, known *pflag.FlagSet) (rest, flags []string, err error) {
	for i := 0; i < len(words); i++ {
		if words[i] == "--" { // what follows are values
			rest = append(rest, words[i:]...)
			break
		}
		name, _, given := strings.Cut(strings.TrimPrefix(words[i], "--"), "=")
		f := known.Lookup(name)
		ofSession := name == "persist" || slices.Contains(thin.Common, "--"+name)
		if !strings.HasPrefix(words[i], "--") || f == nil || ofSession || f.Hidden {
			rest = append(rest, words[i])
			continue
		}
		flags = append(flags, words[i])
		if !given && f.NoOptDefVal == "" {
			if i++; i == len(words) {
				return nil, nil, program.NoValue(f)
			}
			flags = append(flags, words[i])
		}
	}
	return rest, flags, program.PlainFlag(known.Parse(flags))
}

// checkLine finds what is wrong with a command line before anything is started for it.
func checkLine(c thin.Command, tool *provider.Tool) error {
	l, err := commandline.Split(c.Words, c.Values, commandline.Options{Output: c.Output})
	if err == nil && l.Command == "open" {
		_, err = service.TakeBeginning(&l)
	}
	if err == nil && tool != nil && (l.Command != "open" || len(l.Words()) > 0) {
		_, err = l.Request(tool, c.Dir)
	}
	return err
}

type runner struct {
	program *program.Program
	first   string // its command
	cwd     string
	place   thin.Place
	flags   []string // for a service that is started
	out     io.Writer
}

// ask has the service run a command. It ends the process, unless the command line is wrong.
func (r *runner) ask(c thin.Command) error {
	begun := false
	for deadline := time.Now().Add(program.StartTime); ; {
		conn, err := r.place.Dial()
		switch {
		case errors.Is(err, thin.ErrNothing):
			if begun && time.Now().After(deadline) {
				thin.Fail(thin.StatusFailed, "the service ends as soon as it is started; "+r.place.Log()+" may say why")
			}
			if err := r.start(c); err != nil {
				return err
			}
			if !begun { // what had to be fetched may have taken long
				deadline = time.Now().Add(program.StartTime)
			}
			begun = true
			continue
		case err != nil:
			thin.Fail(thin.StatusFailed, err.Error())
		case len(r.flags) > 0 && !begun:
			_ = conn.Close()
			return r.runsAlready()
		}
		a, err := c.Ask(r.place, conn)
		switch {
		case err != nil:
			thin.Fail(thin.StatusFailed, err.Error())
		case a.Ending && time.Now().Before(deadline):
			time.Sleep(20 * time.Millisecond)
			begun = false // the next is perhaps another's
			continue
		}
		a.Exit(c, r.out)
	}
}

// runsAlready says that flags of a service come too late.
func (r *runner) runsAlready() error {
	return fmt.Errorf("%s: the service runs already, with the settings that it was started with; "+
		"`pwpipe close --all` ends it", r.flags[0])
}

// start starts the service for a command that may; others end here.
func (r *runner) start(c thin.Command) error {
	env, err := r.program.ServiceEnvironment(r.cwd, r.flags)
	if err != nil {
		return err
	}
	_, err = os.Lstat(r.place.Socket())
	killed := err == nil // one that ends by itself leaves no socket behind
	if killed {          // or another command has just started one
		time.Sleep(20 * time.Millisecond) // which listens as soon as its socket is there
		if conn, err := r.place.Dial(); err == nil {
			_ = conn.Close()
			if len(r.flags) > 0 {
				return r.runsAlready()
			}
			return nil
		}
	}
	if !slices.Contains(starters, r.first) {
		if killed {
			thin.Fail(thin.StatusNothing, "the service is gone (killed, or crashed), and its sessions with it; "+
				"`pwpipe open URL` starts another")
		}
		thin.Fail(thin.StatusNothing, program.NothingRuns)
	}
	if killed {
		fmt.Fprintln(os.Stderr, "pwpipe: the service was gone (killed, or crashed): this starts another")
	}
	switch err := startService(r.place, env, r.flags); {
	case errors.Is(err, program.ErrOther) && len(r.flags) > 0:
		return r.runsAlready()
	case err != nil && !errors.Is(err, program.ErrOther):
		thin.Fail(thin.StatusFailed, err.Error())
	}
	return nil
}
