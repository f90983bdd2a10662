package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"pwpipe/internal/machine/self"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/shell/thin"
)

// errOther says that another command has started the service at the same time.
var errOther = errors.New("another command has started the service")

// startService starts the user's service, and waits until it listens. What it needs is
// fetched first, where the user sees the progress.
func startService(at thin.Place, env, flags []string) error {
	if err := fetch(env); err != nil {
		return err
	}
	cmd := exec.Cmd{Args: []string{"pwpipe", "service", "--place", at.Name, "--flags-on-stdin"}, Env: env}
	cmd.Stdin = strings.NewReader(strings.Join(flags, "\x00")) // every user can read arguments, and there may be keys
	return startApart(at, &cmd)
}

// startApart starts this program as a service of the user, which outlives the one that starts
// it, and waits until it listens.
func startApart(at thin.Place, cmd *exec.Cmd) error {
	deadline := time.Now().Add(startTime)
	program, err := self.Program()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(at.Log(), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	begin, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	cmd.Path, cmd.Stderr, cmd.SysProcAttr = program, log, apart()
	keepNothing()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		conn, err := at.Dial()
		if err == nil {
			_ = conn.Close()
			if !holds(at, cmd.Process.Pid) {
				return errOther
			}
			return nil
		}
		if !errors.Is(err, thin.ErrNothing) {
			return err
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

// holds reports whether a process has the lock of a place, as its holder has noted.
func holds(at thin.Place, pid int) bool {
	text, err := os.ReadFile(at.Lock())
	return err == nil && strings.TrimSpace(string(text)) == strconv.Itoa(pid)
}

// fetch has what the service needs fetched, unless it attaches to a browser.
func fetch(env []string) error {
	needed := setup.Options{}
	for _, v := range env {
		switch name, value, _ := strings.Cut(v, "="); name {
		case envName("cdp"), envName("ws"), envName("grid"):
			if value != "" {
				return nil
			}
		case envName("browser"):
			needed.Browser = value
		}
	}
	_, err := setup.Ensure(context.Background(), needed)
	return err
}

// lastLine is the last line of a file behind a place.
func lastLine(f *os.File, begin int64) string {
	text, _ := io.ReadAll(io.NewSectionReader(f, begin, 64<<10))
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}
