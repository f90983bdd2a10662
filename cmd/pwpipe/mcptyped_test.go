package main

import (
	"strings"

	"pwpipe/internal/pipetest"
)

// peerCallsOnTheRoad: what a tool of Playwright MCP calls takes the road of every call. The policy refuses it, it
// gets a secret by its name only, and it is logged. It needs no feature that is left out.
func peerCallsOnTheRoad(p *pipetest.Pipe, site string) {
	p.T.Helper()
	is := func(kind, target, value string) pipetest.Object {
		return pipetest.Object{"type": kind, "element": "x", "target": target, "value": value}
	}
	lists := func(items ...string) pipetest.Object {
		return pipetest.Object{"element": "x", "target": "#topics", "items": items}
	}
	for _, c := range []struct {
		tool   string
		params pipetest.Object
		want   string
	}{
		{"browser_navigate", pipetest.Object{"url": "http://elsewhere.test/"}, "net::ERR_BLOCKED_BY_CLIENT at http://elsewhere.test/ page.goto: blocked: "},
		{"browser_navigate", pipetest.Object{"url": site + "/login"}, "- Page URL: " + site + "/login"},
		{"browser_type", pipetest.Object{"target": "[name=email]", "text": "{{PIN}}"}, "fill('<secret:PIN>')"},
		{"browser_verify_value", pipetest.Object{"type": "textbox", "element": "mail", "target": "[name=email]", "value": "{{PIN}}"},
			`Expected value \"<secret:PIN>\", but got \"<secret:PIN>\"`}, // it was masked before it was compared
		{"browser_navigate", pipetest.Object{"url": site + "/form"}, "/form"},
		{"browser_verify_value", is("radio", "[value=free]", "true"), "locator('[value=free]')).toBeChecked()"},
		{"browser_verify_value", is("radio", "[value=team]", "true"), `Expected value \"true\", but got \"false\"`},
		{"browser_verify_value", is("checkbox", "#terms", "false"), "locator('#terms')).not.toBeChecked()"},
		{"browser_verify_value", is("textbox", "#readonly", "M-1204"), "locator('#readonly')).toHaveValue('M-1204')"},
		{"browser_verify_value", is("combobox", "#topics", "x"), `but got \"\"`},
		{"browser_verify_list_visible", lists("boats", "Fog"), `- listitem: \"Fog signals\"`},
		{"browser_verify_list_visible", lists("Boats", "Ferries"), `Item \"Ferries\" not found`},
		{"browser_verify_text_visible", pipetest.Object{"text": "always on"}, "getByText('Always on')).toBeVisible()"},
		{"browser_verify_text_visible", pipetest.Object{"text": "never on"}, "Text not found"},
		{"browser_verify_element_visible", pipetest.Object{"role": "radio", "accessibleName": "Nobody"},
			`Element with role \"radio\" and accessible name \"Nobody\" not found`},
		{"browser_mouse_click_xy", pipetest.Object{"x": 1, "y": 1, "clickCount": 0}, "count: expected a number from 1 to 3, got 0"},
		{"browser_select_option", pipetest.Object{"target": "[name=email]", "values": []string{"a"}}, "sel: "},
	} {
		if got := p.Call(c.tool, c.params); !strings.Contains(got, c.want) || strings.Contains(got, "98765432") {
			p.T.Errorf("%s: got %s, want %q", c.tool, got, c.want)
		}
	}
}
