package cell

import (
	"io"
	"os"
	"syscall"
	"unsafe"

	"pwpipe/internal/browser/reexec"
)

// Constants without names in package syscall. New system calls have the same numbers on
// all architectures.
const (
	prSetSecurebits  = 28
	prCapbsetDrop    = 24
	prSetNoNewPrivs  = 38
	secureNoRoot     = 0x2f // no capabilities for root, no kept or ambient ones, all for good
	seccompFilter    = 2
	capabilityV3     = 0x20080522
	landlockCreate   = 444
	landlockRule     = 445
	landlockRestrict = 446
	pathBeneath      = 1
	closeRange       = 436
	closeOnExec      = 4
	openPath         = 0x200000
	emptyPath        = 0x1000
)

// enter sets up the walls and becomes the program. It returns only if it fails.
func enter(fd int) (step string, err error) {
	reexec.DieWithParent()
	syscall.CloseOnExec(fd)
	syscall.CloseOnExec(fd + 1)
	if _, err := syscall.Write(fd+1, []byte{CanRead}); err != nil {
		return "telling", err
	}
	text, err := io.ReadAll(os.NewFile(uintptr(fd), "plan"))
	if err != nil {
		return "reading the plan", err
	}
	c, ok := parsePlan(text)
	if !ok {
		os.Exit(127) // the parent is gone already
	}
	// All of this applies to this thread, which is the one that stays.
	for _, s := range []struct {
		name string
		do   func(*Plan) error
	}{
		{"entering its folder", func(c *Plan) error { return syscall.Chdir(c.Dir) }},
		{"closing descriptors", closeRest},
		{"giving way to others", giveWay},
		{"limiting it", setLimits},
		{"dropping capabilities", dropCapabilities},
		{"no_new_privs", func(*Plan) error { return prctl(prSetNoNewPrivs, 1) }},
		{"Landlock", restrict},
	} {
		if err := s.do(&c); err != nil {
			return s.name, err
		}
	}
	reexec.DieWithParent() // the loss of capabilities may have removed it
	return becomeFiltered(&c)
}

func prctl(option, value uintptr) error {
	_, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, option, value, 0, 0, 0, 0)
	return failed(e)
}

// closeRest closes all other descriptors, inherited ones included: they are not for the
// program.
func closeRest(c *Plan) error {
	_, _, e := syscall.RawSyscall(closeRange, uintptr(c.Files), 1<<31-1, closeOnExec)
	if e == 0 {
		return nil
	}
	list, err := os.ReadDir("/proc/self/fd") // before Linux 5.11
	for _, f := range list {
		if fd, ok := number(f.Name()); ok && fd >= c.Files {
			syscall.CloseOnExec(fd)
		}
	}
	return err
}

// giveWay makes the kernel end this process first when memory is short, and run others
// before it. Neither is a wall, so a refusal is ignored: a process that was started
// with nice may not lower its priority value.
func giveWay(c *Plan) error {
	if f, err := os.OpenFile("/proc/self/oom_score_adj", os.O_WRONLY, 0); err == nil {
		_, _ = f.WriteString("1000\n")
		_ = f.Close()
	}
	left, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0) // 20 minus the nice value
	if err == nil && left > 20-c.Nice {
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, c.Nice)
	}
	return nil
}

func setLimits(c *Plan) error {
	for _, l := range c.Limits {
		var old syscall.Rlimit
		if err := syscall.Getrlimit(l.Resource, &old); err != nil {
			return err
		}
		limit := syscall.Rlimit{Cur: min(l.Max, old.Max), Max: min(l.Max, old.Max)}
		if _, _, e := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, 0, uintptr(l.Resource), uintptr(unsafe.Pointer(&limit)), 0, 0, 0); e != 0 {
			return e
		}
	}
	return nil
}

// dropCapabilities drops all, root's included. Without any there is nothing to drop.
func dropCapabilities(*Plan) error {
	_ = prctl(prSetSecurebits, secureNoRoot)
	for c := uintptr(0); c < 64; c++ {
		_ = prctl(prCapbsetDrop, c)
	}
	head := struct {
		version uint32
		pid     int32
	}{version: capabilityV3}
	var none [6]uint32
	_, _, e := syscall.RawSyscall(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&head)), uintptr(unsafe.Pointer(&none)), 0)
	return failed(e)
}

// restrict is Landlock.
func restrict(c *Plan) error {
	if c.Landlock == "" {
		return nil
	}
	fd, _, e := syscall.RawSyscall(landlockCreate, uintptr(unsafe.Pointer(unsafe.StringData(c.Landlock))), uintptr(len(c.Landlock)), 0)
	if e != 0 {
		return e
	}
	for _, b := range c.Beneath {
		if err := allowBeneath(fd, b); err != nil {
			return err
		}
	}
	_, _, e = syscall.RawSyscall(landlockRestrict, fd, 0, 0)
	return failed(e)
}

func allowBeneath(ruleset uintptr, b Beneath) error {
	at, err := syscall.Open(b.Path, openPath|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil // what can't be reached need not be allowed
	}
	defer syscall.Close(at)
	var st syscall.Stat_t
	if err := syscall.Fstat(at, &st); err != nil {
		return err
	}
	rights := b.File
	if st.Mode&syscall.S_IFMT == syscall.S_IFDIR {
		rights = b.Folder
	}
	if rights == 0 {
		return nil
	}
	rule := struct { // packed in the kernel, which reads only twelve bytes
		rights uint64
		at     int32
	}{rights, int32(at)}
	_, _, e := syscall.RawSyscall6(landlockRule, ruleset, pathBeneath, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	return failed(e)
}

// becomeFiltered sets the filter and becomes the program. Only these two calls are
// allowed in between, because the filter is strict.
func becomeFiltered(c *Plan) (step string, err error) {
	argv, err := syscall.SlicePtrFromStrings(append([]string{c.Program}, c.Args...))
	if err != nil {
		return "its arguments", err
	}
	envv, err := syscall.SlicePtrFromStrings(c.Env)
	if err != nil {
		return "its environment", err
	}
	filter := struct {
		size uint16
		at   unsafe.Pointer
	}{uint16(len(c.Filter) / 8), unsafe.Pointer(unsafe.StringData(c.Filter))}
	var empty byte
	if filter.size > 0 {
		if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, syscall.PR_SET_SECCOMP, seccompFilter, uintptr(unsafe.Pointer(&filter)), 0, 0, 0); e != 0 {
			return "seccomp", e
		}
	}
	_, _, e := syscall.RawSyscall6(uintptr(c.Execveat), uintptr(c.Becomes), uintptr(unsafe.Pointer(&empty)),
		uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envv[0])), emptyPath, 0)
	return "becoming " + c.Program + " by execveat", e
}

// report reports to the parent what failed.
func report(fd int, step string, err error) {
	_, _ = syscall.Write(fd+1, []byte(step+": "+err.Error()))
	os.Exit(127)
}

func failed(e syscall.Errno) error {
	if e != 0 {
		return e
	}
	return nil
}

// number is a decimal number, as names in /proc/self/fd are.
func number(s string) (n int, ok bool) {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' || n > 1<<24 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, s != ""
}

// enterIfAsked puts the walls up and becomes the program, where the environment
// names a plan.
func enterIfAsked() {
	if fd, ok := number(os.Getenv(FD)); ok {
		step, err := enter(fd)
		report(fd, step, err)
	}
}
