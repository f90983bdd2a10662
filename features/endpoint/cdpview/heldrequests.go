package cdpview

import (
	"cmp"
	"encoding/json"
)

// request is what an event says of one.
type request struct {
	ID      string               `json:"requestId"`
	Frame   string               `json:"frameId"`
	Type    string               `json:"resourceType"`
	Request struct{ URL string } `json:"request"`
}

func requestOf(params json.RawMessage) (r request, ok bool) {
	err := json.Unmarshal(params, &r)
	return r, err == nil && r.ID != ""
}

// holds reports whether the client may answer a request that waits in a session. If it is
// for the document of a page that the client may not see, that page is gone for the client.
func (b *browser) holds(s *session, params json.RawMessage) bool {
	if b.o.Shared == nil {
		return true
	}
	r, ok := requestOf(params)
	if !ok || r.Type == "Document" && b.visibility.leaves(cmp.Or(r.Frame, s.of), r.Request.URL) {
		return false
	}
	s.held.addBounded(r.ID, maxCalls) // requests that were given up end without an event
	return true
}

// heldRequest is the rule of commands that name a request: the client must have been told
// of it, since ids could be guessed.
func heldRequest(c *command) error {
	if c.o.Shared == nil && !c.session.root {
		return nil
	}
	id, err := param[string](c, "requestId")
	if err != nil {
		return err
	}
	body := c.method == "Fetch.getResponseBody" || c.method == "Fetch.takeResponseBodyAsStream"
	own := c.session.held.remove // if it waits again for its response, another event says so
	if body {
		own = c.session.held.contains
	}
	switch {
	case !own(id):
		return chromiums("Invalid InterceptionId.")
	case body:
		return nil
	}
	c.then = func(result json.RawMessage, err error) json.RawMessage {
		if err != nil {
			c.session.held.add(id)
		}
		return result
	}
	return nil
}

// heldRedirect is heldRequest for a command that may send the request elsewhere. If that
// is not allowed, the request fails: the client has let it go, and its page would wait.
func heldRedirect(c *command) error {
	if err := heldRequest(c); err != nil {
		return err
	}
	err := maybeURL(c)
	if id, unnamed := param[string](c, "requestId"); err != nil && unnamed == nil {
		fail := map[string]any{"requestId": id, "errorReason": "BlockedByClient"}
		c.session.Send("Fetch.failRequest", fail, nil)
	}
	return err
}
