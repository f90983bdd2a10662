package handlers

import (
	"pwpipe/provider"
)

// emulate sends a command with parameters to the page's DevTools session,
// which lives as long as the page, so what it sets stays.
func (c *call) emulate(method string, params map[string]any) error {
	if !c.engine.chromium {
		return provider.Errorf(provider.KindFailed, "only Chromium can do this on an open page").
			WithHint("give open-ctx the option instead")
	}
	if err := c.attached(); err != nil {
		return err
	}
	_, err := c.devtools(method, params)
	return err
}

// isolated evaluates an expression in a world of its own in the page's main
// frame, where the page has replaced none of the built-ins.
func (p *page) isolated(expression string) (any, error) {
	if err := p.attached(); err != nil {
		return nil, err
	}
	tree, err := p.devtools("Page.getFrameTree", nil)
	if err != nil {
		return nil, err
	}
	top, _ := tree["frameTree"].(map[string]any)
	frame, _ := top["frame"].(map[string]any)
	world, err := p.devtools("Page.createIsolatedWorld", map[string]any{"frameId": frame["id"], "worldName": "pwpipe"})
	if err != nil {
		return nil, err
	}
	reply, err := p.devtools("Runtime.evaluate", map[string]any{"expression": expression,
		"contextId": world["executionContextId"], "returnByValue": true})
	if err != nil {
		return nil, err
	}
	return remoteValue(reply)
}
