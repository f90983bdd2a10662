package cdpview

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"pwpipe/internal/browser/cdp"
)

// deafClient ignores its messages.
type deafClient struct{ gone chan struct{} }

func (c deafClient) Read() ([]byte, error) { <-c.gone; return nil, cdp.ErrGone }
func (c deafClient) Write([]byte) error    { return nil }
func (c deafClient) Close() error          { return nil }

// TestChooserIsOfferedOnce: a client that starts to listen again and again, in several
// sessions, can't keep a chooser from others.
func TestChooserIsOfferedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &Choosers{}
		client := func() *browser {
			to := deafClient{make(chan struct{})}
			b := newBrowser(nil, nil, to, Options{Choosers: c, Budget: NewBudget()})
			t.Cleanup(func() { close(to.gone); b.out.close() })
			return b
		}
		on := func(b *browser, id string) *session {
			s := &session{Session: &cdp.Session{}, client: b, id: id, of: "T", page: "T"}
			c.listen(s, true)
			return s
		}
		hostile, other := client(), client()
		honest := on(other, "honest")
		own := []*session{on(hostile, "1"), on(hostile, "2")}
		_, done := c.Expect("T")
		defer done()
		for _, s := range append(own, honest) {
			c.opened(s, json.RawMessage(`{"backendNodeId":7}`))
		}
		k := c.last["T"]
		for range 9 {
			time.Sleep(takeTime / 2)
			for _, s := range own {
				c.listen(s, true)
			}
			synctest.Wait()
		}
		if k.settled.Err() == nil || k.owner != nil {
			t.Error("the tool that waits has not got it")
		}
		if !k.offered[other] {
			t.Error("the other was not told")
		}
	})
}
