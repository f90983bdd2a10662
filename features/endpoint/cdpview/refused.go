package cdpview

import (
	"encoding/json"
	"strings"
	"sync"
)

// blockedWord is Chromium's error for a request that somebody stopped.
const blockedWord = "net::ERR_BLOCKED_BY_CLIENT"

const maxRefused = 1000 // requests whose reason is remembered

// refusals remembers why requests were refused. Behind a proxy that refuses, Chromium
// knows only that there was no answer; the client gets the reason with the event that
// fails, and with its own navigation.
type refusals struct {
	judge func(url string) error // nil if all requests are allowed

	mu      sync.Mutex
	reasons map[string]string // by the ids of requests
}

// event puts reasons into an event about a request.
func (r *refusals) event(method string, params json.RawMessage) json.RawMessage {
	switch {
	case r.judge == nil:
	case method == "Network.requestWillBeSent":
		r.sent(params)
	case method == "Network.loadingFailed":
		failed, _ := requestOf(params)
		return r.explain(failed.ID, params)
	}
	return params
}

func (r *refusals) sent(params json.RawMessage) {
	e, ok := requestOf(params)
	if !ok || !strings.HasPrefix(e.Request.URL, "http") {
		return
	}
	why := r.judge(e.Request.URL)
	r.mu.Lock()
	defer r.mu.Unlock()
	if delete(r.reasons, e.ID); why == nil {
		return
	}
	if len(r.reasons) >= maxRefused || r.reasons == nil {
		r.reasons = map[string]string{}
	}
	r.reasons[e.ID] = blockedWord + ": " + why.Error()
}

// explain replaces Chromium's errorText in an event or a result by the reason for which
// a request was refused.
func (r *refusals) explain(request string, said json.RawMessage) json.RawMessage {
	r.mu.Lock()
	why := r.reasons[request]
	r.mu.Unlock()
	var e map[string]json.RawMessage
	if why == "" || json.Unmarshal(said, &e) != nil {
		return said
	}
	e["errorText"] = encoded(why)
	if e["requestId"] != nil {
		e["blockedReason"] = json.RawMessage(`"inspector"`) // as if DevTools had stopped it
	}
	return encoded(e)
}
