package nodesandbox_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"pwpipe/features/scripts/nodesandbox"
)

// sleeping is a cell that waits to be killed.
func sleeping(t *testing.T) *nodesandbox.Cell {
	t.Helper()
	in, theirs, err := os.Pipe()
	must(t, err)
	defer in.Close()
	c, err := nodesandbox.Start(nodesandbox.Options{Node: node(t), Args: []string{"-e", "require('fs').writeSync(3, 'x'); setInterval(() => {}, 1e6)"},
		Scratch: t.TempDir(), Files: []*os.File{theirs}})
	must(t, err)
	t.Cleanup(func() { c.Kill(); <-c.Done() })
	must(t, theirs.Close())
	if _, err := in.Read(make([]byte, 1)); err != nil {
		t.Fatalf("it did not begin: %v", c.Wait())
	}
	return c
}

// TestWalls: the reported walls agree with the kernel's data about a cell.
func TestWalls(t *testing.T) {
	stands := map[string]bool{}
	for _, w := range nodesandbox.Walls() {
		stands[w.Name] = w.Stands
		if w.Stands != (w.Why == "") {
			t.Errorf("%+v", w)
		}
	}
	c := sleeping(t)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.PID()))
	must(t, err)
	line := func(name string) string {
		_, rest, _ := strings.Cut(string(status), "\n"+name+":")
		value, _, _ := strings.Cut(rest, "\n")
		return strings.TrimSpace(value)
	}
	other := func(ns string) bool {
		ours, err := os.Readlink("/proc/self/ns/" + ns)
		must(t, err)
		its, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/%s", c.PID(), ns))
		must(t, err)
		return ours != its
	}
	if got := line("Seccomp") == "2"; got != stands["seccomp"] {
		t.Errorf("seccomp %t, said to be %t", got, stands["seccomp"])
	}
	for _, ns := range []string{"user", "net", "pid", "ipc", "uts"} {
		if other(ns) != stands["namespaces"] {
			t.Errorf("its namespace %s is another: %t, namespaces are said to stand: %t", ns, other(ns), stands["namespaces"])
		}
	}
	if nodesandbox.NetworkClosed() != (stands["seccomp"] || stands["namespaces"]) {
		t.Error("the network is said to be", nodesandbox.NetworkClosed())
	}
	if line("NoNewPrivs") != "1" || strings.Trim(line("CapEff")+line("CapPrm")+line("CapInh")+line("CapAmb"), "0") != "" {
		t.Errorf("it has rights: %s", status)
	}
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", c.PID()))
	must(t, err)
	for _, want := range []string{"Max core file size        0                    0", "Max open files            256                  256"} {
		if !strings.Contains(string(limits), want) {
			t.Errorf("no %q in %s", want, limits)
		}
	}
	if pss := c.PSS(); pss < 5<<20 || pss > 200<<20 {
		t.Errorf("it holds %d bytes", pss)
	}
	list, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", c.PID()))
	must(t, err)
	for _, task := range list { // each thread has the filter
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/status", c.PID(), task.Name()))
		if stands["seccomp"] && !strings.Contains(string(text), "Seccomp:\t2") {
			t.Errorf("thread %s: %s", task.Name(), text)
		}
	}
}

// TestEndsWithUs: a busy cell ends when its starter is killed.
func TestEndsWithUs(t *testing.T) {
	self, err := os.Executable()
	must(t, err)
	parent := exec.Command(self, "hostile", "parent", node(t)+"\n"+t.TempDir())
	out, err := parent.StdoutPipe()
	must(t, err)
	must(t, parent.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	must(t, err)
	fd, err := unix.PidfdOpen(pid, 0)
	must(t, err)
	defer unix.Close(fd)
	must(t, parent.Process.Kill())
	_ = parent.Wait()
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(time.Minute/time.Millisecond))
	if n != 1 || err != nil {
		t.Errorf("it lives on: %d, %v", n, err)
		_ = unix.Kill(pid, unix.SIGKILL)
	}
}

// parent starts an endless cell, and prints its process id.
func parent(what string) {
	program, dir, _ := strings.Cut(what, "\n")
	c, err := nodesandbox.Start(nodesandbox.Options{Node: program, Args: []string{"-e", "for (;;);"}, Scratch: dir})
	if err != nil {
		panic(err)
	}
	fmt.Println(c.PID())
	<-c.Done()
}

// TestWithoutLandlock: without Landlock the other walls stand, with Node's
// permission model if Node has one.
func TestWithoutLandlock(t *testing.T) {
	nodesandbox.WithoutLandlock(t)
	names := []string{}
	for _, w := range nodesandbox.Walls() {
		names = append(names, fmt.Sprint(w.Name, " ", w.Stands))
	}
	if got := strings.Join(names, ", "); !strings.HasPrefix(got, "Landlock false, seccomp ") || !strings.HasSuffix(got, "permission model true") {
		t.Error(got)
	}
	said, err := run(t, nodesandbox.Options{Node: node(t), Args: []string{"-e", `const fs = require("fs"), t = (f) => { try { f(); return "done" } catch (e) { return e.code } };
		console.log(t(() => fs.writeFileSync("x", "")), t(() => fs.readFileSync("/etc/passwd")), t(() => process.kill(1e9, 0)), process.version)`}}, "")
	if err != nil || !strings.HasPrefix(said, "done ERR_ACCESS_DENIED E") && !strings.Contains(said, " v18.") {
		t.Errorf("%v: %s", err, said)
	}
}

// TestRefused: a failed start says why.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "node")
	must(t, os.WriteFile(broken, []byte("#!/bin/sh\nexit 3\n"), 0o755))
	for _, o := range []nodesandbox.Options{
		{Node: "node", Scratch: dir}, {Node: "/nowhere/node", Scratch: dir}, {Node: broken, Scratch: dir},
		{Node: node(t), Scratch: filepath.Join(dir, "nowhere")}, {Node: node(t), Scratch: dir, Files: make([]*os.File, 100)},
	} {
		if c, err := nodesandbox.Start(o); err == nil || !strings.HasPrefix(err.Error(), "cell: ") {
			t.Errorf("%+v: %v", o, err)
			if c != nil {
				c.Kill()
			}
		}
	}
}

// TestScript: a Node that is a script, such as a shim, is found.
func TestScript(t *testing.T) {
	shim := filepath.Join(t.TempDir(), "node")
	must(t, os.WriteFile(shim, []byte("#!/bin/sh\nexec "+node(t)+" \"$@\"\n"), 0o755))
	said, err := run(t, nodesandbox.Options{Node: shim, Args: []string{"-e", "console.log(process.version)"}}, "")
	if err != nil || !strings.HasPrefix(said, "v") {
		t.Errorf("%v: %s", err, said)
	}
}

// BenchmarkStart: the cost of the walls at the start and end of a bare Node.
func BenchmarkStart(b *testing.B) {
	program, dir := node(b), b.TempDir()
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			cmd := exec.Command(program, "-e", "0")
			cmd.Env, cmd.Dir = []string{"HOME=" + dir}, dir
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("cell", func(b *testing.B) {
		for b.Loop() {
			c, err := nodesandbox.Start(nodesandbox.Options{Node: program, Args: []string{"-e", "0"}, Scratch: dir})
			if err != nil || c.Wait() != nil {
				b.Fatal(err, c.Wait())
			}
		}
	})
}
