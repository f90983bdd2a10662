package playscript

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// Film takes pictures, and makes a film of them.
type Film interface {
	// Add takes a JPEG picture as it comes, without waiting.
	Add(jpeg []byte)
	// Finish writes the end of the film, once.
	Finish() error
}

// mostFilms is how many films the scripts of a process make at once, each with a page
// that encodes it; longestPicture is how many bytes one of its pictures has.
const (
	mostFilms      = 16
	longestPicture = 4 << 20
)

// films are those that are being made.
type films struct {
	mu    sync.Mutex
	last  int64
	count int // with those that are only just begun
	open  map[int64]Film
	over  bool // nobody is there to end another
}

type filmCall struct {
	Path   string `json:"path"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Rate   int    `json:"rate"`
}

// beginFilm answers the number of a film, 0 where there are too many.
func beginFilm(r *Runtime, _ context.Context, in filmCall, _ []byte) (reply, error) {
	if in.Width < 1 || in.Height < 1 || in.Width > 10000 || in.Height > 10000 || in.Rate < 1 || in.Rate > 60 {
		return reply{}, fmt.Errorf("a film of %d x %d, %d pictures a second", in.Width, in.Height, in.Rate)
	}
	number, err := r.films.begin(func() (Film, error) { return r.host.film(in, r.scratch) })
	return reply{map[string]any{"film": number}, nil}, err
}

// begin keeps a film, and answers its number; 0 where there is none to be had.
func (f *films) begin(make func() (Film, error)) (number int64, err error) {
	f.mu.Lock()
	full := f.count >= mostFilms
	if !full {
		f.count++
	}
	f.mu.Unlock()
	if full {
		return 0, nil
	}
	made, err := make()
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case made == nil || err != nil:
		f.count--
		return 0, err
	case f.over:
		go func() { _ = made.Finish() }()
		return 0, nil
	}
	if f.open == nil {
		f.open = map[int64]Film{}
	}
	f.last++
	f.open[f.last] = made
	return f.last, nil
}

// openFilm is a film, and the folder that its file is in.
type openFilm struct {
	Film
	folder *os.Root
}

// Finish is [Film.Finish].
func (o openFilm) Finish() error {
	defer o.folder.Close()
	return o.Film.Finish()
}

// film opens the file, inside the allowed folders or the process's own, and begins the
// film; nil where the browser can't make one.
func (h Host) film(in filmCall, scratch string) (Film, error) {
	if h.Film == nil {
		return nil, nil
	}
	var folder *os.Root
	name, err := filepath.Rel(scratch, in.Path)
	if err == nil && filepath.IsLocal(name) {
		folder, err = os.OpenRoot(scratch)
	} else {
		folder, name, err = h.within(in.Path)
	}
	if err != nil {
		return nil, err
	}
	file, err := folder.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		_ = folder.Close()
		return nil, errors.New(nodeError("write", in.Path, err))
	}
	made, err := h.Film(file, func() { _ = folder.Remove(name) }, in.Width, in.Height, in.Rate)
	if made == nil || err != nil {
		_ = folder.Close()
		return nil, err
	}
	return openFilm{made, folder}, nil
}

type pictureCall struct {
	Film int64 `json:"film"`
}

func picture(r *Runtime, _ context.Context, in pictureCall, jpeg []byte) (reply, error) {
	r.films.mu.Lock()
	made := r.films.open[in.Film]
	r.films.mu.Unlock()
	if made != nil && len(jpeg) > 0 && len(jpeg) <= longestPicture {
		made.Add(jpeg)
	}
	return reply{}, nil
}

func endFilm(r *Runtime, _ context.Context, in pictureCall, _ []byte) (reply, error) {
	r.films.mu.Lock()
	made := r.films.open[in.Film]
	delete(r.films.open, in.Film)
	if made != nil {
		r.films.count--
	}
	r.films.mu.Unlock()
	if made == nil {
		return reply{}, nil
	}
	return reply{}, made.Finish()
}

// finish ends those that nobody ended.
func (f *films) finish() {
	f.mu.Lock()
	list := f.open
	f.open, f.over = nil, true
	f.mu.Unlock()
	for _, made := range list {
		go func() { _ = made.Finish() }()
	}
}
