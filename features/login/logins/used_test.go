package logins

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestCodesOfTwoProcesses: of two processes with a folder one gives the code of a period, however
// they name the log-in. Another secret's codes are its own.
func TestCodesOfTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	process := func() *used {
		b := &Book{used: used{of: map[string]int64{}}}
		b.KeepUsed(func() (string, error) { return dir, nil })
		return &b.used
	}
	made, _ := parseTOTP("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&period=600")
	other, _ := parseTOTP("otpauth://totp/x?secret=MZXW6YTBOI&period=600")
	step := made.step(time.Now())
	var taken atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if process().take("shop", made, step) {
				taken.Add(1)
			}
		})
	}
	all.Wait()
	if taken.Load() != 1 {
		t.Errorf("%d of 20 processes gave the code of one period", taken.Load())
	}
	if process().take("the same shop", made, step) {
		t.Error("another name gives the code again")
	}
	if !process().take("shop", other, step) || !process().take("shop", made, step+1) {
		t.Error("a code that nobody gave is not given")
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 2 {
		t.Errorf("%v %v: earlier periods are kept", list, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	now := process()
	now.take("shop", made, made.step(time.Now()))
	if _, err := process().next(ctx, "shop", made); err == nil {
		t.Error("a code that another process gave is given again")
	}
}
