package record_test

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestRecordSignal: a recording goes on when standard input ends, and ends with SIGTERM,
// with the action that was still waiting for what may become of it.
func TestRecordSignal(t *testing.T) {
	t.Parallel()
	r := records(t, "/form")
	r.wants(`nav {"url":"/form"}`)
	if err := r.Stdin.Close(); err != nil {
		t.Fatal(err)
	}
	r.click("#count")
	r.wants(`click {"sel":"role=button[name=\"Count\"]"}`)
	r.click("#name")
	r.types("Ada")
	r.sees(`document.querySelector('#name').value === 'Ada'`)
	r.told()
	_ = r.Cmd.Process.Signal(syscall.SIGTERM)
	rest, status := r.Wait()
	if status != 0 || !strings.Contains(rest, `"val":"Ada"`) {
		t.Fatalf("after SIGTERM: %q, status %d, %s", rest, status, r.Stderr())
	}
}

// TestRecordUnread: a recording ends when nobody reads it any more, before the next line.
func TestRecordUnread(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(pipetest.Binary(t), "record", "--headless", "--base-url", pipetest.Site(t), "/form")
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = in
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pipetest.Kill(cmd) })
	_ = in.Close()
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, `"nav"`) {
		t.Fatalf("%q, %v", line, err)
	}
	_ = out.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	pipetest.Eventually(t, "the end", func() bool {
		select {
		case err = <-ended:
			return true
		default:
			return false
		}
	})
	if status := cmd.ProcessState.ExitCode(); status != 128+int(syscall.SIGPIPE) {
		t.Errorf("status %d, %v", status, err)
	}
}

// TestRecordCrash: a recording ends with its browser.
func TestRecordCrash(t *testing.T) {
	t.Parallel()
	r := records(t, "/form")
	r.wants(`nav {"url":"/form"}`)
	r.click("#count")
	r.wants(`click {"sel":"role=button[name=\"Count\"]"}`)
	r.browser.Send("Browser.crash", nil, nil)
	if rest, status := r.Wait(); rest != "" || status != 0 {
		t.Fatalf("after a crash: %q, status %d, %s", rest, status, r.Stderr())
	}
}
