package film

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"pwpipe/handlers/browser"
	"pwpipe/internal/browser/cdp"
)

//go:embed encoder.js
var encoderSource string

// ErrNoEncoder: the browser can't make WebM.
var ErrNoEncoder = errors.New("this browser has no encoder of ours")

// encoder is a page of ours that encodes pictures to VP9 or VP8 with the browser's own
// encoder (WebCodecs). Its context belongs to no session, and its requests don't reach
// the network.
type encoder struct {
	home, page *cdp.Session
	context    string // Chromium's codec id
	codec      string // Matroska's codec name
}

// encoded is an encoded picture.
type encoded struct {
	Ms   int64  `json:"ms"`
	Key  bool   `json:"key"`
	Data []byte `json:"data"`
}

// address is the page's URL, which nobody serves. It is https, because browsers offer
// encoders only to secure contexts.
const address = "https://film.invalid/"

// How long the browser may take to open the page, and to encode a picture.
const (
	openTime   = 10 * time.Second
	encodeTime = 10 * time.Second
)

// CanEncode reports whether we may open our own page in a browser, beside the pages of
// sessions. A browser that somebody else started, that has a profile or that shows
// windows would show that page.
func CanEncode(e *browser.Engine) bool {
	return e.Chromium && e.DevTools != nil && e.Browser != nil && !e.Headed
}

// openEncoder opens the page for a film of a size.
func openEncoder(e *browser.Engine, width, height, rate int) (*encoder, error) {
	if !CanEncode(e) {
		return nil, ErrNoEncoder
	}
	ctx, cancel := context.WithTimeout(context.Background(), openTime)
	defer cancel()
	home, _, err := e.Line()
	if err != nil {
		return nil, err
	}
	own := &encoder{home: home}
	if err := own.open(ctx, fmt.Sprintf("film.begin(%d, %d, %d)", width, height, rate)); err != nil {
		own.close()
		return nil, err
	}
	return own, nil
}

func (n *encoder) open(ctx context.Context, begin string) error {
	var opened struct{ BrowserContextID, TargetID string }
	if err := n.home.Call(ctx, "Target.createBrowserContext", map[string]any{"disposeOnDetach": true}, &opened); err != nil {
		return err
	}
	n.context = opened.BrowserContextID
	err := n.home.Call(ctx, "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": n.context}, &opened)
	if err != nil {
		return err
	}
	if n.page, err = n.home.Attach(ctx, opened.TargetID); err != nil {
		return err
	}
	n.page.On("Fetch.requestPaused", n.serve)
	if err = n.page.Call(ctx, "Fetch.enable", map[string]any{"patterns": []any{map[string]any{"urlPattern": "*"}}}, nil); err != nil {
		return err
	}
	if err = n.page.Call(ctx, "Page.navigate", map[string]any{"url": address}, nil); err != nil {
		return err
	}
	if err = n.ask(ctx, encoderSource+"\n0", nil); err != nil {
		return err
	}
	if err = n.ask(ctx, begin, &n.codec); err == nil && n.codec == "" {
		return ErrNoEncoder
	}
	return err
}

// serve answers the page's only request.
func (n *encoder) serve(params json.RawMessage) {
	var e struct {
		RequestID string
		Request   struct{ URL string }
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	if e.Request.URL != address {
		n.page.Send("Fetch.failRequest", map[string]any{"requestId": e.RequestID, "errorReason": "BlockedByClient"}, nil)
		return
	}
	n.page.Send("Fetch.fulfillRequest", map[string]any{"requestId": e.RequestID, "responseCode": 200,
		"responseHeaders": []any{map[string]any{"name": "Content-Type", "value": "text/html"}}, "body": ""}, nil)
}

// ask evaluates an expression in the page.
func (n *encoder) ask(ctx context.Context, expression string, into any) error {
	var got struct {
		Result    struct{ Value json.RawMessage }
		Exception *struct {
			Exception struct{ Description string }
		} `json:"exceptionDetails"`
	}
	err := n.page.Call(ctx, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &got)
	switch {
	case err != nil:
		return err
	case got.Exception != nil:
		return fmt.Errorf("the browser's encoder: %.200s", got.Exception.Exception.Description)
	case into == nil:
		return nil
	}
	return json.Unmarshal(got.Result.Value, into)
}

// add encodes a JPEG picture; nil repeats the last one. What is drawn over it stays
// until it is replaced.
func (n *encoder) add(jpeg []byte, ms int64, key bool, over *Overlay) (list []encoded, err error) {
	args, err := json.Marshal([]any{jpeg, ms, key, over}) // the picture as base64
	if err != nil {
		return nil, err
	}
	return n.encode(fmt.Sprintf("film.add(...%s)", args))
}

// rest answers the rest of the encoded pictures.
func (n *encoder) rest() ([]encoded, error) { return n.encode("film.end()") }

func (n *encoder) encode(expression string) (list []encoded, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), encodeTime)
	defer cancel()
	err = n.ask(ctx, expression, &list)
	return list, err
}

// close closes the page.
func (n *encoder) close() {
	if n.context != "" {
		n.home.Send("Target.disposeBrowserContext", map[string]any{"browserContextId": n.context}, nil)
	}
}
