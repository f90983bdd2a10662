package devtools

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/html/charset"
)

// override is a script's text that a page gets whenever it loads the script again,
// until it is closed. This is how edits work if Chromium can't change scripts in place.
type override struct {
	address  string
	inline   bool   // it is a part of the document at that address
	original string // the text before the first edit
	text     string
}

// overrides are the overrides of a page. They are put into the server's responses
// (Fetch at the stage Response), so that the response's headers still apply.
type overrides struct {
	page *Page

	setting sync.Mutex // held while the browser gets the patterns
	heard   bool

	mu   sync.Mutex
	list []override
}

// maxOverrides bounds the bytes of a page's edited scripts.
const maxOverrides = 64 << 20

// edited is a script's text from the next load on.
func (o *overrides) edited(s *Script, text string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := o.of(s, text); i >= 0 {
		return o.list[i].text
	}
	return text
}

// of is the index of the override of a script that was loaded with a text, -1 for none.
// The lock is held.
func (o *overrides) of(s *Script, loaded string) int {
	return slices.IndexFunc(o.list, func(v override) bool {
		return v.address == s.address() && v.inline == s.inline && (!s.inline || v.original == loaded || v.text == loaded)
	})
}

// errNoAddress: the page made the script itself, or it has no server.
var errNoAddress = errors.New("this Chromium can't change a script in place, and this script has no URL of its own; edit the file that creates it")

// set makes the page get a text when it next loads a script. loaded is its current
// text. Setting the original removes the override.
func (o *overrides) set(ctx context.Context, s *Script, loaded, text string, paused bool) error {
	scheme, _, _ := strings.Cut(s.address(), ":")
	if scheme != "http" && scheme != "https" && scheme != "file" {
		return errNoAddress
	}
	o.mu.Lock()
	before := slices.Clone(o.list)
	i := o.of(s, loaded)
	if i < 0 {
		i = len(o.list)
		o.list = append(o.list, override{s.address(), s.inline, loaded, loaded})
	}
	o.list[i].text = text
	size := 0
	for _, v := range o.list {
		size += len(v.original) + len(v.text)
	}
	if size > maxOverrides {
		o.list = before
		o.mu.Unlock()
		return fmt.Errorf("the page's edited scripts have more than %d MiB together", maxOverrides>>20)
	}
	o.mu.Unlock()
	return o.tell(ctx, paused)
}

// tell makes the browser pause requests for scripts with an override.
func (o *overrides) tell(ctx context.Context, paused bool) error {
	o.setting.Lock()
	defer o.setting.Unlock()
	if !o.heard {
		o.heard = true
		o.page.session.On("Fetch.requestPaused", func(e map[string]any) { go o.answer(e) })
	}
	o.mu.Lock()
	patterns := []map[string]any{}
	for _, v := range o.list {
		at := wildcards.Replace(v.address)
		patterns = append(patterns, map[string]any{"urlPattern": at, "requestStage": "Response"},
			map[string]any{"urlPattern": at + "#*", "requestStage": "Response"})
	}
	o.mu.Unlock()
	err := o.page.call(ctx, "Fetch.enable", map[string]any{"patterns": patterns}, nil)
	switch {
	case err != nil:
		return err
	case paused: // it is served when the page resumes, before any load
		go func() { _ = o.uncached(context.Background()) }()
		return nil
	}
	return o.uncached(ctx)
}

// wildcards escapes the special characters in a pattern of Fetch.enable.
var wildcards = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`)

// uncached disables the page's cache: the browser would not ask about cached resources.
// Playwright does the same for its routes.
func (o *overrides) uncached(ctx context.Context) error {
	err := o.page.call(ctx, "Network.enable", map[string]any{"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}, nil)
	return errors.Join(err, o.page.call(ctx, "Network.setCacheDisabled", map[string]any{"cacheDisabled": true}, nil))
}

// bodyTime bounds the wait for a document.
const bodyTime = 30 * time.Second

// answer handles one paused request or response. If anything fails, it continues
// unchanged.
func (o *overrides) answer(e map[string]any) {
	ctx, cancel := context.WithTimeout(context.Background(), bodyTime)
	defer cancel()
	id := str(e, "requestId")
	if _, response := e["responseStatusCode"]; response {
		if o.respond(ctx, id, e) == nil {
			return
		}
	}
	ctx, cancel = context.WithTimeout(context.Background(), bodyTime)
	defer cancel()
	_ = o.page.call(ctx, "Fetch.continueRequest", map[string]any{"requestId": id}, nil)
}

// errAsItIs: the response contains no edited script.
var errAsItIs = errors.New("nothing to override")

// respond answers a response with the edited text.
func (o *overrides) respond(ctx context.Context, id string, e map[string]any) error {
	address, _, _ := strings.Cut(str(sub(e, "request"), "url"), "#")
	o.mu.Lock()
	list := slices.DeleteFunc(slices.Clone(o.list), func(v override) bool { return v.address != address || v.text == v.original })
	o.mu.Unlock()
	status, given := num(e, "responseStatusCode"), contentType(e)
	var body []byte
	kind := "text/javascript"
	switch {
	case len(list) == 0 || list[0].inline && status/100 != 2:
		return errAsItIs
	case list[0].inline:
		text, err := o.document(ctx, id, given)
		if err != nil {
			return err
		}
		for _, v := range list {
			text = strings.ReplaceAll(text, v.original, v.text)
		}
		kind, _, _ = strings.Cut(given, ";")
		body = []byte(text)
	case status >= 400 || status < 200:
		return errAsItIs
	default: // 304 and redirects too: the requested address identifies the script
		status, body = 200, []byte(list[0].text)
	}
	return o.page.call(ctx, "Fetch.fulfillRequest", map[string]any{"requestId": id, "responseCode": status,
		"responseHeaders": edited(e, kind), "body": base64.StdEncoding.EncodeToString(body)}, nil)
}

// document is the text of a document that the server has sent, with lines as in the
// page's scripts.
func (o *overrides) document(ctx context.Context, id, contentType string) (string, error) {
	var reply struct {
		Body          string
		Base64Encoded bool
	}
	if err := o.page.call(ctx, "Fetch.getResponseBody", map[string]any{"requestId": id}, &reply); err != nil {
		return "", err
	}
	body, err := decoded(reply.Body, reply.Base64Encoded)
	if err != nil {
		return "", err
	}
	r, err := charset.NewReader(strings.NewReader(body), contentType)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return newlines.Replace(strings.TrimPrefix(string(text), "\ufeff")), err
}

// newlines normalises newlines as HTML's parser does.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// contentType is the type of a paused response.
func contentType(e map[string]any) (value string) {
	list, _ := e["responseHeaders"].([]any)
	for _, h := range list {
		if h, _ := h.(map[string]any); strings.EqualFold(str(h, "name"), "content-type") {
			value = str(h, "value")
		}
	}
	return value
}

// edited are the headers of a response with another body: without those about the body,
// and never cached, as it is for this page only.
func edited(e map[string]any, kind string) []any {
	list, _ := e["responseHeaders"].([]any)
	list = slices.DeleteFunc(slices.Clone(list), func(h any) bool {
		m, _ := h.(map[string]any)
		switch strings.ToLower(str(m, "name")) {
		case "content-length", "content-encoding", "transfer-encoding", "content-type", "cache-control", "expires", "etag", "last-modified", "location":
			return true
		}
		return false
	})
	return append(list, map[string]any{"name": "Content-Type", "value": kind + "; charset=utf-8"},
		map[string]any{"name": "Cache-Control", "value": "no-store"})
}
