package nodesandbox_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"pwpipe/features/scripts/nodesandbox"
	"pwpipe/internal/pipetest"
	"pwpipe/internal/pipetest/until"
)

// run runs JavaScript in a cell to its end.
func run(t *testing.T, o nodesandbox.Options, script string) (said string, err error) {
	t.Helper()
	var out bytes.Buffer
	if o.Node == "" {
		o.Node, o.Args = node(t), []string{"-e", script}
	}
	dir, err := os.MkdirTemp("", "cell")
	must(t, err)
	defer func() { must(t, nodesandbox.RemoveScratch(dir)) }()
	o.Scratch, o.Stderr = dir, &out
	c, err := nodesandbox.Start(o)
	must(t, err)
	defer c.Kill()
	err = wait(t, c)
	return out.String(), err
}

// wait waits for a cell's end.
func wait(t *testing.T, c *nodesandbox.Cell) error {
	t.Helper()
	select {
	case <-c.Done():
	case <-time.After(time.Minute):
		c.Kill()
		t.Fatal("it did not end")
	}
	return c.Wait()
}

// TestMemory: a cell that uses too much memory of any kind is ended, and its starter
// gets a report. A cell that asks for too much at once gets none.
func TestMemory(t *testing.T) {
	const bound = 192 << 20
	for _, c := range pipetest.Some([]struct{ what, script string }{
		{"objects", `const a = []; for (;;) a.push({ n: a.length, s: "x".repeat(100) + a.length })`},
		{"buffers", `const a = []; for (;;) a.push(Buffer.alloc(2 ** 24, 1))`},
		{"shared buffers", `const a = []; for (;;) a.push(new Uint8Array(new SharedArrayBuffer(2 ** 24)).fill(1))`},
		{"WebAssembly", `const a = []; for (;;) { const m = new WebAssembly.Memory({ initial: 256 }); new Uint8Array(m.buffer).fill(1); a.push(m) }`},
		{"workers' buffers", `const { Worker } = require("worker_threads"); for (let i = 0; i < 3; i++) new Worker("const a = []; for (;;) a.push(Buffer.alloc(2 ** 24, 1))", { eval: true })`},
		{"waiting in between", `const a = []; setInterval(() => a.push(Buffer.alloc(2 ** 25, 1)), 20)`},
	}, 3) {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			var over atomic.Int64
			said, err := run(t, nodesandbox.Options{Memory: bound, Over: func(held int64) { over.Add(held) }}, c.script)
			if err == nil || over.Load() < bound*3/4 || over.Load() > 8*bound {
				t.Errorf("%v, told of %d MiB; said %.300s", err, over.Load()>>20, said)
			}
		})
	}
	t.Run("native", func(t *testing.T) {
		t.Parallel()
		var over atomic.Int64
		_, err := run(t, nodesandbox.Options{Node: asNode(t), Args: []string{"hostile", "memory", ""}, Memory: bound, Over: over.Store}, "")
		if err == nil || over.Load() < bound {
			t.Errorf("%v, told of %d MiB", err, over.Load()>>20)
		}
	})
	t.Run("at once", func(t *testing.T) {
		t.Parallel()
		said, err := run(t, nodesandbox.Options{Memory: bound}, `for (const f of [() => Buffer.alloc(2 ** 33), () => new SharedArrayBuffer(2 ** 33), () => new ArrayBuffer(2 ** 33)])
			try { f(); console.log("given") } catch (e) { console.log(e.name) }`)
		if err != nil || strings.Contains(said, "given") {
			t.Errorf("%v, said %s", err, said)
		}
	})
}

// TestGroup: if cells together use too much, only the largest is ended.
func TestGroup(t *testing.T) {
	dir, g := t.TempDir(), &nodesandbox.Group{Memory: 320 << 20}
	begin := func(name string, mib int) *nodesandbox.Cell {
		scratch := filepath.Join(dir, name)
		must(t, os.Mkdir(scratch, 0o700))
		c, err := nodesandbox.Start(nodesandbox.Options{Node: node(t), Scratch: scratch, Group: g,
			Args: []string{"-e", fmt.Sprintf("const b = Buffer.alloc(%d * 2 ** 20, 1); setInterval(() => b.length, 20)", mib)}})
		must(t, err)
		t.Cleanup(c.Kill)
		return c
	}
	large, small := begin("large", 160), begin("small", 20)
	until.Holds(t, "both hold their memory", func() bool { return large.PSS() >= 160<<20 && small.PSS() >= 20<<20 })
	third := begin("third", 120)
	if err := wait(t, large); err == nil || !strings.Contains(err.Error(), "that they may together") {
		t.Errorf("the largest ended with %v", err)
	}
	for _, c := range []*nodesandbox.Cell{small, third} {
		select {
		case <-c.Done():
			t.Errorf("another has ended: %v", c.Wait())
		default:
		}
	}
}

// TestBounds: a cell that uses too many threads or too much disk is ended. It can't
// get too many descriptors.
func TestBounds(t *testing.T) {
	fill := func(each string) string {
		return `const fs = require("fs"); const b = Buffer.alloc(2 ** 20, 1); let n = 0; for (;;) { ` + each + ` n++ }`
	}
	for _, c := range pipetest.Some([]struct{ what, script, over string }{
		{"a full disk", fill(`fs.writeFileSync("f" + n, b);`), "its files took"},
		{"a million files", fill(`fs.closeSync(fs.openSync("f" + n, "w"));`), "its files took"},
		{"a million folders", fill(`fs.mkdirSync("d" + n);`), "its files took"},
		{"folders within folders", fill(`fs.mkdirSync("d"); process.chdir("d");`), "within each other"},
		{"files that are gone", fill(`const f = fs.openSync("f" + n % 200, "w"); for (let i = 0; i < 60; i++) try { fs.writeSync(f, b) } catch {} fs.unlinkSync("f" + n % 200);`), "its files took"},
	}, 3) {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			said, err := run(t, nodesandbox.Options{}, c.script)
			if err == nil || !strings.Contains(err.Error(), c.over) {
				t.Errorf("%v; said %.300s", err, said)
			}
		})
	}
	t.Run("threads", func(t *testing.T) {
		t.Parallel()
		_, err := run(t, nodesandbox.Options{Node: asNode(t), Args: []string{"hostile", "threads", ""}}, "")
		if err == nil || !strings.Contains(err.Error(), "threads") {
			t.Error(err)
		}
	})
	t.Run("descriptors", func(t *testing.T) {
		t.Parallel()
		said, err := run(t, nodesandbox.Options{}, `const fs = require("fs"); let n = 0; try { for (;;) { fs.openSync("/dev/null"); n++ } } catch (e) { console.log(e.code, n < 256) }`)
		if err != nil || !strings.Contains(said, "EMFILE true") {
			t.Errorf("%v, said %s", err, said)
		}
	})
	t.Run("a large file", func(t *testing.T) {
		t.Parallel()
		said, err := run(t, nodesandbox.Options{}, `const fs = require("fs"); const f = fs.openSync("f", "w"); try { for (;;) fs.writeSync(f, Buffer.alloc(2 ** 24)) } catch (e) { console.log(e.code, fs.fstatSync(f).size <= 64 * 2 ** 20) }`)
		if err != nil || !strings.Contains(said, "EFBIG true") {
			t.Errorf("%v, said %s", err, said)
		}
	})
}

// TestKill: an endless loop can be killed.
func TestKill(t *testing.T) {
	c, err := nodesandbox.Start(nodesandbox.Options{Node: node(t), Args: []string{"-e", "process.on('SIGTERM', () => {}); for (;;);"}, Scratch: t.TempDir()})
	must(t, err)
	c.Kill()
	if exit := (*exec.ExitError)(nil); !errors.As(wait(t, c), &exit) || exit.Sys().(syscall.WaitStatus).Signal() != unix.SIGKILL {
		t.Error(c.Wait())
	}
	c.Kill() // a second time does no harm
}

// TestDescriptors: a cell has exactly the descriptors that it was given, and may do
// anything with them.
func TestDescriptors(t *testing.T) {
	in, theirs, err := os.Pipe()
	must(t, err)
	defer in.Close()
	stray, err := os.Open("/dev/null") // would be inherited if it could
	must(t, err)
	defer stray.Close()
	_, err = unix.FcntlInt(stray.Fd(), unix.F_SETFD, 0)
	must(t, err)
	c, err := nodesandbox.Start(nodesandbox.Options{Node: node(t), Args: []string{"-e", `const fs = require("fs");
		fs.writeSync(3, "ours "); const n = Number(process.argv[1]); let stray = "none"; try { fs.fstatSync(n); stray = "some" } catch {}
		fs.writeSync(3, stray); for (let i = 0; i < 300; i++) try { fs.closeSync(i) } catch {} for (;;);`, "200"}, Scratch: t.TempDir(), Files: []*os.File{theirs}})
	must(t, err)
	must(t, theirs.Close())
	defer c.Kill()
	text := make([]byte, 100)
	n := 0
	for {
		k, err := in.Read(text[n:])
		if n += k; err != nil {
			break // it has closed all of its descriptors
		}
	}
	if string(text[:n]) != "ours none" {
		t.Errorf("it wrote %q", text[:n])
	}
	list, err := os.ReadDir(filepath.Join("/proc", "self", "fd"))
	if err != nil || len(list) == 0 {
		t.Error(err)
	}
}
