package endpoint_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// fetched returns status and body of a URL, requested with these headers (pairs).
func fetched(t *testing.T, address string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequest("GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if r.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	body, _ := io.ReadAll(got.Body)
	return got.StatusCode, string(body)
}

// works connects to a URL without headers and returns the page's title.
func works(t *testing.T, address string, onPage bool) string {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(address, nil)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	c := &raw{t: t, ws: ws, replies: map[int]chan rawReply{}, ended: make(chan struct{})}
	defer ws.Close()
	go c.read()
	if onPage {
		title := c.evaluate("", "document.body.textContent")
		if strings.Contains(c.text(), "sessionId") {
			t.Errorf("a page's connection hears of sessions: %s", c.text())
		}
		return title
	}
	return c.evaluate(c.settle().session, "document.body.textContent")
}

// A session has the same paths as a Chromium. Some clients keep a URL of Chromium's
// form, some request json/version or json/list, some connect to one page.
func TestPathsOfChromium(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPipe is quick")
	t.Parallel()
	site := pipetest.ServePages(t, pages)
	p := pipetest.Shared(t)
	p.Call("nav", []any{site + "/"})
	address := pipetest.Get[struct{ URL string }](p, "session.cdp", nil).URL
	if !strings.Contains(address, "/devtools/browser/") {
		t.Errorf("clients make another address of %s", address)
	}
	if got := works(t, address, false); got != "first" {
		t.Error(got)
	}
	checkJSON(t, strings.Replace(address, "ws:", "http:", 1))
	at, _ := url.Parse(address)
	token := at.Path[strings.LastIndexByte(at.Path, '/')+1:]
	checkJSON(t, "http://"+at.Host+"/cdp/"+token)
	for _, path := range []string{"/json/version", "/json/list", "/cdp/WRONG/json/version", "/devtools/browser/WRONG"} {
		status, body := fetched(t, "http://"+at.Host+path)
		if status != http.StatusNotFound || strings.Contains(body, token) {
			t.Errorf("%s: %d %s", path, status, body)
		}
		parsed(t, body)
	}
	for _, headers := range [][]string{{"Origin", "http://" + at.Host}, {"Host", "evil.example"}, {"Host", "evil.example:80"}} {
		for _, path := range []string{at.Path + "/json/version", at.Path + "/json/list", "/cdp/" + token + "/devtools/browser/" + token, "/cdp/" + token + "/json"} {
			if status, body := fetched(t, "http://"+at.Host+path, headers...); status != http.StatusForbidden || strings.Contains(body, token) {
				t.Errorf("%s %v: %d %s", path, headers, status, body)
			}
		}
	}
}

// parsed reads the address from any body as chromedp does, which panics unless it is a
// string.
func parsed(t *testing.T, body string) string {
	t.Helper()
	var result map[string]any
	if err := json.NewDecoder(strings.NewReader(body)).Decode(&result); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	at, is := result["webSocketDebuggerUrl"].(string)
	if !is {
		t.Errorf("a client's parser does not survive %s", body)
	}
	return at
}

func checkJSON(t *testing.T, base string, headers ...string) {
	t.Helper()
	_, body := fetched(t, base+"/json/version", headers...)
	if at := parsed(t, body); !strings.Contains(at, "/devtools/browser/") {
		t.Errorf("%s: %s", base, body)
	} else if headers == nil {
		if got := works(t, at, false); got != "first" {
			t.Errorf("%s: %s", at, got)
		}
	}
	for _, path := range []string{"/json", "/json/list"} {
		_, body := fetched(t, base+path, headers...)
		list := pipetest.Decode[[]struct{ ID, Type, URL, WebSocketDebuggerURL string }](t, body)
		if len(list) != 1 || list[0].Type != "page" || list[0].ID == "" {
			t.Errorf("%s: %s", base+path, body)
		} else if headers == nil {
			if got := works(t, list[0].WebSocketDebuggerURL, true); got != "first" {
				t.Errorf("%s: %s", list[0].WebSocketDebuggerURL, got)
			}
		}
	}
}

// A service has the same paths below a session's, with the key, or with a token in the
// path. The token gives access to that session only.
func TestTokenOfAService(t *testing.T) {
	t.Parallel()
	svc, ours, theirs, _, address := startPair(t, narrow...)
	key := []string{"X-Api-Key", svc.Key}
	if !strings.Contains(address, "/devtools/browser/") {
		t.Errorf("clients make another address of %s", address)
	}
	checkJSON(t, svc.URL+"/cdp/"+ours.ID, key...)
	checkJSON(t, svc.URL, append(key, "X-Session-Id", ours.ID)...)
	for _, path := range []string{"/cdp/" + ours.ID + "/json/version", "/json/version", "/cdp/" + ours.ID} {
		status, body := fetched(t, svc.URL+path)
		if status != http.StatusUnauthorized || parsed(t, body) != "" {
			t.Errorf("%s without the key: %d %s", path, status, body)
		}
	}
	var got struct{ URL string }
	ours.On("session.cdp", map[string]any{"token": true}, &got)
	if text := works(t, got.URL, false); text != "first" {
		t.Error(text)
	}
	at, _ := url.Parse(got.URL)
	below, _, _ := strings.Cut(at.Path, "/devtools/")
	checkJSON(t, svc.URL+below)
	if status, body := fetched(t, svc.URL+strings.Replace(below, ours.ID, theirs.ID, 1)+"/json/list"); status != http.StatusUnauthorized {
		t.Errorf("a token of another session: %d %s", status, body)
	}
	for _, headers := range [][]string{{"Origin", "http://evil.example"}, {"Host", "evil.example"}} {
		if status, body := fetched(t, svc.URL+below+"/json/version", headers...); status != http.StatusForbidden {
			t.Errorf("%v: %d %s", headers, status, body)
		}
	}
	token := below[strings.LastIndexByte(below, '/')+1:]
	if status, _ := fetched(t, svc.URL+"/metrics", "X-Api-Key", token); status != http.StatusUnauthorized {
		t.Errorf("a token lets in elsewhere: %d", status)
	}
	for range 30 {
		fetched(t, svc.URL+"/cdp/"+ours.ID+"/token/GUESS/json/version")
	}
	if status, _ := fetched(t, svc.URL+"/cdp/"+ours.ID+"/token/GUESS/json/version"); status != http.StatusTooManyRequests {
		t.Errorf("who guesses is answered %d", status)
	}
}
