package nodesandbox

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"pwpipe/internal/machine/cell"
	"pwpipe/internal/machine/self"
)

// maxOpenFiles bounds the descriptors of a cell; it is executed by the number after
// them. That number is passed on: in a process with threads the kernel takes ten
// milliseconds for a number that high, and our child has threads.
const maxOpenFiles = 256

// leastOpenFiles is the number that a Node with Playwright needs.
const leastOpenFiles = 48

// spareFiles are higher numbers that a start needs for a moment, besides one for each
// file: Go moves descriptors that are in the way.
const spareFiles = 8

// openFiles is the bound if this process itself may not have that many.
func openFiles(given int) (int, error) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("cell: the limit of open files: %w", err)
	}
	spare := uint64(given + spareFiles)
	if limit.Max < leastOpenFiles+spare {
		return 0, fmt.Errorf("cell: the limit of open files (ulimit -n) is %d; scripts need %d", limit.Max, leastOpenFiles+spare)
	}
	return int(min(limit.Max-spare, maxOpenFiles)), nil
}

// maxFiles bounds the descriptors that are given to it.
const maxFiles = 32

// start starts our own binary, which sets up the walls and becomes Node.
func (c *Cell) start() error {
	p, err := c.plan()
	if err != nil {
		return err
	}
	for _, ns := range namespaces {
		if err = c.enter(p, ns); !errors.Is(err, errNamespaces) {
			return err
		}
	}
	return err
}

// errNamespaces: the namespaces were refused, which are optional.
var errNamespaces = errors.New("no namespaces")

// enter starts the process in new namespaces, and gives it its plan.
func (c *Cell) enter(p cell.Plan, ns uintptr) error {
	own, err := self.ForFork()
	if err = cmp.Or(err, cell.Ready()); err != nil {
		return fmt.Errorf("cell: %w", err)
	}
	planOut, planIn, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("cell: %w", err)
	}
	defer planIn.Close()
	defer planOut.Close()
	reportsOut, reportsIn, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("cell: %w", err)
	}
	defer reportsOut.Close()
	defer reportsIn.Close()
	program, err := os.OpenFile(p.Program, unix.O_PATH, 0)
	if err != nil {
		return fmt.Errorf("cell: %w", err)
	}
	defer program.Close()
	c.cmd = c.command(own, p.Becomes, planOut, reportsIn, program)
	c.cmd.SysProcAttr = attributes(ns)
	if err := onOneThread(c.cmd.Start); err != nil {
		if ns != 0 {
			return fmt.Errorf("%w: %w", errNamespaces, err)
		}
		return fmt.Errorf("cell: starting %s: %w", own, err)
	}
	_ = planOut.Close()
	_ = reportsIn.Close()
	if err := handOver(p, c.cmd.Process.Pid, ns, planIn, reportsOut); err != nil {
		_ = c.cmd.Process.Kill()
		_ = c.cmd.Wait()
		return fmt.Errorf("cell: %w", err)
	}
	return nil
}

// command is our own binary, with its task in the environment.
func (c *Cell) command(own string, becomes int, plan, reports, program *os.File) *exec.Cmd {
	cmd := exec.Command(own)
	cmd.Env = []string{cell.FD + "=" + strconv.Itoa(3+len(c.o.Files))}
	cmd.Dir = "/"
	cmd.ExtraFiles = make([]*os.File, becomes-2) // the first is 3
	copy(cmd.ExtraFiles, append(slices.Clone(c.o.Files), plan, reports))
	cmd.ExtraFiles[becomes-3] = program
	cmd.WaitDelay = lastWords
	if c.o.Stderr != nil {
		w := writer{c.o.Stderr}
		cmd.Stdout, cmd.Stderr = w, w
	}
	return cmd
}

// attributes: a session of its own, without a terminal, and namespaces in which it is
// an unprivileged user.
func attributes(ns uintptr) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setsid: true, Cloneflags: ns}
	if ns&unix.CLONE_NEWUSER != 0 {
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: 1000, HostID: os.Geteuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: 1000, HostID: os.Getegid(), Size: 1}}
	}
	return a
}

// handOver gives the child its plan, and waits until it has become Node. It sends the
// plan only after the child reports that the kernel will end it with us. If we are
// killed before, the child finds no plan.
func handOver(p cell.Plan, pid int, ns uintptr, plan, reports *os.File) error {
	var ready [1]byte
	if _, err := io.ReadFull(reports, ready[:]); err != nil || ready[0] != cell.CanRead {
		return errors.New("the process ended before it was one")
	}
	if ns&unix.CLONE_NEWPID != 0 {
		pid = 1
	}
	if filters() {
		p.Filter = filter(pid, p.Becomes, ns&unix.CLONE_NEWPID != 0)
	}
	if _, err := plan.Write(p.Text()); err != nil {
		return err
	}
	_ = plan.Close()
	said, err := io.ReadAll(io.LimitReader(reports, 4<<10))
	if err == nil && len(said) > 0 {
		err = errors.New(string(said))
	}
	return err
}

// plan is what the child does to itself.
func (c *Cell) plan() (cell.Plan, error) {
	if len(c.o.Files) > maxFiles {
		return cell.Plan{}, fmt.Errorf("cell: %d files, more than %d", len(c.o.Files), maxFiles)
	}
	needs, err := needsOf(c.o.Node)
	if err != nil {
		return cell.Plan{}, err
	}
	files, err := openFiles(len(c.o.Files))
	if err != nil {
		return cell.Plan{}, err
	}
	p := cell.Plan{
		Dir: c.o.Scratch, Program: needs.program, Args: c.args(), Env: environment(c.o), Files: 3 + len(c.o.Files),
		Limits: limits(c.o.Memory, files), Nice: niceness,
		Becomes: files, Execveat: unix.SYS_EXECVEAT,
	}
	abi := landlockABI()
	p.Landlock, p.Beneath = landlock(abi, needs, c.o)
	if abi == 0 {
		p.Args = append(permissionFlags(c.o), p.Args...)
	}
	return p, nil
}

// The kernel's parent-death signal belongs to the thread that forks, so one thread that
// stays starts all of them.
var starting = sync.OnceValue(func() chan<- func() {
	starts := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range starts {
			f()
		}
	}()
	return starts
})

func onOneThread(f func() error) error {
	done := make(chan error, 1)
	starting() <- func() { done <- f() }
	return <-done
}
