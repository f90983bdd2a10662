//go:build evidence

package pagetests

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/machine/setup"
	"pwpipe/internal/pipetest"
)

// engine runs scripts one by one, and is restarted after a failure.
type engine struct {
	start func() *exec.Cmd
	wrap  func(id int, code string) any
	took  func(line []byte) (result json.RawMessage, err error)

	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan []byte
	id    int
}

// stuck is the time after which a silent engine is given up: tests have 10 s.
const stuck = 45 * time.Second

// run runs a script and returns its result.
func (e *engine) run(code string) (json.RawMessage, error) {
	if e.cmd == nil {
		if err := e.begin(); err != nil {
			return nil, err
		}
	}
	e.id++
	line, err := json.Marshal(e.wrap(e.id, code))
	if err != nil {
		return nil, err
	}
	if _, err := e.in.Write(append(line, '\n')); err != nil {
		e.stop()
		return nil, fmt.Errorf("the process ended: %w", err)
	}
	select {
	case answer, ok := <-e.lines:
		if !ok {
			e.stop()
			return nil, fmt.Errorf("the process ended")
		}
		return e.took(answer)
	case <-time.After(stuck):
		e.stop()
		return nil, fmt.Errorf("the process did not answer")
	}
}

func (e *engine) begin() error {
	e.cmd = e.start()
	in, err := e.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	e.in, e.lines = in, make(chan []byte)
	go func(lines chan<- []byte) {
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				close(lines)
				return
			}
			lines <- line
		}
	}(e.lines)
	return e.cmd.Start()
}

func (e *engine) stop() {
	if e.cmd == nil || e.cmd.Process == nil {
		return
	}
	_ = e.in.Close()
	lines := e.lines
	go func() { // output that may still come
		for range lines {
		}
	}()
	ended := time.AfterFunc(10*time.Second, func() { _ = e.cmd.Process.Kill() })
	_ = e.cmd.Wait()
	ended.Stop()
	e.cmd = nil
}

// real is the real Playwright, in Node.
func real(t *testing.T) *engine {
	in := pipetest.Installed(t)
	test, err := setup.Expect(t.Context(), setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("real.cjs")
	if err != nil {
		t.Fatal(err)
	}
	args, _ := json.Marshal(in.Args)
	return &engine{
		start: func() *exec.Cmd {
			cmd := exec.Command(in.Node, script, filepath.Join(in.DriverDir, "package"), test, in.Executable, string(args))
			cmd.Env, cmd.Stderr = append(os.Environ(), in.Env...), os.Stderr
			return cmd
		},
		wrap: func(_ int, code string) any { return code },
		took: func(line []byte) (json.RawMessage, error) {
			var a struct {
				Result json.RawMessage `json:"result"`
				Error  string          `json:"error"`
			}
			if err := json.Unmarshal(line, &a); err != nil || a.Error != "" {
				return nil, fmt.Errorf("%s%w", a.Error, err)
			}
			return a.Result, nil
		},
	}
}

// ours is execute, of the real binary, over its pipe.
func ours(t *testing.T, root, folder string, args ...string) *engine {
	binary := pipetest.Binary(t)
	return &engine{
		start: func() *exec.Cmd {
			cmd := exec.Command(binary, append([]string{"--profile", "agent", "--allow-file", "--allow-dir", root, "--allow-dir", folder, "--output-dir", folder}, args...)...)
			cmd.Dir = folder
			return cmd
		},
		wrap: func(id int, code string) any {
			return map[string]any{"id": id, "method": "execute", "params": map[string]any{"code": code}, "timeout": 30}
		},
		took: func(line []byte) (json.RawMessage, error) {
			var a struct {
				Result struct {
					Result json.RawMessage `json:"result"`
				} `json:"result"`
				Error string `json:"error"`
			}
			if err := json.Unmarshal(line, &a); err != nil {
				return nil, err
			}
			if a.Error != "" {
				return nil, fmt.Errorf("%s", strings.TrimPrefix(a.Error, "execute: "))
			}
			return a.Result.Result, nil
		},
	}
}

// serve starts a test server that communicates by files in its own folder.
func serve(t *testing.T, root, folder string) (ports []int) {
	t.Helper()
	in := pipetest.Installed(t)
	for _, name := range []string{"commands", "events", "out"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(in.Node, "server.cjs", filepath.Join(in.DriverDir, "package"), root, folder)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stdin.Close(); _ = cmd.Wait() })
	if err := json.NewDecoder(out).Decode(&ports); err != nil {
		t.Fatal(err)
	}
	return ports
}
