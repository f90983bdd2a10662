package read

import (
	"context"
	"errors"
	"io"
	"runtime/metrics"
	"strings"
)

// maxHeap bounds by how many bytes the program's objects may grow while HTML is parsed.
const maxHeap = 512 << 20

// errGrows: they have grown by more.
var errGrows = errors.New("the HTML takes too much memory")

// metered is a text that html.Parse reads. A parser opens formatting elements that nothing has
// closed again in each later paragraph, so a page of one MiB can stand for 150 million elements, and
// the parser itself has no bound. It reads in pieces of a few kilobytes, and ends between two of
// them, at the bound or with ctx.
type metered struct {
	ctx    context.Context //nolint:containedctx // io.Reader has no room for one
	rest   *strings.Reader
	sample [1]metrics.Sample
	before uint64
}

// piece is what the parser gets at once: at 500 open elements, some 100 MiB of new ones.
const piece = 4 << 10

func newMetered(ctx context.Context, text string) *metered {
	m := &metered{ctx: ctx, rest: strings.NewReader(text)}
	m.sample[0].Name = "/memory/classes/heap/objects:bytes"
	m.before = m.objects()
	return m
}

func (m *metered) objects() uint64 {
	metrics.Read(m.sample[:])
	return m.sample[0].Value.Uint64()
}

func (m *metered) Read(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	if now := m.objects(); now > m.before+maxHeap {
		return 0, errGrows
	}
	return io.LimitReader(m.rest, piece).Read(p)
}
