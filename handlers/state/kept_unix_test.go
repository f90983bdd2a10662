//go:build unix

package state

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/policy/storagestate"
)

// A process that is killed at any of a hundred moments while it saves leaves a whole state.
func TestReplaceKilled(t *testing.T) {
	if file := os.Getenv("PWPIPE_TEST_REPLACE"); file != "" {
		for i := 0; ; i++ {
			if err := replace(manyCookies(i), file, storagestate.NewKey("", nil)); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shop.json")
	key := storagestate.NewKey("", nil)
	if err := replace(manyCookies(-1), file, key); err != nil {
		t.Fatal(err)
	}
	different := map[string]bool{}
	for range 100 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestReplaceKilled$")
		cmd.Env = append(os.Environ(), "PWPIPE_TEST_REPLACE="+file)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(file)
		pipetest.Eventually(t, "a save", func() bool {
			now, _ := os.ReadFile(file)
			return !bytes.Equal(before, now)
		})
		time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond) // any moment
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		text, err := sound(file, key)
		if err != nil || len(text) < 1000 {
			t.Fatalf("%d bytes, %v", len(text), err)
		}
		newest, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(newest, text) {
			t.Fatalf("the newest generation is not whole: %d bytes, %v", len(newest), err)
		}
		different[string(text[:200])] = true
	}
	if len(different) < 10 {
		t.Errorf("only %d states were seen", len(different))
	}
	if err := (KeptFile{File: file}).Delete(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(file + "*"); left != nil {
		t.Errorf("left: %v", left)
	}
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
