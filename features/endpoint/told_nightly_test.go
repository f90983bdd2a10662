//go:build evidence

package endpoint_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// told is a client with its own Playwright or Puppeteer that runs given code.
type told struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Scanner
	cmd *exec.Cmd
}

// joins connects a client to the session of a pipe, which has a page.
func joins(t *testing.T, p *pipetest.Pipe, library string) *told {
	t.Helper()
	command := node(t, "told.cjs", pipetest.Get[struct{ URL string }](p, "session.cdp", nil).URL, "", library)
	cmd := exec.Command(command[0], command[1], command[2], command[4])
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &told{t, in, bufio.NewScanner(out), cmd}
	t.Cleanup(c.leaves)
	return c
}

// does runs code in the client. It returns the result as JSON, or the error.
func (c *told) does(code string) string {
	c.t.Helper()
	late := time.AfterFunc(pipetest.Patience, func() { _ = c.cmd.Process.Kill() })
	defer late.Stop()
	line, _ := json.Marshal(code)
	if _, err := c.in.Write(append(line, '\n')); err != nil || !c.out.Scan() {
		c.t.Fatalf("the client has ended at %s: %v", code, err)
	}
	var got struct {
		Value json.RawMessage
		Error string
	}
	if err := json.Unmarshal(c.out.Bytes(), &got); err != nil {
		c.t.Fatal(err)
	}
	if got.Error != "" {
		return "error: " + got.Error
	}
	return string(got.Value)
}

// leaves ends the client.
func (c *told) leaves() {
	_ = c.in.Close()
	_ = c.cmd.Wait()
}
