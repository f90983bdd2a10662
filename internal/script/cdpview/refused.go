package cdpview

import (
	"encoding/json"
	"strings"
)

// Behind a proxy that refuses, Chromium knows of a request no more than that it had no
// answer. A client is told why: with what fails, and with what it navigated.

// blockedWord is Chromium's for a request that somebody stopped.
const blockedWord = "net::ERR_BLOCKED_BY_CLIENT"

const mostRefused = 1000 // requests of which it is remembered

// going notes where a request goes, if that is not allowed.
func (b *browser) going(params json.RawMessage) {
	var e struct {
		ID      string `json:"requestId"`
		Request struct {
			URL string `json:"url"`
		} `json:"request"`
	}
	if json.Unmarshal(params, &e) != nil || !strings.HasPrefix(e.Request.URL, "http") {
		return
	}
	why := b.o.Refused(e.Request.URL)
	b.mu.Lock()
	defer b.mu.Unlock()
	if delete(b.refused, e.ID); why == nil {
		return
	}
	if len(b.refused) >= mostRefused || b.refused == nil {
		b.refused = map[string]string{}
	}
	b.refused[e.ID] = blockedWord + ": " + why.Error()
}

// saysWhy puts why a request was refused in place of what Chromium says of it, which is
// a member of an event or of a result.
func (b *browser) saysWhy(request string, said json.RawMessage) json.RawMessage {
	b.mu.Lock()
	why := b.refused[request]
	b.mu.Unlock()
	var e map[string]json.RawMessage
	if why == "" || json.Unmarshal(said, &e) != nil {
		return said
	}
	e["errorText"] = encoded(why)
	if e["requestId"] != nil {
		e["blockedReason"] = json.RawMessage(`"inspector"`) // as of what DevTools stops
	}
	text := encoded(e)
	return text
}

// network is what an event about a request has for the client.
func (b *browser) network(method string, params json.RawMessage) json.RawMessage {
	switch {
	case b.o.Refused == nil:
	case method == "Network.requestWillBeSent":
		b.going(params)
	case method == "Network.loadingFailed":
		var e struct {
			ID string `json:"requestId"`
		}
		if json.Unmarshal(params, &e) == nil {
			return b.saysWhy(e.ID, params)
		}
	}
	return params
}
