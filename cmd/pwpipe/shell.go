package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pwpipe/handlers"
	"pwpipe/internal/machine/self"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/shell/thin"
	"pwpipe/provider"
	"pwpipe/provider/commandline"
	"pwpipe/provider/service"
)

// starters are the commands that start a service where none runs.
var starters = []string{"open", "goto", goesTo}

// The tools that commands know by name.
const (
	goesTo   = "nav"
	outlines = "snapshot"
)

// outlined are the tools after which the outline of the page is shown.
var outlined = []string{goesTo, "back", "forward", "reload"}

// shellCommand runs a command of the user's service: a tool, or a word about sessions.
// Package thin has tried before; this starts what it missed. Other words are not handled.
func shellCommand(words []string, out io.Writer) (handled bool, err error) {
	first := thin.First(words)
	if first == "" || slices.Contains(thin.Words, first) {
		return false, nil
	}
	table := provider.NewTable(handlers.Tools(), provider.TableOptions{})
	tool := table.Find(first)
	if tool == nil && !slices.Contains(service.Commands, first) {
		return false, nil
	}
	if first == "open" || first == "goto" {
		tool = table.Find(goesTo)
	}
	if slices.Contains(words, "--help") || slices.Contains(words, "-h") {
		_, err := io.WriteString(out, shellHelp(first, tool))
		return true, err
	}
	c := thin.Pending
	if c == nil {
		read, err := thin.Read(words, os.Stdin)
		if err != nil {
			return true, err
		}
		c = &read
	}
	if err := checkLine(*c, tool); err != nil {
		return true, err
	}
	return true, ask(*c, first, out)
}

// checkLine finds what is wrong with a command line before anything is started for it.
func checkLine(c thin.Command, tool *provider.Tool) error {
	l, err := commandline.Split(c.Words, c.Values, commandline.Options{Output: c.Output})
	if err == nil && tool != nil && (l.Command != "open" || len(l.Words()) > 0) {
		_, err = l.Request(tool, c.Dir)
	}
	return err
}

// ask has the service run a command. It ends the process.
func ask(c thin.Command, first string, out io.Writer) error {
	nothing := func(text string) error { thin.Fail(thin.StatusNothing, text); return nil }
	for deadline := time.Now().Add(time.Minute); ; {
		conn, err := thin.Dial()
		killed := errors.Is(err, thin.ErrNothing) && leftBehind()
		switch {
		case errors.Is(err, thin.ErrNothing) && !slices.Contains(starters, first):
			if killed {
				return nothing("the service is gone (it was killed, or it crashed), and its sessions with it; " +
					"`pwpipe open URL` starts another")
			}
			return nothing("nothing is running; `pwpipe open URL` starts it")
		case errors.Is(err, thin.ErrNothing):
			if killed && !c.Quiet {
				fmt.Fprintln(os.Stderr, "pwpipe: the service was gone (killed, or crashed): this starts another")
			}
			if err := startService(deadline); err != nil {
				thin.Fail(thin.StatusFailed, err.Error())
			}
			continue
		case err != nil:
			thin.Fail(thin.StatusFailed, err.Error())
		}
		a, err := c.Ask(conn)
		switch {
		case err != nil:
			thin.Fail(thin.StatusFailed, err.Error())
		case a.Ending && time.Now().Before(deadline):
			time.Sleep(20 * time.Millisecond)
			continue
		}
		a.Exit(c, out)
	}
}

// leftBehind reports whether a service left its socket behind, which none does that ends
// by itself.
func leftBehind() bool {
	dir, err := thin.Folder()
	if err != nil {
		return false
	}
	_, err = os.Lstat(thin.SocketIn(dir))
	return err == nil
}

// startService starts the user's service, and waits until it listens. What it needs is
// fetched first, where the user sees the progress.
func startService(deadline time.Time) error {
	if os.Getenv("PWPIPE_CDP") == "" && os.Getenv("PWPIPE_WS") == "" && os.Getenv("PWPIPE_GRID") == "" {
		needed := setup.Options{Browser: os.Getenv("PWPIPE_BROWSER")}
		if _, err := setup.Ensure(context.Background(), needed); err != nil {
			return err
		}
	}
	dir, err := thin.Folder()
	if err != nil {
		return err
	}
	program, err := self.Program()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(dir, "service.log"), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	begin, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	cmd := exec.Command(program, "service")
	cmd.Stderr, cmd.SysProcAttr = log, apart()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		if conn, err := thin.Dial(); err == nil {
			return conn.Close()
		}
		select {
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("the service did not start: %s", strings.TrimPrefix(lastLine(log, begin), "pwpipe: "))
			}
			ended = nil // another service was there first
		case <-time.After(3 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the service does not listen; %s may say why", log.Name())
		}
	}
}

// lastLine is the last line of a file behind a place.
func lastLine(f *os.File, begin int64) string {
	text, _ := io.ReadAll(io.NewSectionReader(f, begin, 64<<10))
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// shellHelp describes a command; tool is nil where it is no tool's.
func shellHelp(first string, tool *provider.Tool) string {
	switch first {
	case "open":
		return "Start what is needed, go to a URL, and print an outline of the page\n\n" +
			"Usage:\n  pwpipe open [URL] [-s NAME]\n"
	case "close":
		return "Close a session. With the last one the service ends\n\nUsage:\n  pwpipe close [NAME | --all]\n"
	case "sessions":
		return "List the open sessions: name, session_id, how long unused\n\nUsage:\n  pwpipe sessions [--json]\n"
	}
	return commandline.Help(tool)
}
