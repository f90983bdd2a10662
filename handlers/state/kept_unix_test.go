//go:build unix

package state

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"pwpipe/internal/policy/storagestate"

	"pwpipe/internal/pipetest"
)

// A process that is killed at any of a hundred moments while it saves leaves a whole state: the last
// one whose save has returned, or the one that it was saving.
func TestReplaceKilled(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestEmptyStateIsNone is quick")
	key := storagestate.NewKey("", nil)
	if file := os.Getenv("PWPIPE_TEST_REPLACE"); file != "" {
		for n, _ := strconv.Atoi(os.Getenv("PWPIPE_TEST_REPLACE_FROM")); ; n++ {
			if err := replace(manyCookies(n), file, key); err != nil {
				t.Fatal(err)
			}
			fmt.Println(n)
		}
	}
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shop.json")
	last := 0 // the state that is there
	if err := replace(manyCookies(last), file, key); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		saved := killWhileItSaves(t, file, last+1)
		text, err := sound(file, key)
		switch {
		case bytes.Equal(text, manyCookies(saved)):
			last = saved
		case bytes.Equal(text, manyCookies(saved+1)):
			last = saved + 1
		default:
			t.Fatalf("after the save of state %d there are %d bytes, %.60s, %v", saved, len(text), text, err)
		}
		newest, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(newest, text) {
			t.Fatalf("the newest generation is not whole: %d bytes, %v", len(newest), err)
		}
		old, err := os.ReadFile(before(file))
		if err != nil || !bytes.Equal(old, manyCookies(last-1)) && !bytes.Equal(old, text) {
			t.Fatalf("the generation before is not whole: %d bytes, %v", len(old), err)
		}
	}
	if err := (KeptFile{File: file}).Delete(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(file + "*"); left != nil {
		t.Errorf("left: %v", left)
	}
}

// An empty file, as some file systems leave one after a power cut, is no state: the one before is.
func TestEmptyStateIsNone(t *testing.T) {
	t.Parallel()
	key, file := storagestate.NewKey("", nil), filepath.Join(t.TempDir(), "shop.json")
	for name, text := range map[string][]byte{file: nil, before(file): manyCookies(1)} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := sound(file, key); err != nil || !bytes.Equal(text, manyCookies(1)) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if err := os.Remove(before(file)); err != nil {
		t.Fatal(err)
	}
	if text, err := sound(file, key); err == nil {
		t.Errorf("alone it is one of %d bytes", len(text))
	}
}

// When the encryption changes, nothing stays that opens in the way of before. Else the generation before stays.
func TestReplaceUnderAnotherKey(t *testing.T) {
	t.Parallel()
	file, plain := filepath.Join(t.TempDir(), "shop.json"), storagestate.NewKey("", nil)
	ringed := storagestate.NewKey("", func(bool) ([]byte, error) { return make([]byte, 32), nil })
	if _, err := ringed.Prepare(); err != nil {
		t.Fatal(err)
	}
	for i, key := range []*storagestate.Key{plain, ringed, storagestate.NewKey("tea", nil), plain} {
		for n := range 3 { // the third is the same as the second, and leaves the files alone
			err := replace(manyCookies(i+min(n, 1)), file, key) // the first is the last one under the key before
			newest, _ := os.ReadFile(file)
			old, none := os.ReadFile(before(file))
			if err != nil || storagestate.SealingOf(newest) != key.Sealing() || os.IsNotExist(none) != (n == 0) {
				t.Errorf("state %d under key %d: %v, %.40q, before %.40q, %v", n, i, err, newest, old, none)
			}
			if text, err := key.Open(old); n > 0 && (err != nil || !bytes.Equal(text, manyCookies(i))) {
				t.Errorf("before state %d under key %d: %.40q, %v", n, i, text, err)
			}
		}
	}
}

// killWhileItSaves starts a process that saves states from a number on, kills it at any moment after
// its first save, and returns the number of the last state whose save has returned.
func killWhileItSaves(t *testing.T, file string, from int) (saved int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestReplaceKilled$")
	cmd.Env = append(os.Environ(), "PWPIPE_TEST_REPLACE="+file, "PWPIPE_TEST_REPLACE_FROM="+strconv.Itoa(from))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for first := true; lines.Scan(); first = false {
		if saved, err = strconv.Atoi(lines.Text()); err != nil {
			t.Errorf("it says %q", lines.Text())
		}
		if first {
			time.Sleep(time.Duration(rand.IntN(5000)) * time.Microsecond)
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait()
	if saved < from {
		t.Fatalf("it has saved nothing from state %d on", from)
	}
	return saved
}

// manyCookies is a state of some size, another one for each number.
func manyCookies(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"cookies":[`)
	for i := range 500 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"c%d","value":"%d","domain":"shop.example","path":"/"}`, i, n)
	}
	b.WriteString(`],"origins":[]}`)
	return b.Bytes()
}
