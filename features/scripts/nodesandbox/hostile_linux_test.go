package nodesandbox_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"pwpipe/features/scripts/nodesandbox"
)

// refusals are the errors with which an attempt may be refused.
var refusals = []string{"EACCES", "EPERM", "EXDEV", "ENOSYS", "EFBIG", "EAI_AGAIN", "ERR_DLOPEN_DISABLED", "ERR_SYSTEM_ERROR", "ECONNREFUSED", "ESRCH"}

// world is what hostile code knows, and attacks.
type world struct {
	Scratch     string `json:"scratch"`
	Outside     string `json:"outside"`
	Secret      string `json:"secret"`
	Module      string `json:"module"`
	Home        string `json:"home"`
	Readable    string `json:"readable"`
	Removable   string `json:"removable"`
	Movable     string `json:"movable"`
	Folder      string `json:"folder"`
	Library     string `json:"library"`
	Parent      int    `json:"parent"`
	ParentGroup int    `json:"parentGroup"`
	FD          int    `json:"fd"`
	Victim      int    `json:"victim"`
	Stranger    int    `json:"stranger"`
	TCP         int    `json:"tcp"`
	TCP6        int    `json:"tcp6"`
	UDP         int    `json:"udp"`
	Unix        string `json:"unix"`
	Abstract    string `json:"abstract"`
	URL         string `json:"url"`
	UID         int    `json:"uid"`
	GID         int    `json:"gid"`

	read    []string // paths that the cell may read
	touched func() []string
}

// newWorld makes one. touched returns what reached its network.
func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"scratch", "outside", "read", "read/folder", "home", "native"} {
		must(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	at := func(name, text string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	secret := at("home/secret", "the secret")
	must(t, os.Symlink(secret, filepath.Join(dir, "scratch", "link")))
	fd, err := os.Open(secret)
	must(t, err)
	t.Cleanup(func() { fd.Close() })
	w := &world{
		Scratch: filepath.Join(dir, "scratch"), Outside: filepath.Join(dir, "outside"), Secret: secret, Home: filepath.Join(dir, "home"),
		Module: at("outside/module.cjs", "module.exports = 1"), Readable: at("read/readable", "as it was"), Removable: at("read/removable", "x"),
		Movable: at("read/movable", "x"), Folder: filepath.Join(dir, "read/folder"), Library: library(t, dir),
		Parent: os.Getpid(), ParentGroup: unix.Getpgrp(), FD: int(fd.Fd()), Victim: stranger(t), Stranger: stranger(t),
		UID: os.Getuid(), GID: os.Getgid(), read: []string{filepath.Join(dir, "read")},
	}
	w.serve(t)
	return w
}

// serve is its network.
func (w *world) serve(t *testing.T) {
	t.Helper()
	came := make(chan string, 1000)
	w.touched = func() (list []string) {
		for {
			select {
			case what := <-came:
				list = append(list, what)
			default:
				return list
			}
		}
	}
	accept := func(network, address string) net.Addr {
		l, err := net.Listen(network, address)
		if network == "tcp6" && err != nil {
			return &net.TCPAddr{Port: 1}
		}
		must(t, err)
		t.Cleanup(func() { l.Close() })
		go func() {
			for c, err := l.Accept(); err == nil; c, err = l.Accept() {
				came <- network + " " + address
				c.Close()
			}
		}()
		return l.Addr()
	}
	w.TCP = accept("tcp", "127.0.0.1:0").(*net.TCPAddr).Port
	w.TCP6 = accept("tcp6", "[::1]:0").(*net.TCPAddr).Port
	w.Unix = filepath.Join(w.Outside, "socket")
	accept("unix", w.Unix)
	w.Abstract = "pwpipe-cell-" + rand.Text()
	accept("unix", "@"+w.Abstract)
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { udp.Close() })
	w.UDP = udp.LocalAddr().(*net.UDPAddr).Port
	go func() {
		b := make([]byte, 2048)
		for n, from, err := udp.ReadFrom(b); err == nil; n, from, err = udp.ReadFrom(b) {
			came <- "udp"
			if n > 12 { // a DNS client's query: answer with an address
				answer := append(slices.Clone(b[:n]), 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1)
				answer[2], answer[3], answer[7], answer[11] = 0x81, 0x80, 1, 0
				_, _ = udp.WriteTo(answer, from)
			}
		}
	}()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { came <- "http" }))
	t.Cleanup(server.Close)
	w.URL = server.URL
}

// library is native code that Node could load without a cell.
func library(t *testing.T, dir string) string {
	t.Helper()
	for _, path := range []string{"/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6", "/lib64/libm.so.6"} {
		if text, err := os.ReadFile(path); err == nil {
			copied := filepath.Join(dir, "scratch", "library.node")
			must(t, os.WriteFile(copied, text, 0o644))
			return copied
		}
	}
	return "/nowhere"
}

// stranger is a process of ours outside of the cell.
func stranger(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("sleep", "1000")
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd.Process.Pid
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// attempts returns the results of the attempts, by name.
func attempts(t *testing.T, said []byte) map[string]string {
	t.Helper()
	results := map[string]string{}
	at := bytes.LastIndexByte(bytes.TrimSpace(said), '\n') + 1 // Node may warn before
	if err := json.Unmarshal(said[at:], &results); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return results
}

// everywhere tests without namespaces and, if available, with them.
func everywhere(t *testing.T, test func(*testing.T)) {
	t.Run("namespaces", test)
	t.Run("no namespaces", func(t *testing.T) {
		nodesandbox.WithoutNamespaces(t)
		test(t)
	})
}

// TestHostileScript: no attack of JavaScript works in a cell, and all work
// without one.
func TestHostileScript(t *testing.T) { everywhere(t, hostileScript) }

func hostileScript(t *testing.T) {
	script, err := filepath.Abs("testdata/attempts.cjs")
	must(t, err)
	program := node(t)
	free, confined := newWorld(t), newWorld(t)

	control := exec.Command(program, script, free.json(t))
	control.Dir, control.Env = free.Scratch, []string{"HOME=" + free.Home}
	said, err := control.Output()
	if err != nil {
		t.Fatalf("the control: %v", err)
	}
	outside := attempts(t, said)

	var out bytes.Buffer
	c, err := nodesandbox.Start(nodesandbox.Options{Node: program, Args: []string{script, confined.json(t)}, Read: append(confined.read, script), Scratch: confined.Scratch, Stderr: &out})
	must(t, err)
	if err := c.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	inside := attempts(t, out.Bytes())
	for name, came := range inside {
		if !slices.Contains(refusals, came) {
			t.Errorf("%s: %s", name, came)
		}
	}
	for name, came := range outside {
		if came != "done" && !slices.Contains(hopeless, name) {
			t.Errorf("%s does not work without a cell either: %s", name, came)
		}
	}
	if len(inside) != len(outside) || len(inside) < 60 {
		t.Errorf("%d attempts inside, %d outside", len(inside), len(outside))
	}
	confined.unharmed(t)
}

// hopeless are attempts that may fail without a cell, too.
var hopeless = []string{"connect by IPv6", "connect to an abstract socket", "load native code", "groups", "a file that is too large", "the first process", "list home"}

func (w *world) json(t *testing.T) string {
	t.Helper()
	text, err := json.Marshal(w)
	must(t, err)
	return string(text)
}

// unharmed checks that nothing has changed.
func (w *world) unharmed(t *testing.T) {
	t.Helper()
	if came := w.touched(); len(came) > 0 {
		t.Errorf("from inside came %s", strings.Join(came, ", "))
	}
	for path, want := range map[string]string{w.Readable: "as it was", w.Secret: "the secret", w.Removable: "x", w.Movable: "x"} {
		if text, err := os.ReadFile(path); string(text) != want {
			t.Errorf("%s is %q, %v", path, text, err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o644 || info.ModTime().Year() < 2000 || info.Sys().(*syscall.Stat_t).Nlink != 1 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	own, _ := unix.Getpriority(unix.PRIO_PROCESS, 0)
	for _, pid := range []int{w.Victim, w.Stranger} {
		if err := unix.Kill(pid, 0); err != nil {
			t.Errorf("process %d: %v", pid, err)
		}
		if nice, err := unix.Getpriority(unix.PRIO_PROCESS, pid); err != nil || nice != own {
			t.Errorf("process %d has priority %d, not %d: %v", pid, nice, own, err)
		}
	}
	if list, err := os.ReadDir(w.Outside); err != nil || len(list) != 2 {
		t.Errorf("outside are %v, %v", list, err)
	}
	if _, err := os.Stat(w.Folder); err != nil {
		t.Error(err)
	}
}
