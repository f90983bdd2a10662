package film

import (
	"os"

	"github.com/at-wat/ebml-go/mkvcore"
	"github.com/at-wat/ebml-go/webm"
)

// webmFile is a film as WebM.
type webmFile struct {
	to     *sink
	blocks webm.BlockWriteCloser
	count  int
	bytes  int64
	most   int64
}

// most is how many bytes a film has: it ends there.
const most = 1 << 30

// How often a player finds a place to begin at, in milliseconds, and what is kept
// free in the file for the list of those places: what does not fit is thinned out.
const (
	keyEvery = 5000
	cuesSize = 16 << 10
)

func newWebM(f *os.File, codec string, most int64, width, height int) (*webmFile, error) {
	own := &webmFile{to: &sink{File: f}, most: most}
	list, err := webm.NewSimpleBlockWriter(own.to, []webm.TrackEntry{{TrackNumber: 1, TrackUID: 1, CodecID: codec, TrackType: 1,
		Video: &webm.Video{PixelWidth: uint64(width), PixelHeight: uint64(height)}}},
		mkvcore.WithSegmentInfo(&webm.Info{TimecodeScale: 1e6, MuxingApp: "pwpipe", WritingApp: "pwpipe"}),
		mkvcore.WithBlockInterceptor(nil), mkvcore.WithSeekHead(true), mkvcore.WithCues(cuesSize),
		mkvcore.WithMaxKeyframeInterval(1, 2*keyEvery), mkvcore.WithOnFatalHandler(own.to.note))
	if err != nil {
		return nil, err
	}
	own.blocks = list[0]
	return own, nil
}

func (w *webmFile) put(list []encoded) error {
	for _, e := range list {
		if w.bytes += int64(len(e.Data)); w.bytes > w.most {
			break
		}
		if _, err := w.blocks.Write(e.Key, e.Ms, e.Data); err != nil {
			return err
		}
		w.count++
	}
	return w.to.failed()
}

func (w *webmFile) close() error {
	err := w.blocks.Close()
	if failed := w.to.failed(); failed != nil {
		return failed
	}
	return err
}
