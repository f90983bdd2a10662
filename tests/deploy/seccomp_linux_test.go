//go:build evidence

package deploy

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"pwpipe/internal/pipetest"
)

// profile is a container engine's seccomp profile, as far as ours uses it.
type profile struct {
	DefaultAction   string `json:"defaultAction"`
	DefaultErrnoRet uint32 `json:"defaultErrnoRet"`
	ArchMap         []struct {
		Architecture     string   `json:"architecture"`
		SubArchitectures []string `json:"subArchitectures"`
	} `json:"archMap"`
	Syscalls []rule `json:"syscalls"`
}

type rule struct {
	Comment  string   `json:"comment"`
	Action   string   `json:"action"`
	ErrnoRet uint32   `json:"errnoRet"`
	Names    []string `json:"names"`
	Args     []struct {
		Index    uint32 `json:"index"`
		Value    uint32 `json:"value"`
		ValueTwo uint32 `json:"valueTwo"`
		Op       string `json:"op"`
	} `json:"args"`
}

func loadProfile(t *testing.T) profile {
	t.Helper()
	var p profile
	dec := json.NewDecoder(strings.NewReader(read(t, "seccomp.json")))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		t.Fatal(err)
	}
	return p
}

// numbers are this machine's system calls by name, from the package that knows
// them.
func numbers(t *testing.T) map[string]uint32 {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "golang.org/x/sys/unix").Output()
	if err != nil {
		t.Skip("no source of golang.org/x/sys/unix:", err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "zsysnum_linux_amd64.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]uint32{}
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if lit, ok := v.Values[0].(*ast.BasicLit); ok {
			nr, _ := strconv.ParseUint(lit.Value, 10, 32)
			list[strings.ToLower(strings.TrimPrefix(v.Names[0].Name, "SYS_"))] = uint32(nr)
		}
		return true
	})
	return list
}

// The profile refuses calls that it does not name. It names no call that leads
// out of a container, and none that does not exist.
func TestSeccompProfile(t *testing.T) {
	p, known := loadProfile(t), numbers(t)
	if p.DefaultAction != "SCMP_ACT_ERRNO" || len(p.ArchMap) != 1 || p.ArchMap[0].Architecture != "SCMP_ARCH_X86_64" || len(p.ArchMap[0].SubArchitectures) != 0 {
		t.Errorf("%+v", p)
	}
	for _, r := range p.Syscalls {
		for _, name := range r.Names {
			if _, ok := known[name]; !ok {
				t.Errorf("there is no system call %s", name)
			}
			if slices.Contains([]string{"mount", "umount2", "setns", "ptrace", "bpf", "keyctl", "add_key", "init_module", "kexec_load", "open_by_handle_at", "pivot_root", "userfaultfd", "io_uring_setup", "process_vm_writev"}, name) {
				t.Errorf("%s is allowed", name)
			}
			if namespaces := name == "clone" || name == "unshare"; namespaces && (len(r.Args) != 1 || r.Args[0].Op != "SCMP_CMP_MASKED_EQ") {
				t.Errorf("%s is allowed with any flag", name)
			}
		}
	}
}

// TestConfinedBySeccomp: under the profile, without capabilities and without
// new privileges, as in compose.yaml, the browser runs with its sandbox on.
// Without the additions to an engine's own profile it can't. The kernel decides
// here, not an engine.
func TestConfinedBySeccomp(t *testing.T) {
	pipetest.InCI(t, "it is about a profile for containers")
	if runtime.GOARCH != "amd64" {
		t.Skip("the profile is for amd64, as the image is")
	}
	p := loadProfile(t)
	u := pipetest.NormalUser(t)
	if out, err := u.Command("doctor").CombinedOutput(); err != nil || !strings.Contains(string(out), "sandbox    ok") {
		t.Skipf("no sandbox for Chromium here, profile or not: %v\n%s", err, out)
	}
	under := func(name string, p profile, args ...string) *exec.Cmd {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, program(t, p), 0o600); err != nil {
			t.Fatal(err)
		}
		own := u.Command()
		cmd := exec.Command(os.Args[0], append([]string{file, own.Path}, args...)...)
		cmd.Env, cmd.Dir = append(own.Env, confineMe+"=1"), own.Dir
		return cmd
	}
	pipe := pipetest.StartCmd(t, under("ours", p, "--browser-sandbox", "on", "--site"))
	pipe.Call("nav", []any{"/login"})
	if got := pipe.Text("txt", []any{"h1"}); got != "Sign in" {
		t.Errorf("got %q", got)
	}
	without := p
	without.Syscalls = slices.DeleteFunc(slices.Clone(p.Syscalls), func(r rule) bool { return slices.Contains(r.Names, "chroot") })
	for i, r := range without.Syscalls {
		if slices.Contains(r.Names, "unshare") { // as an engine's own: clone, and no namespaces at all
			r.Names, r.Args = []string{"clone"}, slices.Clone(r.Args)
			r.Args[0].Value = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET
			without.Syscalls[i] = r
		}
	}
	out, err := under("without", without, "--browser-sandbox", "on").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "a seccomp profile forbids them") || !strings.Contains(string(out), "seccomp=deploy/seccomp.json") {
		t.Errorf("under an engine's own profile: %v %s", err, out)
	}
}

// program is a profile in the kernel's form.
func program(t *testing.T, p profile) []byte {
	t.Helper()
	known := numbers(t)
	const nr, arch, args = 0, 4, 16 // offsets in seccomp_data
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	unless := func(k uint32, skip int) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: uint8(skip), K: k}
	}
	answer := func(action string, errno uint32) unix.SockFilter {
		k := uint32(unix.SECCOMP_RET_ALLOW)
		if action == "SCMP_ACT_ERRNO" {
			k = unix.SECCOMP_RET_ERRNO | errno
		}
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k}
	}
	code := []unix.SockFilter{load(arch), unless(unix.AUDIT_ARCH_X86_64, 1), load(nr), {Code: unix.BPF_JMP | unix.BPF_JA, K: 1}, answer("SCMP_ACT_ERRNO", 38)}
	code[1].Jf, code[3].K = 2, 1
	for _, r := range p.Syscalls {
		for _, name := range r.Names {
			if len(r.Args) == 0 {
				code = append(code, unless(known[name], 1), answer(r.Action, r.ErrnoRet))
				continue
			}
			a := r.Args[0]
			mask, want := uint32(0xffffffff), a.Value
			if a.Op == "SCMP_CMP_MASKED_EQ" {
				mask, want = a.Value, a.ValueTwo
			}
			code = append(code, unless(known[name], 5), load(args+8*a.Index),
				unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: mask}, unless(want, 1), answer(r.Action, r.ErrnoRet), load(nr))
		}
	}
	code = append(code, answer(p.DefaultAction, p.DefaultErrnoRet))
	return unsafe.Slice((*byte)(unsafe.Pointer(&code[0])), len(code)*int(unsafe.Sizeof(code[0])))
}

// confineMe makes the test binary the step between: it drops its rights, sets
// the filter of its first argument, and becomes the rest.
const confineMe = "PWPIPE_TEST_CONFINE"

func confined() {
	runtime.LockOSThread()
	must := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, "confining:", err)
			os.Exit(1)
		}
	}
	text, err := os.ReadFile(os.Args[1])
	must(err)
	size := int(unsafe.Sizeof(unix.SockFilter{}))
	code := unsafe.Slice((*unix.SockFilter)(unsafe.Pointer(&text[0])), len(text)/size)
	if os.Geteuid() == 0 {
		for c := range uintptr(unix.CAP_LAST_CAP + 1) {
			_ = unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
		}
		must(unix.Setgroups(nil))
		must(unix.Setresgid(nobody, nobody, nobody))
		must(unix.Setresuid(nobody, nobody, nobody))
	}
	must(unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	filter := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&filter)))
	if errno != 0 {
		must(errno)
	}
	_ = os.Unsetenv(confineMe)
	must(unix.Exec(os.Args[2], os.Args[2:], os.Environ()))
}

const nobody = 65534

func init() {
	if os.Getenv(confineMe) != "" {
		confined()
	}
}
