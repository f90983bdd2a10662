package fetch

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"pwpipe/provider"
)

// What read fetches is in memory several times until its answer is written. So all reads
// together have room for few long bodies and for many short ones, from the first byte until
// then.
const (
	shortBody = 256 << 10 // bytes
	mostReads = 64
	mostLong  = 2
)

var (
	reads = make(chan struct{}, mostReads)
	long  = make(chan struct{}, mostLong)
)

// takePlace takes one of the places until the answer under ctx is written. A request that
// holds one already, such as a batch, does not wait for another.
func takePlace(ctx context.Context, places chan struct{}, what string) error {
	select {
	case places <- struct{}{}:
	default:
		full := provider.Errorf(provider.KindLimit, "%d %s wait until their answers are written, the most at a time",
			cap(places), what).WithHint("read fewer pages at once, or in one request")
		if provider.Holds(ctx, places) {
			return full
		}
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return full
		}
	}
	provider.Hold(ctx, places, func() { <-places })
	return nil
}

// body reads the body of an answer, one byte more than the longest at most. Above
// shortBody it takes one of the places for long ones.
func (f *fetching) body(answer *http.Response) ([]byte, error) {
	var b bytes.Buffer
	if n := answer.ContentLength; n > 0 && n <= shortBody {
		b.Grow(int(n) + bytes.MinRead)
	}
	if n, err := io.CopyN(&b, answer.Body, shortBody); err != nil || n < shortBody {
		if err == io.EOF {
			err = nil
		}
		return b.Bytes(), err
	}
	if err := takePlace(f.ctx, long, "reads of long pages"); err != nil {
		return nil, err
	}
	b.Grow(min(int(max(answer.ContentLength, 0)), longestBody) + bytes.MinRead)
	_, err := io.CopyN(&b, answer.Body, longestBody+1-shortBody)
	if err == io.EOF {
		err = nil
	}
	return b.Bytes(), err
}
