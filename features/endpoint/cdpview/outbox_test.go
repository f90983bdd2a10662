package cdpview

import (
	"errors"
	"testing"
)

// stuck is a client that reads nothing until it is released.
type stuck struct{ gone chan struct{} }

func (s stuck) Read() ([]byte, error) { return nil, errors.New("none") }
func (s stuck) Write([]byte) error    { <-s.gone; return nil }
func (s stuck) Close() error          { return nil }

// A client may read one long message slowly, whatever else arrives. A client that does
// not read at all is disconnected.
func TestLongMessageIsRead(t *testing.T) {
	t.Parallel()
	s := stuck{make(chan struct{})}
	o := newOutbox(s, &NewBudget().unread)
	o.put(make([]byte, maxUnread+1))
	for range 100 {
		o.put(make([]byte, 100))
	}
	if why := o.reason(); why != nil {
		t.Errorf("while it reads a long message: %v", why)
	}
	o.put(make([]byte, maxUnread))
	o.put(make([]byte, 100))
	if !errors.Is(o.reason(), errUnread) {
		t.Errorf("when it does not read: %v", o.reason())
	}
	close(s.gone)
	<-o.ended
}
