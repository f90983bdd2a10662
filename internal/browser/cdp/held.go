package cdp

import (
	"encoding/json"
	"regexp"
)

// reHeld is the beginning of the event of a request that the browser holds, and reHeldURL its address,
// where the beginning has all of it.
var (
	reHeld    = regexp.MustCompile(`^\{"method":"Fetch\.requestPaused","params":\{"requestId":"([^"\\]+)","request":\{`)
	reHeldURL = regexp.MustCompile(`^"url":"([^"\\]*)"`)
)

// heldTooLong tells a session of ours of a request whose event is too long to be read, with
// tooLong in place of most members: the request waits for an answer, and would for ever.
func (c *Conn) heldTooLong(e *tooLongError) {
	m, end := reHeld.FindSubmatchIndex(e.head), reEnd.FindSubmatch(e.tail)
	if m == nil || end == nil {
		return
	}
	c.mu.Lock()
	own := c.sessions[string(end[1])]
	c.mu.Unlock()
	if own == nil {
		return
	}
	url := ""
	if u := reHeldURL.FindSubmatch(e.head[m[1]:]); u != nil {
		url = string(u[1])
	}
	text, err := json.Marshal(map[string]any{"method": "Fetch.requestPaused", "params": map[string]any{
		"requestId": string(e.head[m[2]:m[3]]), "tooLong": true, "request": map[string]any{"url": url}}})
	if err == nil {
		own.event(append(text, 0))
	}
}
