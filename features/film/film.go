// Package film makes films of a page's pictures: WebM, encoded by the browser itself,
// or Motion JPEG in an AVI file where the browser has no encoder.
package film

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/provider"
)

// Film is a film in progress. Each picture stays until the next.
type Film struct {
	Path string
	rate int // maximum of pictures a second

	mu      sync.Mutex
	begun   time.Time
	next    *shot // the newest, not written yet
	last    int64 // place of the one written last
	any     bool  // there has been a picture
	marks   []mark
	over    bool
	waits   int64 // bytes that wait
	err     error
	remove  func() // the file
	queue   chan shot
	written chan struct{} // closed when everything is written
}

// shot is a picture on its way to the file. Without data it repeats the last one.
type shot struct {
	jpeg []byte
	slot int64
	over *Overlay // from now on, nil for what there is
}

// mark is the begin of a chapter.
type mark struct {
	name string
	ms   int64
}

// Overlay is drawn over the pictures of a film, and over nothing that the page has.
type Overlay struct {
	Chapter string  `json:"chapter,omitempty"` // in the middle
	Action  string  `json:"action,omitempty"`  // at the top
	Pointed bool    `json:"pointed,omitempty"` // there is a pointer
	Pressed bool    `json:"pressed,omitempty"` // with a button down
	X       float64 `json:"x"`                 // of the pointer, in widths of the picture
	Y       float64 `json:"y"`                 // in heights
}

// Bounds of the pictures of a film, and the bytes of all films, that wait for a slow
// encoder or disk. Pictures beyond them are left out of the film.
const (
	waiting  = 16
	maxBytes = 64 << 20
)

// maxOfOne bounds the waiting bytes of one film.
const maxOfOne = 8 << 20

var waitingBytes atomic.Int64

// maxPixels bounds the pixels of a film and its pictures: one picture of 8K.
const maxPixels = 7680 * 4320

// TooLarge reports whether a picture has more pixels than a film can have.
func TooLarge(width, height int) bool {
	return width > maxPixels || height > maxPixels || width*height > maxPixels
}

// kind is a film's file format.
type kind interface {
	put(s shot, rate int) error
	end(broken error, chapters []mark) error
}

// Named is the path of a film. A path without an ending gets that of WebM, or of AVI if
// the browser can't make WebM.
func Named(path string, e *browser.Engine) string {
	switch {
	case filepath.Ext(path) != "":
		return path
	case CanEncode(e):
		return path + ".webm"
	}
	return path + ".avi"
}

// Opener opens the file of a film, and empties it.
type Opener func(path string) (*os.File, error)

// Start begins a film of a size, in pixels, in a file whose name shows the format.
func Start(e *browser.Engine, path string, open Opener, width, height, rate int) (*Film, error) {
	if !e.Chromium {
		return nil, provider.Errorf(provider.KindFailed, "only Chromium can be filmed")
	}
	var to kind
	var err error
	switch strings.ToLower(filepath.Ext(path)) {
	case ".webm":
		to, err = startWebM(e, path, open, width, height, rate)
	case ".avi":
		to, err = startAVI(path, open, width, height, rate)
	default:
		err = provider.Errorf(provider.KindArgs, "path: expected a .webm or .avi file, got %q", path)
	}
	if err != nil {
		return nil, err
	}
	return begin(to, path, rate, func() { _ = os.Remove(path) }), nil
}

// Into begins a WebM film in an open file. The film ends at most bytes. The film closes the
// file, and empties it once the browser is ready. If the film can't be written, it
// calls remove. The error is [ErrNoEncoder] if the browser can't make one.
func Into(e *browser.Engine, file *os.File, remove func(), most int64, width, height, rate int) (*Film, error) {
	n, err := openEncoder(e, width, height, rate)
	var to kind
	if err == nil {
		to, err = n.webm(file, most, width, height)
	}
	if err != nil {
		_ = file.Close()
		remove()
		return nil, err
	}
	return begin(to, file.Name(), rate, remove), nil
}

func begin(to kind, path string, rate int, remove func()) *Film {
	f := &Film{Path: path, rate: rate, begun: time.Now(), remove: remove, queue: make(chan shot, waiting), written: make(chan struct{})}
	go f.write(to)
	return f
}

// Add adds a JPEG picture at the current time. It never waits.
func (f *Film) Add(jpeg []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over {
		return
	}
	f.any = true
	f.add(shot{jpeg: jpeg})
}

// Draw draws over the picture from now on, until the next call. Only WebM has it. It
// never waits.
func (f *Film) Draw(o Overlay) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.over && f.any {
		f.add(shot{over: &o})
	}
}

// Chapter begins a chapter. It reports false if the film has as many as it can have.
func (f *Film) Chapter(name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.marks) == MaxChapters {
		return false
	}
	f.marks = append(f.marks, mark{name, f.due() * 1000 / int64(f.rate)})
	return true
}

// add is the newest shot. What is still there of its place becomes part of it. The lock is held.
func (f *Film) add(s shot) {
	s.slot = f.due()
	f.emit(s.slot)
	if old := f.next; old != nil {
		if s.jpeg == nil {
			s.jpeg = old.jpeg
		}
		if s.over == nil {
			s.over = old.over
		}
	}
	f.next = &s
}

// due is the current place in the film. The lock is held.
func (f *Film) due() int64 { return int64(time.Since(f.begun).Seconds() * float64(f.rate)) }

// emit sends the newest picture to the file, unless another replaces it. The lock is
// held.
func (f *Film) emit(before int64) {
	if f.next == nil || f.next.slot >= before {
		return
	}
	size := int64(len(f.next.jpeg))
	if f.waits+size > maxOfOne || waitingBytes.Load()+size > maxBytes {
		return
	}
	select {
	case f.queue <- *f.next:
		waitingBytes.Add(size)
		f.waits += size
		f.last, f.next = f.next.slot, nil
	default:
	}
}

// Pictured reports whether there has been a picture.
func (f *Film) Pictured() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.any
}

// Rolling reports whether the film has not ended.
func (f *Film) Rolling() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !f.over
}

// Finish writes the end of the file, once. If that fails, the file is removed.
func (f *Film) Finish() error {
	f.mu.Lock()
	if !f.over {
		f.over = true
		var last []shot
		if f.next != nil {
			last, f.last = append(last, *f.next), f.next.slot
		}
		if f.any {
			last = append(last, shot{slot: max(f.due(), f.last+1)})
		}
		for _, s := range last {
			f.waits += int64(len(s.jpeg))
		}
		go func() {
			for _, s := range last {
				waitingBytes.Add(int64(len(s.jpeg)))
				f.queue <- s
			}
			close(f.queue)
		}()
	}
	f.mu.Unlock()
	<-f.written
	return f.err
}

// write writes the pictures as they come.
func (f *Film) write(to kind) {
	defer close(f.written)
	var err error
	for s := range f.queue {
		waitingBytes.Add(-int64(len(s.jpeg)))
		f.mu.Lock()
		f.waits -= int64(len(s.jpeg))
		f.mu.Unlock()
		if err == nil {
			err = to.put(s, f.rate)
		}
	}
	if err == nil && !f.Pictured() {
		err = errors.New("the browser sent no picture")
	}
	f.mu.Lock()
	marks := f.marks
	f.mu.Unlock()
	if f.err = to.end(err, marks); f.err != nil {
		f.remove() // no player would accept it
	}
}
