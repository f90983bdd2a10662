package driver

import (
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Playwright starts each browser in a process group of its own, and all of its
// processes stay in it, even if their parents end. Most end by themselves when the
// browser's main process does: their pipe to it closes. A stopped process (SIGSTOP, or
// a debugger) does not read this. The group finds it, and SIGKILL works on stopped
// processes.

// keeper knows the browsers of a driver.
type keeper struct {
	mu    sync.Mutex
	kept  []keptBrowser
	ended bool
}

// keptBrowser is a browser, or all that the driver has started itself.
type keptBrowser struct {
	groups []int // by their leaders' process ids
	warden *warden
}

// warden is a process that outlives us for a moment, because nobody else could end
// stopped processes after us.
type warden struct {
	cmd *exec.Cmd
	in  io.Closer // the kernel closes it when we are gone
}

// KeepBrowsers ensures that no process of the driver's browsers outlives us, however we
// end. Call it after a browser was started. own are the browsers that we have started
// for the driver, as leaders of groups; none stands for all that it has started itself.
func (d *Driver) KeepBrowsers(own ...int) {
	if d.pid == 0 {
		return
	}
	groups := own
	if len(own) == 0 {
		groups = leaders(descendants(d.pid))
	}
	k := &d.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ended {
		killGroups(groups)
		return
	}
	if len(groups) > 0 {
		k.kept = append(k.kept, keptBrowser{groups, startWarden(groups)})
	}
}

// EndBrowser ends the remaining processes of a browser that we have started, whose process
// id may be used again after that.
func (d *Driver) EndBrowser(leader int) {
	k := &d.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = slices.DeleteFunc(k.kept, func(b keptBrowser) bool {
		if !slices.Contains(b.groups, leader) {
			return false
		}
		b.end()
		return true
	})
}

func (b keptBrowser) end() {
	killGroups(b.groups)
	if b.warden != nil {
		b.warden.dismiss()
	}
}

// wardenScript waits for the end of its input, which is our end, also by SIGKILL. It
// gives the browsers five seconds in all to write their profiles, and then ends the rest of
// each group. (A process in state Z has ended and was not waited for.)
const wardenScript = `read x
alive() { read -r s < "/proc/$1/stat" && case $s in *") Z "*) false ;; esac; }
n=0
for leader; do
  while [ $n -lt 50 ] && alive "$leader"; do sleep 0.1 || sleep 1; n=$((n+1)); done
  kill -9 "-$leader"
done`

// startWarden starts one for groups, nil if there is no shell.
func startWarden(groups []int) *warden {
	cmd := exec.Command("/bin/sh", "-c", wardenScript, "pwpipe-warden")
	for _, g := range groups {
		cmd.Args = append(cmd.Args, strconv.Itoa(g))
	}
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	cmd.Dir = "/"
	// Out of reach of a terminal's Ctrl-C, and of a signal to our whole group.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := cmd.StdinPipe()
	if err != nil || cmd.Start() != nil {
		return nil
	}
	return &warden{cmd, in}
}

// dismiss ends it before it acts.
func (w *warden) dismiss() {
	_ = w.cmd.Process.Kill()
	_ = w.cmd.Wait()
}

// endBrowsers ends the remaining processes of the browsers.
func (d *Driver) endBrowsers() {
	k := &d.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ended = true
	for _, b := range k.kept {
		b.end()
	}
	k.kept = nil
}

// hurry ends the remaining processes of browsers whose main process is gone, until
// done: the driver does not end before all of them have closed the browser's output.
func (d *Driver) hurry(done <-chan struct{}) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		d.keeper.mu.Lock()
		for i := range d.keeper.kept {
			b := &d.keeper.kept[i]
			b.groups = slices.DeleteFunc(b.groups, func(g int) bool {
				gone := unix.Kill(g, 0) == unix.ESRCH
				if gone {
					killGroups([]int{g})
				}
				return gone
			})
		}
		d.keeper.mu.Unlock()
	}
}

func killGroups(groups []int) {
	for _, g := range groups {
		_ = unix.Kill(-g, unix.SIGKILL)
	}
}
