package chromesandbox

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"pwpipe/internal/machine/temp"
)

// try starts the browser with its sandbox on. If it does not start and gives no reason,
// it is also started without: if that works, the sandbox was the reason.
func try(ctx context.Context, b Browser) (Finding, error) {
	f, err := start(ctx, b)
	var silent *silentEnd
	if !errors.As(err, &silent) {
		return f, err
	}
	if f, ok := explain(silent.said); ok {
		return f, nil
	}
	without := b
	without.Args = append(slices.Clip(b.Args), "--no-sandbox")
	if _, err := start(ctx, without); errors.As(err, &silent) {
		return Finding{}, fmt.Errorf("the browser does not start, with or without its sandbox: %w", err)
	}
	return Finding{Why: "the browser did not come up with it: " + silent.Error(), Fix: fixBrowser}, nil
}

// silentEnd: a browser ended without an answer.
type silentEnd struct {
	said  string // on stderr
	ended error
}

func (e *silentEnd) Error() string { return cmp.Or(lastWords(e.said), fmt.Sprint(e.ended)) }

// start starts the browser, asks a page, and checks the page's process.
func start(ctx context.Context, b Browser) (Finding, error) {
	// A folder like those of runs, so that the sweep removes the remains of a killed
	// try too.
	dir, err := temp.Make()
	if err != nil {
		return Finding{}, err
	}
	defer temp.Remove(dir)
	cmd := exec.CommandContext(ctx, b.Path, append([]string{"--headless", "--remote-debugging-pipe", "--user-data-dir=" + dir, "--disable-gpu",
		"--disable-background-networking", "--disable-breakpad", "--no-first-run"}, b.Args...)...)
	cmd.Env = append(environment(temp.Short(dir)), b.Env...)
	said := &tail{}
	cmd.Stderr = said
	cmd.WaitDelay = time.Second
	// A process group of its own, to end all of it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
	to, from, err := startPiped(cmd)
	if err != nil {
		return Finding{}, err
	}
	defer to.Close()
	defer from.Close()
	defer context.AfterFunc(ctx, func() { _ = from.Close() })()
	pids, failed := (&devtools{w: to, r: bufio.NewReader(from)}).pageProcesses()
	var f Finding
	if failed == nil {
		f = judge(pids) // while they exist
		_ = cmd.Cancel()
	}
	_ = to.Close() // end what has not ended yet
	ended := cmd.Wait()
	_ = cmd.Cancel() // the rest of the group
	switch {
	case ctx.Err() != nil:
		return Finding{}, context.Cause(ctx)
	case failed != nil:
		return Finding{}, &silentEnd{said.String(), cmp.Or(ended, failed)}
	}
	return f, nil
}

// startPiped starts a command with a DevTools pipe: it reads from descriptor 3
// and writes to 4.
func startPiped(cmd *exec.Cmd) (to, from *os.File, err error) {
	in, to, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	from, out, err := os.Pipe()
	if err != nil {
		to.Close()
		return nil, nil, err
	}
	defer out.Close()
	cmd.ExtraFiles = []*os.File{in, out}
	if err := cmd.Start(); err != nil {
		to.Close()
		from.Close()
		return nil, nil, err
	}
	return to, from, nil
}

// environment is the browser's whole environment: the test needs nothing else of ours.
func environment(temp string) []string {
	env := []string{"TMPDIR=" + temp}
	for _, name := range []string{"PATH", "HOME", "LANG"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// tail keeps the end of a browser's output. One goroutine writes it, and has ended when
// the command was waited for.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if over := len(t.text) - 16<<10; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.text) }
