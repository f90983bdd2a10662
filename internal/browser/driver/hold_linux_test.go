package driver

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"pwpipe/internal/browser/reexec"
	"pwpipe/internal/pipetest/until"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// envHelper makes the test binary a process that runs a driver until it is
// killed. The value is node, the driver's folder and the cache folder.
const envHelper = "PWPIPE_TEST_HELPER"

func helper() {
	o := strings.Split(os.Getenv(envHelper), "\n")
	d, err := Start(Options{Node: o[0], Dir: o[1], Cache: o[2]})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(d.PID())
	select {}
}

func TestDriverDiesWithUs(t *testing.T) {
	o := options(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envHelper+"="+strings.Join([]string{o.Node, o.Dir, o.Cache}, "\n"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	line, _ := bufio.NewReader(out).ReadString('\n')
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || !isNode(pid) {
		t.Fatalf("the helper says %q", line)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	until.Holds(t, "the driver is gone", func() bool { return !isNode(pid) })
}

// isNode reports whether a process runs the driver, and is not a zombie.
func isNode(pid int) bool {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.Contains(string(text), "run-driver")
}

func TestGone(t *testing.T) {
	d := start(t, options(t))
	select {
	case <-d.Gone():
		t.Fatal("gone at once")
	default:
	}
	if err := unix.Kill(d.PID(), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {
	case <-d.Gone():
	case <-time.After(10 * time.Second):
		t.Error("not noticed")
	}
}

func TestDriverEnv(t *testing.T) {
	for _, name := range dirty {
		t.Setenv(name, "--no-such-option")
	}
	o := options(t)
	o.Env = append(o.Env, "LANG=second")
	t.Setenv("LANG", "first")
	d := start(t, o)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", d.PID()))
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	for kv := range strings.SplitSeq(strings.TrimRight(string(text), "\x00"), "\x00") {
		k, v, _ := strings.Cut(kv, "=")
		if _, twice := env[k]; twice {
			t.Errorf("%s is set twice", k)
		}
		env[k] = v
	}
	for _, name := range append(dirty, reexec.Node, reexec.Version, reexec.PIDFile, reexec.Env, reexec.Start, "PLAYWRIGHT_NODEJS_PATH") {
		if v, ok := env[name]; ok {
			t.Errorf("%s=%s reached the driver", name, v)
		}
	}
	if env["LANG"] != "second" || env["TMPDIR"] != d.Temp || env["PATH"] != os.Getenv("PATH") {
		t.Errorf("LANG=%s TMPDIR=%s PATH=%s", env["LANG"], env["TMPDIR"], env["PATH"])
	}
	use(t, d)
}

// Other children do not inherit the variables that we set for playwright-go.
func TestOwnEnv(t *testing.T) {
	start(t, options(t))
	for _, name := range []string{reexec.Node, reexec.Version, reexec.PIDFile, reexec.Env, reexec.Start, "PLAYWRIGHT_NODEJS_PATH"} {
		if v, ok := os.LookupEnv(name); ok {
			t.Errorf("%s=%s is left", name, v)
		}
	}
}

func TestDescendants(t *testing.T) {
	cmd := exec.Command("/bin/sh", "-c", "sleep 60 & sleep 60 & echo; wait")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Error(err)
	}
	until.Holds(t, "both are there", func() bool { return len(descendants(cmd.Process.Pid)) == 2 })
	below := descendants(cmd.Process.Pid)
	killTree(cmd.Process.Pid)
	_ = cmd.Wait()
	for _, pid := range below {
		until.Holds(t, "all are gone", func() bool { return !running(pid) })
	}
}

// running reports whether a process exists and is not a zombie.
func running(pid int) bool {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, found := strings.Cut(string(text), ") ")
	return found && !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}
