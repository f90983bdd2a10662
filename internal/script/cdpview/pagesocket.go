package cdpview

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"
)

// OfPage makes of a client one that has a single page for its whole connection, as
// Chromium has it at /devtools/page/ID: what it says without a session is for the page.
func OfPage(c Client, target string) Client {
	return &pageClient{Client: c, target: target, told: make(chan struct{}), attached: make(chan struct{}), ended: make(chan struct{})}
}

type pageClient struct {
	Client
	target   string
	asked    int           // commands of ours
	told     chan struct{} // closed once the client has heard of its targets: of others there are none
	attached chan struct{} // closed once session is known
	session  string
	ended    chan struct{}
	once     sync.Once
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
		if err := c.until(c.told); err != nil {
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

// until waits for one of our replies.
func (c *pageClient) until(done chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-c.ended:
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
			return nil // of the browser: no page hears of it
		}
	}
	return c.Client.Write(m)
}

type sessionName struct {
	Session string `json:"sessionId"`
}

// begin takes our replies; no session is of a page that there is not.
func (c *pageClient) begin(id *int64, session string) error {
	switch {
	case id == nil: // an event that nobody has asked for yet
	case *id == ofTargets:
		close(c.told)
	case session == "":
		return c.Close()
	default:
		c.session = session
		close(c.attached)
	}
	return nil
}

// Refuse tells the client why it is let go.
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
	c.once.Do(func() { close(c.ended) })
	return c.Client.Close()
}
