package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

// round starts a driver, uses and stops it.
func round(t testing.TB, o Options) {
	t.Helper()
	d := start(t, o)
	use(t, d)
	stop(t, d)
}

func TestCacheIsWrittenOnce(t *testing.T) {
	o := options(t)
	round(t, o)
	file := theCache(t, o.Cache)
	first, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	round(t, o)
	second, err := os.Stat(theCache(t, o.Cache))
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(first, second) || !first.ModTime().Equal(second.ModTime()) {
		t.Error("a cache that is good was written again")
	}
}

// copyPackage copies the driver's package, to be changed.
func copyPackage(t *testing.T, o *Options) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "package"), os.DirFS(filepath.Join(o.Dir, "package"))); err != nil {
		t.Fatal(err)
	}
	o.Dir = dir
	return filepath.Join(dir, "package")
}

func TestCacheIsUsed(t *testing.T) {
	o := options(t)
	pkg := copyPackage(t, &o)
	round(t, o)
	core := filepath.Join(pkg, "lib", "coreBundle.js")
	if err := os.WriteFile(core, []byte("throw new Error('read anew')"), 0o644); err != nil {
		t.Fatal(err)
	}
	round(t, o)
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestBrokenCache(t *testing.T) {
	o := options(t)
	round(t, o)
	file := theCache(t, o.Cache)
	good := read(t, file)
	for _, c := range pipetest.Some([]struct {
		what string
		bad  []byte
	}{
		{"bit", flip(good, headerEnd(t, good)+100)}, // in Playwright's own code
		{"empty", nil},
		{"short", good[:10]},
		{"other V8", otherV8(t, good)},
		{"header", flip(good, 100)},
		{"no JSON", resum(t, flip(good, 24))},
		{"garbage", bytes.Repeat([]byte("\xffgarbage"), 100_000)},
		{"truncated", good[:len(good)/2]},
		{"other code", scramble(t, good)},
	}, 3) {
		t.Run(c.what, func(t *testing.T) {
			if err := os.WriteFile(file, c.bad, 0o644); err != nil {
				t.Fatal(err)
			}
			round(t, o)
			if after := read(t, theCache(t, o.Cache)); bytes.Equal(after, c.bad) {
				t.Error("the broken cache was not replaced")
			}
		})
	}
}

func flip(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[at] ^= 1
	return b
}

// headerEnd is the offset of the header's end.
func headerEnd(t *testing.T, b []byte) int {
	n, err := strconv.ParseInt(string(b[16:24]), 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return 24 + int(n)
}

// resum corrects the header's checksum.
func resum(t *testing.T, b []byte) []byte {
	copy(b[8:16], sum(b[16:headerEnd(t, b)]))
	return b
}

func sum(b []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(b)) }

// eachCode calls f with the compiled code of every file. f may change it.
func eachCode(t *testing.T, b []byte, f func([]byte)) []byte {
	t.Helper()
	b = bytes.Clone(b)
	end := headerEnd(t, b)
	var header struct {
		Modules []struct {
			At, Source, Code int
			Sum              string
		}
	}
	if err := json.Unmarshal(b[24:end], &header); err != nil {
		t.Fatal(err)
	}
	align := func(n int) int { return (n + 7) / 8 * 8 }
	for _, m := range header.Modules {
		if m.Code == 0 {
			continue
		}
		at := align(end) + m.At
		code := at + align(m.Source)
		f(b[code : code+m.Code])
		copy(b[24+bytes.Index(b[24:end], []byte(m.Sum)):], sum(b[at:code+m.Code]))
	}
	return resum(t, b)
}

// otherV8 is a cache of another V8 version, which is in the second word.
func otherV8(t *testing.T, b []byte) []byte {
	return eachCode(t, b, func(code []byte) { code[5] ^= 0xff })
}

// scramble is a cache with code of other sources: the third word is their length.
func scramble(t *testing.T, b []byte) []byte {
	return eachCode(t, b, func(code []byte) { code[8] ^= 0xff })
}

// A folder in the cache's place can't be read or replaced.
func TestCacheInTheWay(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBrokenCache is quick")
	o := options(t)
	round(t, o)
	file := theCache(t, o.Cache)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(file, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	round(t, o)
	theCache(t, o.Cache) // and nothing else
}

func TestCacheByTwoAtOnce(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBrokenCache is quick")
	o := options(t)
	for range 2 { // without a cache, then with one
		var wg sync.WaitGroup
		for range 4 {
			d := start(t, o)
			wg.Go(func() { use(t, d); stop(t, d) })
		}
		wg.Wait()
	}
	round(t, o)
	theCache(t, o.Cache)
}

// TestFailingPatch: a patch that fails is named on stderr, and the driver works, with the others.
func TestFailingPatch(t *testing.T) {
	o := options(t)
	core := filepath.Join(copyPackage(t, &o), "lib", "coreBundle.js")
	text, err := os.ReadFile(core)
	if err != nil {
		t.Fatal(err)
	}
	const class = "CRPage = class {"
	changed := bytes.Replace(text, []byte(class), []byte(class+" static { Object.freeze(this.prototype); }"), 1)
	if bytes.Equal(text, changed) {
		t.Fatalf("the driver has no %q", class)
	}
	if err := os.WriteFile(core, changed, 0o644); err != nil {
		t.Fatal(err)
	}
	// A file, which the driver writes itself: a buffer is filled by a goroutine that outlives the round.
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	o.Stderr = stderr
	round(t, o)
	said, err := os.ReadFile(stderr.Name())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "pwpipe: the driver runs without the patch nameWorld: ") {
		t.Errorf("the driver says %q", said)
	}
}

// A driver that hangs before its first answer ends the start with an error, and the next
// start works.
func TestStartEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	o := options(t)
	node := o.Node
	o.Node = filepath.Join(t.TempDir(), "node")
	if err := os.WriteFile(o.Node, []byte("#!/bin/sh\nexec sleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	usual := startWithin
	startWithin = time.Second
	_, err := Start(o)
	startWithin = usual
	if err == nil || !strings.Contains(err.Error(), "did not start within 1s") {
		t.Fatalf("a driver that stands still: %v", err)
	}
	o.Node = node
	use(t, start(t, o))
}
