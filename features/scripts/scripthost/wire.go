package scripthost

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"pwpipe/internal/script/strictjson"
)

// Between us and the process of the scripts go frames: the length of the rest, the length
// of the head, the head as JSON, and bytes. Lengths have four bytes, little endian. What
// comes from the process is taken for hostile.
const (
	longestHead  = 1 << 20
	longestFrame = 160 << 20 // a file of the largest size, and a script's pictures
	maxHeld      = 512 << 20 // bytes of frames that are being worked on
	maxCalls     = 1000      // calls that are being worked on
)

var errFrame = errors.New("a frame is out of bounds")

type head struct {
	ID    int64           `json:"id"`   // of a call that is answered, or of ours that this answers
	Call  string          `json:"call"` // "" for an answer
	Args  json.RawMessage `json:"args"` // an object: what the call takes, or its answer
	Error *string         `json:"error"`
}

type frame struct {
	head
	size int // bytes of the whole
	raw  []byte
}

func readFrame(r io.Reader) (f frame, err error) {
	var lengths [8]byte
	if _, err := io.ReadFull(r, lengths[:]); err != nil {
		return f, err
	}
	whole, of := binary.LittleEndian.Uint32(lengths[:]), binary.LittleEndian.Uint32(lengths[4:])
	if whole > longestFrame || whole < 4 || of > whole-4 || of > longestHead {
		return f, errFrame
	}
	body, err := readAll(r, int(whole-4))
	if err != nil {
		return f, err
	}
	f.size, f.raw = len(body), body[of:]
	if err := strictjson.Decode(body[:of:of], &f.head); err != nil {
		return f, fmt.Errorf("the header of a frame is invalid: %w", err)
	}
	return f, nil
}

// readAll reads n bytes. It allocates memory as they come: a peer that announces many
// must send them.
func readAll(r io.Reader, n int) ([]byte, error) {
	const step = 1 << 20
	body := make([]byte, 0, min(n, step))
	for len(body) < n {
		at, next := len(body), min(n-len(body), step)
		if cap(body)-at < next {
			body = append(make([]byte, 0, min(n, 2*cap(body)+next)), body...)
		}
		body = body[:at+next]
		if _, err := io.ReadFull(r, body[at:]); err != nil {
			return nil, err
		}
	}
	return body, nil
}

// writer writes frames, one at a time.
type writer struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *writer) write(head any, raw []byte) error {
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	front := make([]byte, 8, 8+len(text))
	binary.LittleEndian.PutUint32(front, uint32(4+len(text)+len(raw)))
	binary.LittleEndian.PutUint32(front[4:], uint32(len(text)))
	front = append(front, text...)
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(raw) < 64<<10 {
		_, err = w.w.Write(append(front, raw...))
		return err
	}
	if _, err = w.w.Write(front); err == nil {
		_, err = w.w.Write(raw)
	}
	return err
}

// decode reads the arguments of a call, or an answer, of the process. It is the only way
// from a message of the process to a value: T is a struct of ours, and a message with any
// other member is refused.
func decode[T any](f frame) (v T, err error) {
	err = strictjson.Decode(f.Args, &v)
	return v, err
}

// TakesDialog reports whether a script has answered a dialog of a page. The script must say
// within soon whether it will, and answer within all.
func (r *Runtime) TakesDialog(soon, all time.Duration, page, message string) bool {
	short, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	f, err := r.call(short, "takesDialog", map[string]any{"page": page, "message": message}, nil)
	if err != nil {
		return false
	}
	taken, err := decode[struct {
		Takes  bool `json:"takes"`
		Dialog int  `json:"dialog"`
	}](f)
	if err != nil || !taken.Takes {
		return false
	}
	long, cancel := context.WithTimeout(context.Background(), all)
	defer cancel()
	_, err = r.call(long, "answeredDialog", map[string]any{"dialog": taken.Dialog}, nil)
	return err == nil
}

// ContextClosed tells scripts that a context is closed.
func (r *Runtime) ContextClosed(id string) {
	r.calls.tell("contextClosed", map[string]any{"context": id})
}

// Download tells scripts that a download has begun on a page.
func (r *Runtime) Download(page, name, url, file string) {
	r.calls.tell("download", map[string]any{"page": page, "guid": name, "url": url, "name": file})
}

// Downloaded tells scripts how a download ended.
func (r *Runtime) Downloaded(name string, err error) {
	r.calls.tell("downloaded", map[string]any{"guid": name, "failed": err != nil})
}
