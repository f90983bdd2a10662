//go:build evidence && unix

package scale

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// chaosSeeds are the seeds up to PWPIPE_TEST_CHAOS, or the one of
// PWPIPE_TEST_CHAOS_SEED. CI tries ten, with nothing in parallel.
func chaosSeeds(t *testing.T) (list []uint64) {
	t.Helper()
	if one, err := strconv.ParseUint(os.Getenv("PWPIPE_TEST_CHAOS_SEED"), 10, 64); err == nil {
		return []uint64{one}
	}
	n, _ := strconv.Atoi(os.Getenv("PWPIPE_TEST_CHAOS"))
	if n == 0 {
		t.Skip("PWPIPE_TEST_CHAOS=100 tries a hundred seeds")
	}
	for seed := range uint64(n) {
		list = append(list, seed+1)
	}
	return list
}

// TestChaos: processes are killed, stopped or cut off, in an order given by a seed.
// Every request gets one reply, each session is as its replies said, afterwards
// everything works, and nothing is left.
func TestChaos(t *testing.T) {
	for _, seed := range chaosSeeds(t) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { newChaos(t, seed).run() })
	}
}

// chaos is one run: a service, clients behind a wire that can be cut, and faults.
type chaos struct {
	t      *testing.T
	svc    *pipetest.Service
	addr   string
	temp   string
	wire   *pipetest.Wire
	faults []fault
	calls  atomic.Int64
	over   atomic.Bool // no more faults

	mu      sync.Mutex
	stopped []int          // stopped processes
	killed  map[int]string // services that were killed, and their processes: command lines by process ids
	began   int            // faults that may have ended a page
}

// fault happens after this number of answered calls.
type fault struct {
	after int64
	what  string
	which uint64 // of several
}

// kinds of faults, with a part of their process's command line.
var kinds = []struct{ what, process string }{
	{"kill the browser", "browser"}, {"stop the browser", "browser"},
	{"kill the driver", "start.cjs"}, {"stop the driver", "start.cjs"},
	{"kill the renderer", "--type=renderer"}, {"stop the renderer", "--type=renderer"},
	{"kill the script engine", "scripts.json"}, {"stop the script engine", "scripts.cjs"},
	{"kill the service", ""}, {"pause the service", ""}, {"cut the sockets", ""}, {"slow the disk", ""},
}

const (
	faultsEach  = 5
	callsBefore = 24 // calls between two faults, of all clients
	chaosUsers  = 4
)

func newChaos(t *testing.T, seed uint64) *chaos {
	c := &chaos{t: t, addr: pipetest.FreeAddr(t), temp: t.TempDir(), killed: map[int]string{}}
	random := rand.New(rand.NewPCG(seed, 1))
	for n := range faultsEach {
		k := kinds[random.IntN(len(kinds))]
		c.faults = append(c.faults, fault{int64((n+1)*callsBefore) + random.Int64N(callsBefore), k.what, random.Uint64()})
	}
	c.start()
	c.wire = pipetest.NewWire(t, c.addr)
	return c
}

func (c *chaos) start() {
	svc := pipetest.StartService(c.t, "--addr="+c.addr, "--browsers=2", "TMPDIR="+c.temp)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.svc = svc
}

func (c *chaos) run() {
	var users sync.WaitGroup
	for n := range chaosUsers {
		u := newUser(c, n)
		users.Go(u.live)
	}
	for _, f := range c.faults {
		for deadline := time.Now().Add(2 * time.Minute); c.calls.Load() < f.after; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				c.t.Fatalf("nothing goes on before %q", f.what)
			}
		}
		c.t.Logf("after %d calls: %s", c.calls.Load(), f.what)
		c.do(f)
	}
	c.over.Store(true)
	users.Wait()
	c.svc.Stop()
	for pid, command := range c.killed {
		pipetest.Eventually(c.t, fmt.Sprintf("process %d of a killed service is ended: %.100s", pid, command), func() bool { return commandOf(pid) != command })
	}
	left := func() []string {
		list, _ := filepath.Glob(filepath.Join(c.temp, "pwpipe-*"))
		return list
	}
	// The next start removes a killed service's folders, where its browsers may have written since the last one.
	for _, folder := range left() {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(folder), "pwpipe-run-"), "-")
		if n, _ := strconv.Atoi(pid); c.killed[n] != "" {
			c.start()
			c.svc.Open(nil)
			c.svc.Stop()
			break
		}
	}
	if left := left(); len(left) > 0 {
		c.t.Errorf("folders are left: %v", left)
	}
	for _, pid := range c.stopped {
		// The warden of a killed service gives its browsers some seconds to end by themselves.
		pipetest.Eventually(c.t, fmt.Sprintf("process %d, which was stopped, is ended", pid), func() bool { return !standsStopped(pid) })
	}
}

// commandOf is a process's command line, "" if it has ended.
func commandOf(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.ReplaceAll(string(text), "\x00", " ")
}

// standsStopped reports whether a process is there and stopped.
func standsStopped(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") T ")
}

// do causes a fault, if its process exists.
func (c *chaos) do(f fault) {
	c.mu.Lock()
	c.began++
	svc := c.svc
	c.mu.Unlock()
	verb, what, _ := strings.Cut(f.what, " the ")
	switch f.what {
	case "cut the sockets":
		c.wire.Cut()
		return
	case "slow the disk":
		c.slowDisk()
		return
	case "kill the service":
		maps.Copy(c.killed, pipetest.Descendants(c.t, svc.PID()))
		c.killed[svc.PID()] = commandOf(svc.PID())
		svc.Signal(os.Kill)
		svc.Stop()
		c.start()
		return
	case "pause the service":
		svc.Signal(syscall.SIGSTOP)
		time.Sleep(time.Second)
		svc.Signal(syscall.SIGCONT)
		return
	}
	var there []int
	for pid, cmd := range pipetest.Descendants(c.t, svc.PID()) {
		if what == "browser" && strings.Contains(cmd, "--remote-debugging-pipe") && !strings.Contains(cmd, "--type=") || strings.Contains(cmd, kinds[slices.IndexFunc(kinds, func(k struct{ what, process string }) bool { return k.what == f.what })].process) {
			there = append(there, pid)
		}
	}
	if len(there) == 0 {
		c.t.Log("  there is none")
		return
	}
	slices.Sort(there)
	pid := there[f.which%uint64(len(there))]
	if verb == "kill" {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		return
	}
	_ = syscall.Kill(pid, syscall.SIGSTOP)
	c.mu.Lock()
	c.stopped = append(c.stopped, pid)
	c.mu.Unlock()
}

// slowDisk makes other writers use the disk of the service's folder for a while, so
// that each of the service's writes waits. (Making the disk itself slow takes rights
// that a test lacks.)
func (c *chaos) slowDisk() {
	piece := make([]byte, 4<<20)
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			f, err := os.CreateTemp(c.temp, "disk-")
			if err != nil {
				c.t.Error(err)
				return
			}
			defer os.Remove(f.Name())
			defer f.Close()
			for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
				if _, err := f.WriteAt(piece, 0); err != nil {
					c.t.Error(err)
					return
				}
				_ = f.Sync()
			}
		})
	}
	writers.Wait()
}

// faultsBegan counts the faults so far that may have ended a page.
func (c *chaos) faultsBegan() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.began
}
