package devtools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"pwpipe/features/devtools/heap"
	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/handlers/tool"
	"pwpipe/internal/browser/cdp"
	"pwpipe/provider"
)

// heapEnding is the ending by which DevTools knows its snapshots.
const heapEnding = ".heapsnapshot"

// maxHeap is the largest snapshot that is written, in bytes. A page decides how large
// its own would be.
const maxHeap = 256 << 20

type heapParams struct {
	Path tool.WritePath `json:"path" doc:".heapsnapshot file"`
}

// takeHeap is HeapProfiler.takeHeapSnapshot.
func takeHeap(c *tool.Call, in heapParams) (string, error) {
	path := string(in.Path)
	if err := files.CheckEnding("path", path, heapEnding); err != nil {
		return "", err
	}
	line, err := ownProcess(c, "heap snapshot")
	if err != nil {
		return "", err
	}
	s, err := line.Attach(c.Ctx, c.Target())
	if err != nil {
		return "", err
	}
	defer s.Drop() // which also ends a snapshot that is under way
	q := newQueue(maxHeap)
	s.On("HeapProfiler.addHeapSnapshotChunk", func(params json.RawMessage) {
		var e struct{ Chunk string }
		if err := json.Unmarshal(params, &e); err != nil {
			q.end(err)
		} else if !q.put(e.Chunk) {
			s.Drop()
		}
	})
	s.Send("HeapProfiler.takeHeapSnapshot", map[string]any{"reportProgress": false},
		func(_ json.RawMessage, err error) { q.end(err) })
	defer context.AfterFunc(c.Ctx, func() { q.end(c.Ctx.Err()) })()
	if err := files.WritePrivateStream(path, q); err != nil {
		if errors.Is(err, errLargeHeap) {
			return "", provider.Errorf(provider.KindLimit,
				"the heap snapshot is larger than %d MiB, so it was not written", maxHeap>>20).
				WithHint("session.cdp lets a DevTools client take it")
		}
		return "", err
	}
	provider.Wrote(c.Ctx, path)
	f, info, err := files.OpenOwn(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	shown, err := analysed(c.Ctx, func() (*heap.Snapshot, error) { return heap.Read(f, c.Session.Browser.Config.Mask) })
	if errors.Is(err, heap.ErrTooLarge) {
		return fmt.Sprintf("%s: %s, which DevTools opens; it was %v", path, heap.Size(info.Size()), err), nil
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: %s\n%s", path, heap.Size(info.Size()), shown.Text()), nil
}

// ownProcess is our line to the browser, for what shows a whole process of it. In lent
// tabs that is refused: other pages of the person may be in it.
func ownProcess(c *tool.Call, what string) (*cdp.Session, error) {
	if c.Session.IsTheirs(c.Context) {
		return nil, provider.Errorf(provider.KindBlocked,
			"blocked: %s: it would show all that is in a process of a lent browser", what).
			WithHint("new-ctx opens a context of your own")
	}
	line, _, err := c.Offered(c.Ctx, what)
	return line, err
}

// analysing is taken by the one snapshot that is analysed: each may take hundreds of MiB.
var analysing = make(chan struct{}, 1)

// analysed analyses snapshots when it is their turn.
func analysed[T any](ctx context.Context, read func() (T, error)) (got T, err error) {
	select {
	case analysing <- struct{}{}:
		defer func() { <-analysing }()
		return read()
	case <-ctx.Done():
		return got, ctx.Err()
	}
}

type heapDiffParams struct {
	From tool.ReadPath `json:"from" doc:".heapsnapshot file, the earlier one"`
	To   tool.ReadPath `json:"to" doc:".heapsnapshot file, the later one"`
}

func compareHeaps(c context.Context, s *browser.Session, in heapDiffParams) (string, error) {
	open := func(param string, path tool.ReadPath) (*os.File, error) {
		if err := files.CheckEnding(param, string(path), heapEnding); err != nil {
			return nil, err
		}
		f, info, err := files.OpenOwn(string(path))
		if err != nil {
			return nil, provider.Errorf(provider.KindFailed, "can't read %s: %w", path, err)
		}
		if info.Size() > maxHeap {
			_ = f.Close()
			return nil, provider.Errorf(provider.KindLimit, "%s is larger than %d MiB", path, maxHeap>>20)
		}
		return f, nil
	}
	from, err := open("from", in.From)
	if err != nil {
		return "", err
	}
	defer from.Close()
	to, err := open("to", in.To)
	if err != nil {
		return "", err
	}
	defer to.Close()
	return analysed(c, func() (string, error) {
		d, err := heap.Compare(from, to, s.Browser.Config.Mask)
		if err != nil {
			return "", provider.Errorf(provider.KindFailed, "%w", err)
		}
		return d.Text(), nil
	})
}

// errLargeHeap: a snapshot is larger than what is written.
var errLargeHeap = errors.New("the heap snapshot is too large")

// queue is the pieces of a snapshot between the connection, which must not wait, and the
// file. It is read to its end.
type queue struct {
	mu    sync.Mutex
	more  sync.Cond
	parts []string
	left  int   // bytes that may still come
	ended error // io.EOF for the end of it all
}

func newQueue(most int) *queue {
	q := &queue{left: most}
	q.more.L = &q.mu
	return q
}

// put adds a piece. It reports whether there may be more.
func (q *queue) put(part string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.left -= len(part); q.left < 0 && q.ended == nil {
		q.ended, q.parts = errLargeHeap, nil
	}
	if q.ended == nil {
		q.parts = append(q.parts, part)
	}
	q.more.Signal()
	return q.ended == nil
}

// end ends it, with nil for a whole snapshot. What came before stays.
func (q *queue) end(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended == nil {
		if q.ended = err; err == nil {
			q.ended = io.EOF
		}
	}
	q.more.Signal()
}

// Read implements [io.Reader].
func (q *queue) Read(to []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.parts) == 0 && q.ended == nil {
		q.more.Wait()
	}
	if len(q.parts) == 0 {
		return 0, q.ended
	}
	n := copy(to, q.parts[0])
	if q.parts[0] = q.parts[0][n:]; q.parts[0] == "" {
		q.parts = q.parts[1:]
	}
	return n, nil
}
