package setup

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress tells a person what is going on: lines always, a bar when there is a
// terminal to draw it on.
type progress struct {
	w   io.Writer
	tty bool
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	return &progress{w: w, tty: ok && term.IsTerminal(int(f.Fd()))}
}

func (p *progress) say(format string, args ...any) {
	fmt.Fprintf(p.w, "pwpipe: "+format+"\n", args...)
}

// bar counts the bytes written to it and shows them; total is -1 where it is
// not known. Close erases it.
func (p *progress) bar(what string, total int64) io.WriteCloser {
	if !p.tty {
		return discard{}
	}
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(p.w),
		progressbar.OptionSetDescription("pwpipe: "+what),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
	)
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

// size is a number of bytes as people read it.
func size(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%d MB", (n+5e5)/1e6)
	}
	return fmt.Sprintf("%d kB", (n+500)/1e3)
}
