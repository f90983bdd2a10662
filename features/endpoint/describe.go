package endpoint

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"pwpipe/features/endpoint/cdpview"
	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
	"pwpipe/provider"
)

// Paths below a session's path, as Chromium has them. Clients use an address that
// contains the first as it is, and derive others from one that does not.
const (
	browserPath = "/devtools/browser/"
	pagePath    = "/devtools/page/"
)

// split splits a request's path: the session's part, and what is below it.
func split(path string) (at, below string) {
	path = strings.TrimSuffix(path, "/")
	for _, tail := range []string{"/json/version", "/json/list", "/json"} {
		if at, ok := strings.CutSuffix(path, tail); ok {
			return at, tail
		}
	}
	if i := strings.LastIndex(path, "/devtools/"); i > 0 {
		return path[:i], path[i:]
	}
	return path, ""
}

// wsBase is a session's address as the client calls us.
func wsBase(r *http.Request, s *browser.Session, at string) string {
	scheme := "ws://"
	if r.TLS != nil {
		scheme = "wss://"
	}
	if at == "" { // it was named beside the path
		at = Path + s.Options.ID
	}
	return scheme + r.Host + at
}

// browserURL is the session's address as a browser.
func browserURL(base string) string {
	if strings.Contains(base, browserPath) {
		return base
	}
	return base + browserPath + base[strings.LastIndexByte(base, '/')+1:]
}

// version is Chromium's version, with the names of DevTools and of json/version.
type version struct {
	Product   string `json:"product"`
	Protocol  string `json:"protocolVersion"`
	Revision  string `json:"revision"`
	UserAgent string `json:"userAgent"`
	V8        string `json:"jsVersion"`
}

type described struct {
	Browser   string `json:"Browser"`
	Protocol  string `json:"Protocol-Version"`
	UserAgent string `json:"User-Agent"`
	V8        string `json:"V8-Version"`
	WebKit    string `json:"WebKit-Version"`
	WebSocket string `json:"webSocketDebuggerUrl"`
}

// describe answers the requests of clients that know only an HTTP address.
func describe(w http.ResponseWriter, r *http.Request, p *browser.Page, at string, devtools *cdp.Session) error {
	var v version
	if err := devtools.Call(r.Context(), "Browser.getVersion", nil, &v); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(described{v.Product, v.Protocol, v.UserAgent, v.V8, "537.36 (" + v.Revision + ")",
		browserURL(wsBase(r, p.Session, at))})
}

// listed is a target as Chromium lists it.
type listed struct {
	Description string `json:"description"`
	Frontend    string `json:"devtoolsFrontendUrl"`
	ID          string `json:"id"`
	Title       string `json:"title"`
	Type        string `json:"type"`
	URL         string `json:"url"`
	WebSocket   string `json:"webSocketDebuggerUrl"`
}

// list answers the pages that a client would see.
func list(ctx context.Context, w http.ResponseWriter, r *http.Request, p *browser.Page, at string, devtools *cdp.Session, o cdpview.Options) error {
	targets, err := cdpview.Targets(ctx, devtools, o)
	if err != nil {
		return err
	}
	all := []listed{}
	base := wsBase(r, p.Session, at)
	for _, t := range targets {
		if t.Type == "page" {
			all = append(all, listed{ID: t.TargetID, Title: t.Title, Type: t.Type, URL: t.URL,
				WebSocket: base + pagePath + t.TargetID})
		}
	}
	text, err := cdp.Encode(all)
	if err != nil {
		return err
	}
	read, err := o.Budget.Waits(len(text))
	if err != nil {
		return provider.Errorf(provider.KindLimit, "%w", err)
	}
	defer read()
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(text, '\n')) // a client that does not read it gets no other answer
	return nil
}

// answerTime bounds the time to read an answer below /json.
const answerTime = 30 * time.Second
