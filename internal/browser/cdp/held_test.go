package cdp

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestHeldRequestsThatAreTooLong: a session of ours hears of a request that waits for its answer,
// though the event is too long to be read.
func TestHeldRequestsThatAreTooLong(t *testing.T) {
	_, b, ctx, own := opened(t)
	heard := make(chan string, 2)
	own.On("Fetch.requestPaused", func(params json.RawMessage) { heard <- string(params) })
	end := `","postData":"` + strings.Repeat("x", longestSaid+1<<20) + `"},"frameId":"F"},"sessionId":"` + own.ID() + `"}`
	b.say(`{"method":"Fetch.requestPaused","params":{"requestId":"interception-job-1.0","request":{"url":"http://a/b` + end)
	b.say(`{"method":"Fetch.requestPaused","params":{"requestId":"interception-job-2.0","request":{"url":"http://a/` + strings.Repeat("y", keptEnd) + end)
	for _, want := range []string{
		`{"request":{"url":"http://a/b"},"requestId":"interception-job-1.0","tooLong":true}`,
		`{"request":{"url":""},"requestId":"interception-job-2.0","tooLong":true}`,
	} {
		select {
		case got := <-heard:
			if got != want {
				t.Errorf("heard %.200s, want %s", got, want)
			}
		case <-ctx.Done():
			t.Fatal("heard nothing")
		}
	}
}
