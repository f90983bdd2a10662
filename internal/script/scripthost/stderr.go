package scripthost

import (
	"regexp"
	"strings"
	"sync"
)

// stderr keeps the beginning of what the process writes to stderr. Node writes nothing
// there until it ends by itself.
type stderr struct {
	mu   sync.Mutex
	text []byte
}

// maxStderr is how much of it is kept, in bytes.
const maxStderr = 4 << 10

func (w *stderr) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, p[:min(len(p), maxStderr-len(w.text))]...)
	return len(p), nil
}

// fatal finds why V8 or Node ends a process.
var fatal = regexp.MustCompile(`(?m)^(?:FATAL ERROR|# Fatal [^:\n]*): (.{1,150})`)

// why is the reason for which a process ended by itself: the limit of its sandbox that it
// passed, or its own error; "" if that is not known.
func (w *stderr) why(ended error) string {
	if ended != nil {
		if bound, ok := strings.CutPrefix(ended.Error(), "cell: "); ok {
			return bound
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if m := fatal.FindSubmatch(w.text); m != nil {
		return string(m[1])
	}
	return ""
}
