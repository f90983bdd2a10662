// Package grid opens browsers of a Selenium Grid and connects to their DevTools.
package grid

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"pwpipe/internal/machine/writefile"
)

// Options are the hub's address and the requested browser.
type Options struct {
	Hub string // http://host:4444, "" for no grid
	// Capabilities are WebDriver capabilities to request in addition to ours, as one
	// JSON object; arguments of goog:chromeOptions come after ours. nil for none.
	Capabilities json.RawMessage
	Headed       bool
}

// Times of the hub. It queues requests until a node has a place. It ends a session
// without WebDriver commands after the node's session time-out (300 s by default); many
// releases don't count DevTools commands.
const (
	OpenTime  = 90 * time.Second
	closeTime = 10 * time.Second
	keepEvery = 5 * time.Second
	maxAnswer = 1 << 20
)

// Session is a browser of a grid.
type Session struct {
	ID  string // of WebDriver
	CDP string // the address of its DevTools, a WebSocket of the hub

	at   string // the session's own address
	end  func()
	gone chan struct{} // closed when the hub does not know it any more
	once sync.Once
}

// Gone is closed when the grid has ended the session: a DevTools connection may not
// show it. It is nil for no session.
func (s *Session) Gone() <-chan struct{} {
	if s == nil {
		return nil
	}
	return s.gone
}

// Check says why the options are invalid, nil if they are valid.
func (o Options) Check() error {
	u, err := url.Parse(o.Hub)
	if err != nil || !strings.HasPrefix(o.Hub, "http://") && !strings.HasPrefix(o.Hub, "https://") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("expected http://host:4444, got %q", o.Hub)
	}
	if u.User != nil {
		return errors.New("a hub with a password is not supported: it does not forward DevTools")
	}
	_, err = o.asked()
	return err
}

// asked are the capabilities to request.
func (o Options) asked() (map[string]any, error) {
	args := []any{}
	if !o.Headed {
		args = append(args, "--headless=new")
	}
	all := map[string]any{"browserName": "chrome", "se:name": "pwpipe"}
	if len(o.Capabilities) > 0 {
		var more map[string]any
		if err := json.Unmarshal(o.Capabilities, &more); err != nil || more == nil {
			return nil, errors.New(`capabilities: expected a JSON object, such as {"browserName":"MicrosoftEdge"}`)
		}
		for name, value := range more {
			all[name] = value
		}
	}
	for name := range all {
		if !strings.HasSuffix(name, "hromeOptions") && !strings.HasSuffix(name, ":edgeOptions") {
			continue
		}
		own, ok := all[name].(map[string]any)
		if !ok {
			return nil, fmt.Errorf("capabilities: %s: expected an object", name)
		}
		given, ok := own["args"].([]any)
		if !ok && own["args"] != nil {
			return nil, fmt.Errorf("capabilities: %s: args: expected a list", name)
		}
		args = append(args, given...)
		own["args"] = args
		return all, nil
	}
	options := "goog:chromeOptions"
	if all["browserName"] == "MicrosoftEdge" {
		options = "ms:edgeOptions"
	}
	all[options] = map[string]any{"args": args}
	return all, nil
}

// Ready says why the grid accepts no sessions, nil if it does.
func (o Options) Ready(ctx context.Context) error {
	var got struct {
		Ready   bool
		Message string
	}
	if err := ask(ctx, http.MethodGet, o.base()+"/status", nil, &got); err != nil {
		return fmt.Errorf("the grid at %s: %w", o.Hub, err)
	}
	if !got.Ready {
		return fmt.Errorf("the grid at %s: %.200s", o.Hub, got.Message)
	}
	return nil
}

// base is the hub's address without the path of older hubs.
func (o Options) base() string {
	return strings.TrimSuffix(strings.TrimSuffix(o.Hub, "/"), "/wd/hub")
}

// Open requests a browser from the hub, until ctx ends. The session stays alive until
// Close.
func Open(ctx context.Context, o Options) (*Session, error) {
	asked, err := o.asked()
	if err != nil {
		return nil, err
	}
	hub := o.base()
	var got struct {
		SessionID    string `json:"sessionId"`
		Capabilities struct {
			CDP string `json:"se:cdp"`
		} `json:"capabilities"`
	}
	if err := ask(ctx, http.MethodPost, hub+"/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": asked}}, &got); err != nil {
		return nil, err
	}
	if got.SessionID == "" {
		return nil, errors.New("its answer names no session")
	}
	s := &Session{ID: got.SessionID, at: hub + "/session/" + url.PathEscape(got.SessionID), gone: make(chan struct{})}
	if got.Capabilities.CDP == "" {
		s.Close()
		return nil, errors.New("the node offers no DevTools (se:cdp): one of Selenium 4 with Chrome, Chromium or Edge does")
	}
	// The hub may have another name for itself: use the address at which it was asked.
	s.CDP = "ws" + strings.TrimPrefix(s.at, "http") + "/se/cdp"
	kept, end := context.WithCancel(context.Background())
	s.end = end
	go s.keep(kept)
	return s, nil
}

// keep polls the session, so that it ends by the grid's own time-out when we are gone,
// and not before.
func (s *Session) keep(ctx context.Context) {
	tick := time.NewTicker(keepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		once, cancel := context.WithTimeout(ctx, keepEvery)
		err := ask(once, http.MethodGet, s.at+"/timeouts", nil, nil) // a grid may be away for a while
		cancel()
		if errors.Is(err, errNoSession) {
			close(s.gone)
			return
		}
	}
}

// Close ends the session, and with it the browser.
func (s *Session) Close() {
	if s == nil {
		return
	}
	s.once.Do(func() {
		if s.end != nil {
			s.end()
		}
		_ = end(s.at)
	})
}

// end ends the session at an address.
func end(at string) error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	return ask(ctx, http.MethodDelete, at, nil, nil)
}

// errNoSession is WebDriver's error for a session that has ended.
var errNoSession = errors.New("invalid session id")

// web follows no redirects: only the hub is contacted.
var web = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// ask sends one WebDriver command.
func ask(ctx context.Context, method, at string, params, to any) error {
	var body io.Reader
	if params != nil {
		text, err := json.Marshal(params)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, at, body)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	answer, err := web.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return err
	}
	var got struct {
		Value json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(text, &got); err != nil {
		return fmt.Errorf("no grid answers there: %s, %.100s", answer.Status, text)
	}
	if answer.StatusCode != http.StatusOK {
		var why struct{ Error, Message string }
		_ = json.Unmarshal(got.Value, &why)
		if why.Error == errNoSession.Error() {
			return errNoSession
		}
		line, _, _ := strings.Cut(why.Message, "\n")
		return fmt.Errorf("%s: %.300s", why.Error, line)
	}
	if to == nil {
		return nil
	}
	return json.Unmarshal(got.Value, to)
}

// noteName is the file in a run's folder that names its session, for the sweep after
// the run was killed.
const noteName = "grid.json"

type note struct {
	Session string `json:"session"` // its address
}

// Note writes the session's name into a run's folder.
func (s *Session) Note(dir string) error {
	text, err := json.Marshal(note{s.at})
	if err != nil {
		return err
	}
	return writefile.Bytes(filepath.Join(dir, noteName), text, writefile.Private)
}

// EndLeft ends the sessions of killed runs, by their folders. It returns their number.
func EndLeft(folders []string) int {
	var all sync.WaitGroup
	n := 0
	for _, dir := range folders {
		file := filepath.Join(dir, noteName)
		text, err := os.ReadFile(file)
		var left note
		if err != nil || json.Unmarshal(text, &left) != nil {
			continue
		}
		if at, err := url.Parse(left.Session); err != nil || at.Scheme != "http" && at.Scheme != "https" {
			continue
		}
		n++
		all.Go(func() { _ = end(left.Session) })
	}
	all.Wait()
	return n
}
