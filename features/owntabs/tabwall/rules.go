package tabwall

import (
	"encoding/json"
	"strings"
)

// stays is the rule of what Chromium does not undo when the session ends: a tab that is given back
// would have it still.
func stays(json.RawMessage) (Verdict, error) { return Verdict{}, errStays }

var errStays = ErrOfAll("the person's tab after it is given back")

// touch lets one finger touch. Two would zoom the page, and it would stay so.
func touch(p *struct {
	Type      json.RawMessage   `json:"type,omitempty"`
	Points    []json.RawMessage `json:"touchPoints"`
	Modifiers json.RawMessage   `json:"modifiers,omitempty"`
	Timestamp json.RawMessage   `json:"timestamp,omitempty"`
}) error {
	if len(p.Points) > 1 {
		return errStays
	}
	if p.Points == nil {
		p.Points = []json.RawMessage{}
	}
	return nil
}

// looks is the rule of fonts, which stay as well. The driver sets them in every page.
func looks(json.RawMessage) (Verdict, error) { return Verdict{Done: true}, nil }

// lifecycle lets a page wake up. A frozen one would stay so.
func lifecycle(p *struct {
	State string `json:"state"`
}) error {
	if p.State != "active" {
		return errStays
	}
	return nil
}

// certificates keeps the warnings about certificates. Chromium would leave them out in each tab of
// the context.
func certificates(p *struct {
	Ignore bool `json:"ignore"`
}) error {
	if p.Ignore {
		return ErrOfAll("the person's other tabs, which would show sites without a valid certificate")
	}
	return nil
}

// resource is the rule of what is fetched past the policies of the page: without the person's
// cookies.
func resource(p *struct {
	Frame   string `json:"frameId,omitempty"`
	URL     string `json:"url"`
	Options struct {
		Fresh   bool `json:"disableCache"`
		Cookies bool `json:"includeCredentials"`
	} `json:"options"`
}) error {
	url := strings.ToLower(p.URL)
	if p.Options.Cookies || !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") {
		return refused(
			"refused: in the browser that a person uses, resources are fetched over http(s), without credentials")
	}
	return nil
}

// breakpoint is the rule of breakpoints. A condition is code, and Chromium keeps it for documents
// that come later.
func breakpoint(p *map[string]json.RawMessage) error {
	if condition, has := (*p)["condition"]; has && string(condition) != `""` {
		return refused("in the browser that a person uses, breakpoints can't have conditions")
	}
	return nil
}
