package tabwall

import (
	"encoding/json"
	"strings"
)

// stays is the rule of what Chromium does not undo when the session ends: a tab that is given back
// would have it still.
func stays(json.RawMessage) (Verdict, error) {
	return Verdict{}, ErrOfAll("the person's tab after it is given back")
}

// touch lets one finger touch. Two would zoom the page, and it would stay so.
func touch(params json.RawMessage) (Verdict, error) {
	p := &struct {
		Type      json.RawMessage   `json:"type,omitempty"`
		Points    []json.RawMessage `json:"touchPoints"`
		Modifiers json.RawMessage   `json:"modifiers,omitempty"`
		Timestamp json.RawMessage   `json:"timestamp,omitempty"`
	}{Points: []json.RawMessage{}}
	v, err := read(params, p)
	if err == nil && len(p.Points) > 1 {
		return stays(nil)
	}
	return v, err
}

// looks is the rule of fonts, which stay as well. The driver sets them in every page.
func looks(json.RawMessage) (Verdict, error) { return Verdict{Done: true}, nil }

// lifecycle lets a page wake up. A frozen one would stay so.
func lifecycle(params json.RawMessage) (Verdict, error) {
	p := &struct {
		State string `json:"state"`
	}{}
	v, err := read(params, p)
	if err == nil && p.State != "active" {
		return stays(nil)
	}
	return v, err
}

// certificates keeps the warnings about certificates. Chromium would leave them out in each tab of
// the context.
func certificates(params json.RawMessage) (Verdict, error) {
	p := &struct {
		Ignore bool `json:"ignore"`
	}{}
	v, err := read(params, p)
	if err == nil && p.Ignore {
		return v, ErrOfAll("the person's other tabs, which would show sites without a valid certificate")
	}
	return v, err
}

// resource is the rule of what is fetched past the policies of the page: without the person's
// cookies.
func resource(params json.RawMessage) (Verdict, error) {
	p := &struct {
		Frame   string `json:"frameId,omitempty"`
		URL     string `json:"url"`
		Options struct {
			Fresh   bool `json:"disableCache"`
			Cookies bool `json:"includeCredentials"`
		} `json:"options"`
	}{}
	v, err := read(params, p)
	if url := strings.ToLower(p.URL); err == nil &&
		(p.Options.Cookies || !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://")) {
		return v, refused(
			"refused: in the browser that a person uses, resources are fetched over http(s), without credentials")
	}
	return v, err
}

// breakpoint is the rule of breakpoints. A condition is code, and Chromium keeps it for documents
// that come later.
func breakpoint(params json.RawMessage) (Verdict, error) {
	p := map[string]json.RawMessage{}
	v, err := read(params, &p)
	if condition, has := p["condition"]; err == nil && has && string(condition) != `""` {
		return v, refused("in the browser that a person uses, breakpoints can't have conditions")
	}
	return v, err
}
