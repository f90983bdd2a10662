package film

import (
	"os"
	"path/filepath"

	"github.com/icza/mjpeg"

	"pwpipe/handlers/files"
)

// asAVI is a film of JPEG pictures.
type asAVI struct {
	mjpeg.AviWriter
	last   []byte
	frames int64
}

func startAVI(path string, width, height, rate int) (kind, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, files.WriteError(path, err)
	}
	avi, err := mjpeg.New(path, int32(width), int32(height), int32(rate))
	if err != nil {
		return nil, files.WriteError(path, err)
	}
	return &asAVI{AviWriter: avi}, nil
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

func (a *asAVI) end(broken error) error {
	if broken == nil && a.last != nil {
		broken = a.AddFrame(a.last)
	}
	if err := a.Close(); broken == nil {
		broken = err
	}
	return broken
}
