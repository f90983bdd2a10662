package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"pwpipe/internal/machine/self"
	"pwpipe/internal/machine/setup"
	"pwpipe/internal/shell/thin"
)

// startService starts the user's service, and waits until it listens. What it needs is
// fetched first, where the user sees the progress.
func startService(at thin.Place, env, flags []string, deadline time.Time) error {
	if err := fetch(env); err != nil {
		return err
	}
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
	cmd := exec.Command(program, append([]string{"service", "--place", at.Name}, flags...)...)
	cmd.Env, cmd.Stderr, cmd.SysProcAttr = env, log, apart()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		conn, err := at.Dial()
		if err == nil {
			return conn.Close()
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

// everywhere asks every service of this user, whatever its settings. Nobody need be there.
func (r *runner) everywhere(c thin.Command, see func(thin.Place, thin.Answer)) error {
	sockets, err := filepath.Glob(filepath.Join(r.place.Dir, "*.lock"))
	if err != nil {
		return err
	}
	for _, file := range sockets {
		at := thin.Place{Dir: r.place.Dir, Name: strings.TrimSuffix(filepath.Base(file), ".lock")}
		conn, err := at.Dial()
		if err != nil {
			continue
		}
		if a, err := c.Ask(conn); err == nil && !a.Ending {
			see(at, a)
		}
	}
	return nil
}

// sessions lists the sessions of all services.
func (r *runner) sessions(c thin.Command) error {
	type session struct {
		Name    string `json:"name"`
		ID      string `json:"session_id"`
		Idle    int    `json:"idle"`
		URL     string `json:"url"`
		Service string `json:"service"`
	}
	inJSON := c
	inJSON.Output = "json"
	list := []session{}
	err := r.everywhere(inJSON, func(at thin.Place, a thin.Answer) {
		var some []session
		if json.Unmarshal(a.Text, &some) == nil {
			for _, s := range some {
				s.Service = at.Name
				list = append(list, s)
			}
		}
	})
	if err != nil {
		return err
	}
	if wantsJSON(c) {
		text, err := json.Marshal(list)
		if err == nil {
			_, err = fmt.Fprintf(r.out, "%s\n", text)
		}
		return err
	}
	for _, s := range list {
		other := ""
		if s.Service != r.place.Name {
			other = "\tof other settings (" + s.Service + ")"
		}
		fmt.Fprintf(r.out, "%s\t%s\tused %s ago%s\n", s.Name, s.URL, time.Duration(s.Idle)*time.Second, other)
	}
	if len(list) == 0 {
		thin.Fail(thin.StatusNothing, "nothing is running; `pwpipe open URL` starts it")
	}
	return nil
}

func wantsJSON(c thin.Command) bool {
	for i, w := range thin.Options(c.Words) {
		if w == "--json" || w == "--output=json" || w == "json" && i > 0 && c.Words[i-1] == "--output" {
			return true
		}
	}
	return c.Output == "json"
}

// closeAll closes the sessions of all services, which then end.
func (r *runner) closeAll(c thin.Command) error {
	failed := error(nil)
	err := r.everywhere(c, func(at thin.Place, a thin.Answer) {
		if a.Status != 0 && a.Status != thin.StatusNothing {
			failed = errors.Join(failed, fmt.Errorf("%s: %s", at.Name, a.Text))
		}
	})
	return errors.Join(err, failed)
}
