package cdpview

import (
	"context"
	"encoding/json"
	"io"
	"sync"

	"pwpipe/internal/browser/cdp"
)

// Target is a page as /json/list has it.
type Target struct {
	ID    string `json:"targetId"`
	Type  string `json:"type"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

// Targets lists the targets that a client may have: it is itself a client that asks.
func Targets(ctx context.Context, devtools *cdp.Session, o Options) ([]Target, error) {
	c := &asker{reply: make(chan []byte, 1), ended: make(chan struct{})}
	go func() { _ = Serve(ctx, devtools, c, o) }()
	defer func() { _ = c.Close() }()
	select {
	case m := <-c.reply:
		var got struct {
			Result struct {
				Infos []Target `json:"targetInfos"`
			} `json:"result"`
		}
		err := json.Unmarshal(m, &got)
		return got.Result.Infos, err
	case <-c.ended:
		return nil, io.ErrUnexpectedEOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// asker is a client that asks once which targets there are.
type asker struct {
	asked bool
	reply chan []byte
	ended chan struct{}
	once  sync.Once
}

func (c *asker) Read() ([]byte, error) {
	if !c.asked {
		c.asked = true
		return []byte(`{"id":1,"method":"Target.getTargets"}`), nil
	}
	<-c.ended
	return nil, io.EOF
}

func (c *asker) Write(m []byte) error {
	select {
	case c.reply <- m:
	default:
	}
	return nil
}

func (c *asker) Close() error {
	c.once.Do(func() { close(c.ended) })
	return nil
}
