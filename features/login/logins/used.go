package logins

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// used keeps the period of each log-in's last code. With a folder all processes that have it give a
// code once: whoever makes the period's entry there has it.
type used struct {
	mu  sync.Mutex
	of  map[string]int64
	dir func() (string, error) // of the entries; nil for this process only
}

// KeepUsed keeps the used periods in a folder, made by dir when it is first needed. Without
// the folder each process knows its own.
func (b *Book) KeepUsed(dir func() (string, error)) { b.used.dir = sync.OnceValues(dir) }

// next returns the first period whose code is new, once that period begins.
func (u *used) next(ctx context.Context, login string, t totp) (int64, error) {
	for {
		now := time.Now()
		step := t.step(now)
		if u.take(login, t, step) {
			return step, nil
		}
		select {
		case <-time.After(time.Unix((step+1)*int64(t.period.Seconds()), 0).Sub(now)):
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// take takes a period, and reports whether nobody had.
func (u *used) take(login string, t totp, step int64) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if last, given := u.of[login]; given && step <= last {
		return false
	}
	if u.dir != nil {
		if dir, err := u.dir(); err == nil && !takeEntry(dir, t, step) {
			return false
		}
	}
	u.of[login] = step
	return true
}

// takeEntry makes the entry of a period. The system makes a folder once, whoever asks at the same
// time, so this needs no lock that a killed process would leave. Entries of earlier periods are
// removed. A name tells nothing of the key.
func takeEntry(dir string, t totp, step int64) bool {
	sum := sha256.Sum256(fmt.Append(nil, "pwpipe totp ", t.period, " ", string(t.key)))
	name := fmt.Sprintf("totp-%x-", sum[:12])
	if errors.Is(os.Mkdir(filepath.Join(dir, name+strconv.FormatInt(step, 10)), 0o700), fs.ErrExist) {
		return false
	}
	old, _ := filepath.Glob(filepath.Join(dir, name+"*"))
	for _, entry := range old {
		if n, err := strconv.ParseInt(strings.TrimPrefix(filepath.Base(entry), name), 10, 64); err == nil && n < step {
			_ = os.Remove(entry)
		}
	}
	return true
}
