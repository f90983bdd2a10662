package rawio

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"testing"
	"time"
)

// ends are a pipe's ends, for each kind of raw file.
func ends(t *testing.T) map[string][2]io.ReadWriteCloser {
	t.Helper()
	all := map[string][2]io.ReadWriteCloser{}
	for name, quiet := range map[string]func(*os.File) io.ReadWriteCloser{"own": Own, "shared": Shared} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		all[name] = [2]io.ReadWriteCloser{quiet(r), quiet(w)}
		t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	}
	return all
}

// TestBytesPassWhole: short and long writes, also longer than a pipe's buffer
// without a reader, arrive in order; then comes the end.
func TestBytesPassWhole(t *testing.T) {
	t.Parallel()
	for name, p := range ends(t) {
		var sent bytes.Buffer
		var parts [][]byte
		for range 30 { // they fill the pipe: the last ones pass in part, or not at all, and say so
			part := make([]byte, 5000)
			_, _ = rand.Read(part)
			late := p[1].(interface{ SetWriteDeadline(time.Time) error })
			n, err := 0, late.SetWriteDeadline(time.Unix(1, 0))
			if err == nil {
				n, err = p[1].Write(part)
			}
			if _ = late.SetWriteDeadline(time.Time{}); (err == nil) != (n == len(part)) {
				t.Errorf("%s: %d bytes, %v", name, n, err)
			}
			sent.Write(part[:n])
		}
		for _, size := range []int{1, 300, most, most + 1, 3, 1 << 20, 5000, 70 << 10} {
			part := make([]byte, size)
			_, _ = rand.Read(part)
			parts = append(parts, part)
			sent.Write(part)
		}
		wrote := make(chan error, 1)
		go func() {
			for _, part := range parts {
				if n, err := p[1].Write(part); err != nil || n != len(part) {
					wrote <- errors.Join(err, io.ErrShortWrite, p[1].Close())
					return
				}
			}
			wrote <- p[1].Close()
		}()
		got, err := io.ReadAll(p[0])
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := <-wrote; err != nil {
			t.Errorf("%s: writing: %v", name, err)
		}
		if !bytes.Equal(got, sent.Bytes()) {
			t.Errorf("%s: %d bytes came of %d, or others", name, len(got), sent.Len())
		}
	}
}

// TestCloseEndsARead: closing the file ends a waiting read.
func TestCloseEndsARead(t *testing.T) {
	t.Parallel()
	for name, p := range ends(t) {
		ended := make(chan error, 1)
		go func() {
			_, err := p[0].Read(make([]byte, 10))
			ended <- err
		}()
		closing := p[0].Close()
		if err := <-ended; closing != nil || !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: %v, expected that it was closed, %v", name, err, closing)
		}
	}
}

// TestNobodyReads: a write is an error if nobody reads, and if a full pipe takes only a part of it.
func TestNobodyReads(t *testing.T) {
	t.Parallel()
	for name, p := range ends(t) {
		full := p[1].(interface{ SetWriteDeadline(time.Time) error }).SetWriteDeadline(time.Unix(1, 0))
		for n := 5000; n == 5000 && full == nil; {
			n, full = p[1].Write(make([]byte, 5000))
		}
		_ = p[0].Close()
		if _, err := p[1].Write([]byte("x")); err == nil || full == nil {
			t.Errorf("%s: %v, of the full pipe %v", name, err, full)
		}
	}
}

// TestFilesAreLeftAlone: other files than pipes are read as usual.
func TestFilesAreLeftAlone(t *testing.T) {
	t.Parallel()
	f, err := os.Open("rawio.go")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if Own(f) != io.ReadWriteCloser(f) || Shared(f) != io.ReadWriteCloser(f) {
		t.Error("it is not itself")
	}
}
