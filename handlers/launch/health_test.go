package launch

import (
	"os/exec"
	"runtime"
	"testing"
	"time"
)

// A driver makes progress if it works, waits for a processor, or receives output
// of the browser. Only waiting is not progress.
func TestProgress(t *testing.T) {
	old := progress{passed: 10, worked: 5}
	for _, c := range []struct {
		now  progress
		want bool
	}{
		{progress{passed: 10, worked: 5}, false},
		{progress{passed: 10, worked: 5.01, waited: 0.01}, false},
		{progress{passed: 11, worked: 5}, true},
		{progress{passed: 10, worked: 5.5}, true},
		{progress{passed: 10, worked: 5, waited: 0.5}, true},
		{progress{passed: 10, worked: 5.1, waited: 0.2}, true},
		{progress{passed: 10, worked: 5, waits: true}, true},
	} {
		if c.now.after(old) != c.want {
			t.Errorf("%+v after %+v: %v", c.now, old, !c.want)
		}
	}
}

// TestProgressOfProcesses: a process that always wants a processor makes progress,
// however little it gets. A sleeping or stopped one does not.
func TestProgressOfProcesses(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the other systems do not tell")
	}
	for script, want := range map[string]bool{"while :; do :; done": true, "exec sleep 60": false, "kill -STOP $$": false} {
		cmd := exec.Command("sh", "-c", script)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		look := func() (p progress) {
			p.worked = p.add(cmd.Process.Pid)
			return p
		}
		last, as := look(), false
		for range 100 { // until the process has started
			time.Sleep(200 * time.Millisecond)
			now := look()
			if as = now.after(last) == want; as {
				break
			}
			last = now
		}
		if !as {
			t.Errorf("%s: %+v", script, last)
		}
	}
}
