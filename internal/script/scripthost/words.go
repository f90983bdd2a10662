package scripthost

import (
	"regexp"
	"strings"
	"sync"
)

// lastWords are the first of what the process says beside its pipes: Node is
// silent there until it ends by itself.
type lastWords struct {
	mu   sync.Mutex
	text []byte
}

// mostWords is how much of it is kept, in bytes.
const mostWords = 4 << 10

func (w *lastWords) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, p[:min(len(p), mostWords-len(w.text))]...)
	return len(p), nil
}

// fatal finds why V8 or Node ends a process.
var fatal = regexp.MustCompile(`(?m)^(?:FATAL ERROR|# Fatal [^:\n]*): (.{1,150})`)

// why says why a process has ended that nobody ended: the bound of its cell that
// it passed, or what it said itself, "" if that is not known.
func (w *lastWords) why(ended error) string {
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
