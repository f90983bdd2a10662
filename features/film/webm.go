package film

import (
	"cmp"
	"errors"
	"os"

	"github.com/at-wat/ebml-go/mkvcore"
	"github.com/at-wat/ebml-go/webm"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/files"
	"pwpipe/internal/browser/cdp"
	"pwpipe/provider"
)

// asWebM is a film as WebM.
type asWebM struct {
	*encoder
	to      *sink
	blocks  webm.BlockWriteCloser
	count   int
	bytes   int64
	most    int64
	first   int64 // time of the first picture: the file's begins there
	lastKey int64
}

// most bounds the bytes of a film: it ends there.
const most = 1 << 30

// How often a player finds a place to start at, in milliseconds, and the space in the
// file for the list of these places and the chapters. If the list is too long, it is
// thinned out.
const (
	keyEvery = 5000
	cuesSize = 32 << 10
)

func startWebM(e *browser.Engine, path string, open Opener, width, height, rate int) (kind, error) {
	n, err := openEncoder(e, width, height, rate) // first, so that a file to be replaced stays if it fails
	if errors.Is(err, ErrNoEncoder) {
		return nil, provider.Errorf(provider.KindFailed, "this browser can't make a .webm").WithHint("give the path of an .avi file")
	}
	if err != nil {
		return nil, files.WriteError(path, err)
	}
	f, err := open(path)
	if err != nil {
		n.close()
		return nil, files.WriteError(path, err)
	}
	w, err := n.webm(f, most, width, height)
	if err != nil {
		_ = f.Close()
		_ = os.Remove(path)
		return nil, files.WriteError(path, err)
	}
	return w, nil
}

// webm begins the file of an encoder's pictures.
func (n *encoder) webm(f *os.File, most int64, width, height int) (kind, error) {
	to := &sink{File: f}
	err := f.Truncate(0)
	var list []webm.BlockWriteCloser
	if err == nil {
		list, err = webm.NewSimpleBlockWriter(to, []webm.TrackEntry{{TrackNumber: 1, TrackUID: 1, CodecID: n.codec, TrackType: 1,
			Video: &webm.Video{PixelWidth: uint64(width), PixelHeight: uint64(height)}}},
			mkvcore.WithSegmentInfo(&webm.Info{TimecodeScale: 1e6, MuxingApp: "pwpipe", WritingApp: "pwpipe"}),
			mkvcore.WithBlockInterceptor(nil), mkvcore.WithSeekHead(true), mkvcore.WithCues(cuesSize),
			mkvcore.WithMaxKeyframeInterval(1, 2*keyEvery), mkvcore.WithOnFatalHandler(to.note))
	}
	if err != nil {
		n.close()
		return nil, err
	}
	return &asWebM{encoder: n, to: to, blocks: list[0], most: most, lastKey: -keyEvery}, nil
}

func (w *asWebM) put(s shot, rate int) error {
	ms := s.slot * 1000 / int64(rate)
	key := ms-w.lastKey >= keyEvery
	if key {
		w.lastKey = ms
	}
	list, err := w.add(s.jpeg, ms, key, s.over)
	if err != nil {
		return err
	}
	return w.write(list)
}

// write writes encoded pictures.
func (w *asWebM) write(list []encoded) error {
	for _, e := range list {
		if w.bytes += int64(len(e.Data)); w.bytes > w.most {
			break
		}
		if _, err := w.blocks.Write(e.Key, e.Ms, e.Data); err != nil {
			return err
		}
		if w.count == 0 {
			w.first = e.Ms
		}
		w.count++
	}
	return w.to.failed()
}

// end writes the rest. If the browser is gone, the film has the pictures before that.
func (w *asWebM) end(broken error, chapters []mark) error {
	defer w.close()
	for i, c := range chapters {
		w.to.chapters = append(w.to.chapters, chapter{UID: uint64(i + 1),
			Start: uint64(max(c.ms-w.first, 0)) * 1e6, Display: chapterDisplay{c.name, "und"}})
	}
	if broken == nil {
		var list []encoded
		if list, broken = w.rest(); broken == nil {
			broken = w.write(list)
		}
	}
	closed := w.blocks.Close()
	if err := cmp.Or(w.to.failed(), closed); err != nil && (broken == nil || errors.Is(broken, cdp.ErrGone)) {
		return err
	}
	if errors.Is(broken, cdp.ErrGone) && w.count > 0 {
		return nil
	}
	return broken
}
