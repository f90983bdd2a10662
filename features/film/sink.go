package film

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/icza/mjpeg"

	"pwpipe/handlers/files"
	"pwpipe/internal/machine/temp"
)

// sink is a file that keeps its first error and returns none. The WebM writer ends its
// goroutine at an error, and later writers would wait for it.
type sink struct {
	*os.File
	chapters []chapter // set before the end

	mu  sync.Mutex
	err error
}

func (s *sink) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = cmp.Or(s.err, err)
}

func (s *sink) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *sink) Write(b []byte) (int, error) {
	if s.failed() == nil {
		_, err := s.File.Write(b)
		s.note(err)
	}
	return len(b), nil
}

func (s *sink) WriteAt(b []byte, at int64) (int, error) {
	if s.failed() == nil {
		var err error
		if len(b) == cuesSize { // the list of places, at the end
			b, err = withChapters(b, s.chapters)
		}
		if err == nil {
			_, err = s.File.WriteAt(b, at)
		}
		s.note(err)
	}
	return len(b), nil
}

func (s *sink) Close() error {
	s.note(s.File.Close())
	return nil
}

// asAVI is a film of JPEG pictures. The library writes it by path, so it does so in a
// folder of ours, and the film is copied to its file at the end.
type asAVI struct {
	mjpeg.AviWriter
	made   string // where the library writes
	file   *os.File
	last   []byte
	frames int64
}

func startAVI(path string, open Opener, width, height, rate int) (kind, error) {
	dir, err := temp.Make()
	if err != nil {
		return nil, files.WriteError(path, err)
	}
	made := filepath.Join(dir, "film.avi")
	avi, err := mjpeg.New(made, int32(width), int32(height), int32(rate))
	if err != nil {
		temp.Remove(dir)
		return nil, files.WriteError(path, err)
	}
	f, err := open(path)
	if err != nil {
		_ = avi.Close()
		temp.Remove(dir)
		return nil, files.WriteError(path, err)
	}
	return &asAVI{AviWriter: avi, made: made, file: f}, nil
}

// put repeats the last picture until the time of the next one: each picture has the
// same duration.
func (a *asAVI) put(s shot, _ int) error {
	for ; a.last != nil && a.frames < s.slot; a.frames++ {
		if err := a.AddFrame(a.last); err != nil {
			return err
		}
	}
	if s.jpeg != nil {
		a.last = s.jpeg
	}
	return nil
}

func (a *asAVI) end(broken error, _ []mark) error {
	if broken == nil && a.last != nil {
		broken = a.AddFrame(a.last)
	}
	defer temp.Remove(filepath.Dir(a.made))
	if broken = cmp.Or(broken, a.Close()); broken == nil {
		broken = a.copy()
	}
	return cmp.Or(broken, a.file.Close())
}

// copy copies the whole film to its file.
func (a *asAVI) copy() error {
	made, err := os.Open(a.made)
	if err != nil {
		return err
	}
	defer made.Close()
	_, err = io.Copy(a.file, made)
	return err
}
