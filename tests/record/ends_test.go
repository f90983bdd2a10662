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
	pipetest.InCI(t, "it is long, and TestRecord is quick")
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
	pipetest.InCI(t, "it is long, and TestRecord is quick")
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
	pipetest.InCIAndRace(t, "it is long, and TestRecord is quick")
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

// TestRecordRefused: browsers that would not tell what is typed where are refused.
func TestRecordRefused(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--cdp", "127.0.0.1:1"}, {"--ws", "ws://127.0.0.1:1"}, {"--browser", "firefox"}, {"--to", "cobol"}} {
		out, errs, status := pipetest.Run(t, "", append([]string{"record", "--headless"}, args...)...)
		if out != "" || status != 2 || !strings.Contains(errs, args[len(args)-1]) && !strings.Contains(errs, args[0]) {
			t.Errorf("%v: %q, %q, status %d", args, out, errs, status)
		}
	}
	cmd := exec.Command(pipetest.Binary(t), "record", "--headless")
	cmd.Env = append(os.Environ(), "PWPIPE_NO_DRIVER_PARTS=1")
	if text, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(text), "PWPIPE_NO_DRIVER_PARTS") {
		t.Errorf("without the parts: %v, %s", err, text)
	}
	cmd = exec.Command(pipetest.Binary(t), "record")
	cmd.Env = append(os.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=")
	if text, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(text), "xvfb-run") {
		t.Errorf("without a display: %v, %s", err, text)
	}
}
