package mcptools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pwpipe/handlers/network"
	"pwpipe/handlers/read"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

func generateLocator(c *call, in onElement) error {
	_, code, err := c.target(in.Target)
	if err == nil {
		c.result(code.String())
	}
	return err
}

type roleParams struct {
	Role string `json:"role" doc:"as in the snapshot"`
	Name string `json:"accessibleName" doc:"as in the snapshot"`
}

func verifyElement(c *call, in roleParams) error {
	sel := "internal:role=" + in.Role + "[name=" + inQuotes(in.Name) + "i]"
	return c.verifyVisible(sel, fmt.Sprintf("Element with role %q and accessible name %q not found", in.Role, in.Name))
}

type textParams struct {
	Text string `json:"text" doc:"as in the snapshot"`
}

func verifyText(c *call, in textParams) error {
	return c.verifyVisible("internal:text="+inQuotes(in.Text)+"i >> visible=true", "Text not found")
}

// verifyVisible fails with the text otherwise unless the page or a frame has an element of the
// selector.
func (c *call) verifyVisible(sel, otherwise string) error {
	p, err := c.page()
	if err != nil {
		return err
	}
	made, err := onPage(c, p, func() (made string, err error) {
		for _, f := range tool.Documents(p) {
			if made, err = tool.Generated(c.ctx, p, f, sel, c.options.testID()); made != "" {
				return made, nil
			}
		}
		return "", err
	})
	if err != nil {
		return err
	}
	if made == "" {
		c.failed(otherwise)
		return nil
	}
	return c.verified(statement{element: locator(made), link: linkOf("toBeVisible")})
}

type listParams struct {
	Element string   `json:"element" doc:"description"`
	Target  string   `json:"target" also:"ref" doc:"ref or selector"`
	Items   []string `json:"items" doc:"texts"`
}

func verifyList(c *call, in listParams) error {
	sel, _, err := c.target(in.Target)
	if err != nil {
		return err
	}
	lines := []string{"  - list:"}
	for _, item := range in.Items {
		of := sel + " >> internal:text=" + inQuotes(item) + "i"
		n, err := ask(c, read.Count, on(of))
		if err != nil {
			return err
		}
		if n == 0 {
			c.failed(fmt.Sprintf("Item %q not found", item))
			return nil
		}
		text, err := ask(c, read.Text, on(of))
		if err != nil {
			return err
		}
		lines = append(lines, "    - listitem: "+inQuotes(text))
	}
	return c.verified(statement{element: chain{linkOf("locator", "body")},
		link: linkOf("toMatchAriaSnapshot", block("\n"+strings.Join(lines, "\n")+"\n  "))})
}

type valueParams struct {
	Type    string `json:"type" enum:"textbox,checkbox,radio,combobox,slider" doc:"of the element"`
	Element string `json:"element" doc:"description"`
	Target  string `json:"target" also:"ref" doc:"ref or selector"`
	Value   string `json:"value" doc:"text; checkbox: true or false"`
}

func verifyValue(c *call, in valueParams) error {
	sel, code, err := c.target(in.Target)
	if err != nil {
		return err
	}
	got, check := "", statement{element: code}
	if in.Type == "checkbox" || in.Type == "radio" {
		var is bool
		is, err = ask(c, read.Checked, on(sel))
		got, check.not, check.link = strconv.FormatBool(is), !is, linkOf("toBeChecked")
	} else {
		got, err = ask(c, read.Value, on(sel))
		check.link = linkOf("toHaveValue", in.Value)
	}
	if err != nil {
		return err
	}
	if got != in.Value {
		c.failed(fmt.Sprintf("Expected value %q, but got %q", in.Value, got))
		return nil
	}
	return c.verified(check)
}

type routeParams struct {
	Pattern     string   `json:"pattern" doc:"glob of the URL"`
	Status      int      `json:"status,omitempty" doc:"HTTP status"`
	Body        string   `json:"body,omitempty" doc:"text"`
	ContentType string   `json:"contentType,omitempty" doc:"of the body"`
	Headers     []string `json:"headers,omitempty" doc:"each Name: value, for requests sent on"`
	Remove      string   `json:"removeHeaders,omitempty" doc:"names, with commas, removed from requests"`
}

// maxBody is the number of characters that the list of routes shows of a body.
const maxBody = 50

// mocked is a route that was added.
type mocked struct{ pattern, shown string }

func mock(c *call, in routeParams) error {
	handler, shown, headers := map[string]any{}, []string{}, map[string]string{}
	if in.Status > 0 {
		handler["status"], shown = in.Status, append(shown, fmt.Sprintf("status=%d", in.Status))
	}
	if in.Body != "" {
		body := []rune(c.hide(in.Body))
		if len(body) > maxBody {
			body = append(body[:maxBody:maxBody], []rune("...")...)
		}
		handler["body"], shown = in.Body, append(shown, "body="+string(body))
	}
	if in.ContentType != "" {
		handler["contentType"], shown = in.ContentType, append(shown, "contentType="+in.ContentType)
	}
	if len(in.Headers) > 0 {
		for _, h := range in.Headers {
			name, value, ok := strings.Cut(h, ":")
			if !ok || name == "" {
				return provider.Errorf(provider.KindArgs, "Invalid header %q: expected \"Name: Value\"", h)
			}
			headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
		text, _ := json.Marshal(headers)
		shown = append(shown, "addHeaders="+string(text))
	}
	var remove []string
	for name := range strings.SplitSeq(in.Remove, ",") {
		if name = strings.TrimSpace(name); name != "" {
			remove = append(remove, name)
		}
	}
	if len(remove) > 0 {
		shown = append(shown, "removeHeaders="+strings.Join(remove, ","))
	}
	if in.Status == 0 && in.Body == "" { // the request is sent on; a mocked answer has no headers of the request
		handler = map[string]any{"request": map[string]any{"headers": headers, "remove": remove}}
	}
	raw, err := json.Marshal(handler)
	if err == nil {
		_, err = network.Route.Call(c.ctx, provider.Request{}, network.RouteParams{Pattern: in.Pattern, Handler: raw})
	}
	if err != nil {
		return err
	}
	m := kept.Of(c.session)
	m.mu.Lock()
	m.mocks = append(m.mocks, mocked{in.Pattern, strings.Join(shown, ", ")})
	m.mu.Unlock()
	c.result("Route added for pattern: " + in.Pattern)
	c.ran("await page.context().route(" + quote(in.Pattern) + ", async route => { /* route handler */ });")
	return nil
}

func listMocks(c *call, _ none) error {
	m := kept.Of(c.session)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.mocks) == 0 {
		c.result("No active routes")
	}
	for i, r := range m.mocks {
		line := fmt.Sprintf("%d. %s", i+1, r.pattern)
		if r.shown != "" {
			line += " (" + r.shown + ")"
		}
		c.result(line)
	}
	return nil
}

type unrouteParams struct {
	Pattern string `json:"pattern,omitempty" doc:"default: all"`
}

func unmock(c *call, in unrouteParams) error {
	var gone []string // patterns
	m := kept.Of(c.session)
	m.mu.Lock()
	m.mocks = slices.DeleteFunc(m.mocks, func(r mocked) bool {
		goes := in.Pattern == "" || r.pattern == in.Pattern
		if goes {
			gone = append(gone, r.pattern)
		}
		return goes
	})
	m.mu.Unlock()
	for i, pattern := range gone {
		if slices.Contains(gone[:i], pattern) {
			continue
		}
		if err := do(c, network.Unroute, network.UnrouteParams{Pattern: pattern}); err != nil {
			return err
		}
	}
	if in.Pattern == "" {
		c.result(fmt.Sprintf("Removed all %d route(s)", len(gone)))
		c.ran("await page.context().unrouteAll();")
		return nil
	}
	c.result(fmt.Sprintf("Removed %d route(s) for pattern: %s", len(gone), in.Pattern))
	c.ran("await page.context().unroute(" + quote(in.Pattern) + ");")
	return nil
}
