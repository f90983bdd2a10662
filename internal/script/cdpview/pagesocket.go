package cdpview

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
)

// OfPage turns a client into one whose connection is a single page's, as at Chromium's
// /devtools/page/ID: messages without a session are for the page.
func OfPage(c Client, target string) Client {
	p := &pageClient{Client: c, target: target, listed: make(chan struct{}), attached: make(chan struct{})}
	p.ctx, p.end = context.WithCancel(context.Background())
	return p
}

type pageClient struct {
	Client
	target   string
	asked    int           // number of commands of ours
	listed   chan struct{} // closed once the client has heard of its targets: it can't attach before
	attached chan struct{} // closed once session is known
	session  string
	ctx      context.Context // ends with the connection
	end      context.CancelFunc
}

// Commands of ours, by their ids. Only their replies come without a session: a
// client's ids are not mistaken for them.
const (
	ofTargets = 1
	ofAttach  = 2
)

func (c *pageClient) Read() ([]byte, error) {
	switch c.asked++; c.asked {
	case ofTargets:
		return json.Marshal(map[string]any{"id": ofTargets, "method": "Target.getTargets"})
	case ofAttach:
		if err := c.until(c.listed); err != nil {
			return nil, err
		}
		return json.Marshal(map[string]any{"id": ofAttach, "method": "Target.attachToTarget",
			"params": map[string]any{"targetId": c.target, "flatten": true}})
	}
	if err := c.until(c.attached); err != nil {
		return nil, err
	}
	return c.Client.Read()
}

// own is the session that is meant where a message names none.
func (c *pageClient) own() string {
	select {
	case <-c.attached:
		return c.session
	default:
		return "" // these are commands of ours
	}
}

func (c *pageClient) until(done chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-c.ctx.Done():
		return errors.New("the page is closed")
	}
}

func (c *pageClient) Write(m []byte) error {
	var head struct {
		ID      *int64      `json:"id"`
		Session string      `json:"sessionId"`
		Method  string      `json:"method"`
		Params  sessionName `json:"params"`
		Result  sessionName `json:"result"`
	}
	if err := json.Unmarshal(m, &head); err != nil {
		return err
	}
	if c.session == "" {
		return c.begin(head.ID, head.Result.Session)
	}
	if head.Session == c.session {
		rest := bytes.TrimSuffix(m, []byte(`,"sessionId":"`+c.session+`"}`)) // it is last: [message.text]
		return c.Client.Write(append(rest[:len(rest):len(rest)], '}'))
	}
	if head.Session == "" {
		if head.Method == "Target.detachedFromTarget" && head.Params.Session == c.session {
			return c.Close()
		}
		if head.ID == nil {
			return nil // an event of the browser
		}
	}
	return c.Client.Write(m)
}

type sessionName struct {
	Session string `json:"sessionId"`
}

// begin takes the replies to our commands. Without a session, there is no such page.
func (c *pageClient) begin(id *int64, session string) error {
	switch {
	case id == nil: // an event
	case *id == ofTargets:
		close(c.listed)
	case session == "":
		return c.Close()
	default:
		c.session = session
		close(c.attached)
	}
	return nil
}

// Refuse tells the client why it is disconnected.
func (c *pageClient) Refuse(why error) {
	if r, can := c.Client.(refuser); can {
		r.Refuse(why)
	}
}

func (c *pageClient) handled() {
	if h, can := c.Client.(interface{ handled() }); can {
		h.handled()
	}
}

func (c *pageClient) Close() error {
	c.end()
	return c.Client.Close()
}
