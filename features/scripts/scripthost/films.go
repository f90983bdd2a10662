package scripthost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"pwpipe/internal/machine/writefile"
)

// Film takes pictures, and makes a film of them.
type Film interface {
	// Add takes a JPEG picture as it comes, without waiting.
	Add(picture []byte)
	// Finish writes the end of the film, once.
	Finish() error
}

// maxFilms is how many films the scripts of a process make at once, each with a page
// that encodes it; longestPicture is how many bytes one of its pictures has.
const (
	maxFilms       = 16
	longestPicture = 4 << 20
)

// maxFilmed is how many pixels the films of a process have together. Its own folder has
// few films, and short ones: what it holds there is counted by nobody else.
const (
	maxFilmed    = 4 * 7680 * 4320
	maxFilm      = 1 << 30
	maxInOwn     = 4
	maxFilmInOwn = 64 << 20
)

type films struct {
	mu      sync.Mutex
	last    int64                  // the number of the newest film
	counted map[*countedFilm]bool  // with those that are about to begin or to end
	open    map[int64]*countedFilm // nil once the process has ended
}

type filmCall struct {
	Path   string `json:"path"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Rate   int    `json:"rate"`
}

// beginFilm answers the number of a film, 0 if there are too many.
func beginFilm(r *Runtime, _ context.Context, in filmCall, _ []byte) (reply, error) {
	if in.Width < 1 || in.Height < 1 || in.Width > 10000 || in.Height > 10000 || in.Rate < 1 || in.Rate > 60 {
		return reply{}, fmt.Errorf("a film of %d x %d, %d pictures a second", in.Width, in.Height, in.Rate)
	}
	number, err := r.films.begin(r, in)
	return reply{map[string]any{"film": number}, nil}, err
}

// begin begins a film, and returns its number; 0 if there can be no film.
func (f *films) begin(r *Runtime, in filmCall) (number int64, err error) {
	local, err := filepath.Rel(r.process.scratch, in.Path)
	c := &countedFilm{of: f, path: in.Path, width: in.Width, area: in.Width * in.Height,
		inOwn: err == nil && filepath.IsLocal(local)}
	if !f.take(c) {
		return 0, nil
	}
	if c.Film, c.folder, err = r.host.film(in, r.process.scratch, c.inOwn); c.Film == nil || err != nil {
		f.give(c)
		return 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open == nil {
		go func() { _ = c.Finish() }()
		return 0, nil
	}
	f.last++
	f.open[f.last] = c
	return f.last, nil
}

// take counts a film. It reports false if there is no room for it.
func (f *films) take(c *countedFilm) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	area, own := c.area, 0
	for other := range f.counted {
		area += other.area
		if other.inOwn {
			own++
		}
	}
	if len(f.counted) >= maxFilms || area > maxFilmed || c.inOwn && own >= maxInOwn {
		return false
	}
	f.counted[c] = true
	return true
}

func (f *films) give(c *countedFilm) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.counted, c)
}

// countedFilm is counted until it has ended.
type countedFilm struct {
	Film
	of     *films
	folder *os.Root // that its file is in
	path   string
	width  int
	area   int         // pixels
	inOwn  bool        // it is in the process's own folder
	shown  atomic.Bool // there was a picture
}

// Finish is [Film.Finish].
func (c *countedFilm) Finish() error {
	if !c.shown.Swap(true) { // the film of a page that showed nothing is white, as Playwright's own
		c.Add(white(c.width, c.area/max(1, c.width)))
	}
	err := c.Film.Finish()
	_ = c.folder.Close()
	c.of.give(c)
	return err
}

// film opens the file, inside the allowed folders or the process's own, and begins the
// film; nil if the browser can't make one. The folder is to be closed behind it.
func (h Host) film(in filmCall, scratch string, inOwn bool) (_ Film, folder *os.Root, err error) {
	if h.Film == nil {
		return nil, nil, nil
	}
	var name string
	limit := int64(maxFilm)
	if inOwn {
		limit = maxFilmInOwn
		if name, err = filepath.Rel(scratch, in.Path); err == nil {
			folder, err = os.OpenRoot(scratch)
		}
	} else {
		folder, name, err = h.within(in.Path)
	}
	if err != nil {
		return nil, nil, err
	}
	remove := func() { _ = folder.Remove(name) }
	switch _, err = Regular(folder, name); {
	case err == nil:
		remove = func() {} // a file that was there stays
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	var file *os.File
	if err == nil {
		file, err = writefile.OpenIn(folder, name, writefile.Public, 0)
	}
	if err == nil && !inOwn {
		if err = h.opened(file); err != nil {
			_ = file.Close()
		}
	}
	if err != nil {
		_ = folder.Close()
		return nil, nil, errors.New(nodeError("write", in.Path, err))
	}
	made, err := h.Film(file, remove, limit, in.Width, in.Height, in.Rate)
	if made == nil || err != nil {
		_ = folder.Close()
		return nil, nil, err
	}
	return made, folder, nil
}

type pictureCall struct {
	Film int64 `json:"film"`
}

func picture(r *Runtime, _ context.Context, in pictureCall, raw []byte) (reply, error) {
	r.films.mu.Lock()
	made := r.films.open[in.Film]
	r.films.mu.Unlock()
	if made != nil && len(raw) <= longestPicture && drawable(raw) {
		made.shown.Store(true)
		made.Add(raw)
	}
	return reply{}, nil
}

func endFilm(r *Runtime, _ context.Context, in pictureCall, _ []byte) (reply, error) {
	r.films.mu.Lock()
	made := r.films.open[in.Film]
	delete(r.films.open, in.Film)
	r.films.mu.Unlock()
	if made == nil {
		return reply{}, nil
	}
	err := made.Finish()
	if err == nil && !made.inOwn {
		r.noteWritten(fileCall{Op: "write", Path: made.path})
	}
	return reply{}, err
}

// white is a picture of nothing.
func white(width, height int) []byte {
	paper := image.NewGray(image.Rect(0, 0, width, height))
	for i := range paper.Pix {
		paper.Pix[i] = 0xff
	}
	var out bytes.Buffer
	_ = jpeg.Encode(&out, paper, nil) // into memory
	return out.Bytes()
}

// drawable reports whether a picture is a JPEG, and no larger than a film may be: a
// renderer of the shared browser decodes it.
func drawable(picture []byte) bool {
	c, err := jpeg.DecodeConfig(bytes.NewReader(picture))
	return err == nil && c.Width*c.Height <= maxFilmed/4
}

// finish ends the films that the process has not ended.
func (f *films) finish() {
	f.mu.Lock()
	list := f.open
	f.open = nil
	f.mu.Unlock()
	for _, made := range list {
		go func() { _ = made.Finish() }()
	}
}
