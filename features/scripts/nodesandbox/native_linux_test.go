package nodesandbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"pwpipe/features/scripts/nodesandbox"
	"pwpipe/internal/machine/cell"
)

// This test's binary runs in Node's place, like code that escaped through a hole
// in Node. The kernel's walls hold it, too.

func TestMain(m *testing.M) {
	cell.Run()
	if i := slices.Index(os.Args, "hostile"); i > 0 {
		hostile(os.Args[i+1], os.Args[i+2])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// hostile runs one kind of attack.
func hostile(what, text string) {
	switch what {
	case "calls", "control":
		var w world
		if err := json.Unmarshal([]byte(text), &w); err != nil {
			panic(err)
		}
		results := map[string]string{}
		for _, a := range nativeAttempts(&w) {
			if what == "control" && !a.harmless {
				continue
			}
			results[a.name] = "done"
			if e := a.do(); e != 0 {
				results[a.name] = unix.ErrnoName(e)
			}
		}
		out, _ := json.Marshal(results)
		os.Stdout.Write(append(out, 10))
	case "i386", "x32":
		foreign(what)
	case "parent":
		parent(text)
	case "memory":
		hold()
	case "threads":
		for range 5000 {
			go func() {
				runtime.LockOSThread()
				_ = unix.Pause()
			}()
		}
		_ = unix.Pause()
	}
}

// native is one attempt. A harmless one also runs in the control, without a cell,
// and works there.
type native struct {
	name     string
	harmless bool
	do       func() unix.Errno
}

// sys is a system call with text and byte arguments.
func sys(nr uintptr, args ...any) func() unix.Errno {
	return func() unix.Errno {
		var a [6]uintptr
		for i, arg := range args {
			switch v := arg.(type) {
			case int:
				a[i] = uintptr(v)
			case string:
				a[i] = uintptr(unsafe.Pointer(&append([]byte(v), 0)[0]))
			case []byte:
				a[i] = uintptr(unsafe.Pointer(&v[0]))
			}
		}
		_, _, e := unix.RawSyscall6(nr, a[0], a[1], a[2], a[3], a[4], a[5])
		runtime.KeepAlive(args)
		return e
	}
}

// nativeRefusals are errors of the filter, of Landlock, or of a limit.
var nativeRefusals = []string{"EPERM", "EACCES", "ENOSYS", "ENOTTY", "ESRCH"}

// asNode is this test's binary under the name of Node.
func asNode(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	path := filepath.Join(t.TempDir(), "node")
	if os.Link(self, path) != nil {
		text, err := os.ReadFile(self)
		must(t, err)
		must(t, os.WriteFile(path, text, 0o755))
	}
	return path
}

// TestHostileNative: no attack of native code in Node's place works.
func TestHostileNative(t *testing.T) { everywhere(t, hostileNative) }

func hostileNative(t *testing.T) {
	program := asNode(t)
	free, confined := newWorld(t), newWorld(t)
	given := func() (*os.File, *os.File) {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		must(t, err)
		a, b := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
		t.Cleanup(func() { a.Close(); b.Close() })
		return a, b
	}
	_, theirs := given()
	control := exec.Command(program, "hostile", "control", free.json(t))
	control.ExtraFiles = []*os.File{theirs}
	said, err := control.Output()
	if err != nil {
		t.Fatalf("the control: %v", err)
	}
	outside := attempts(t, said)

	_, theirs = given()
	var out bytes.Buffer
	c, err := nodesandbox.Start(nodesandbox.Options{Node: program, Args: []string{"hostile", "calls", confined.json(t)}, Read: confined.read, Scratch: confined.Scratch,
		Files: []*os.File{theirs}, Stderr: &out})
	must(t, err)
	if err := c.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	inside := attempts(t, out.Bytes())
	for _, a := range nativeAttempts(confined) {
		if came := inside[a.name]; !slices.Contains(nativeRefusals, came) {
			t.Errorf("%s: %q", a.name, came)
		}
		if came := outside[a.name]; a.harmless && came != "done" {
			t.Errorf("%s does not work without a cell either: %s", a.name, came)
		}
	}
	if t.Failed() {
		return
	}
	for _, name := range []string{"soft2", "hard2", "pipe"} {
		if _, err := os.Lstat(filepath.Join(confined.Scratch, name)); err == nil {
			t.Errorf("there is %s", name)
		}
	}
	confined.unharmed(t)
}

// foreign calls getpid of another architecture: 20 of i386, by its interrupt; 39
// of x32, by a bit in the number.
func foreign(which string) {
	code := []byte{0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3} // mov eax, 20; int 0x80; ret
	if which == "x32" {
		code = []byte{0xb8, 39, 0, 0, 0x40, 0x0f, 0x05, 0xc3} // mov eax, 0x40000027; syscall; ret
	}
	page, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		panic(err)
	}
	copy(page, code)
	entry := unsafe.Pointer(&page[0])
	at := unsafe.Pointer(&entry)
	runtime.LockOSThread()
	(*(*func())(unsafe.Pointer(&at)))()
	fmt.Println("it was answered")
}

// TestForeignCalls: calls of other architectures end the process, because the
// filter would misread their numbers.
func TestForeignCalls(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("amd64 has them")
	}
	program := asNode(t)
	for _, which := range []string{"i386", "x32"} {
		var out bytes.Buffer
		c, err := nodesandbox.Start(nodesandbox.Options{Node: program, Args: []string{"hostile", which, ""}, Scratch: t.TempDir(), Stderr: &out})
		must(t, err)
		err = c.Wait()
		if exit, ok := err.(*exec.ExitError); !ok || exit.Sys().(syscall.WaitStatus).Signal() != unix.SIGSYS || strings.Contains(out.String(), "answered") {
			t.Errorf("%s: %v, %s", which, err, out.String())
		}
	}
}

// hold allocates memory and touches it.
func hold() {
	for {
		page, err := unix.Mmap(-1, 0, 64<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
		if err != nil {
			continue
		}
		for i := 0; i < len(page); i += 4096 {
			page[i] = 1
		}
	}
}
