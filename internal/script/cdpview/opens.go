package cdpview

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// only refuses params of other names.
func (c *command) only(names ...string) error {
	for name, raw := range c.params {
		if !slices.Contains(names, name) && string(raw) != "null" && string(raw) != "false" {
			return fmt.Errorf("%s is not offered here", shown(name))
		}
	}
	return nil
}

// newPage is the rule of Target.createTarget. A hidden page would not be counted.
func newPage(c *command) error {
	if err := c.only("url", "left", "top", "width", "height", "windowState", "browserContextId", "newWindow",
		"background", "focus", "forTab"); err != nil {
		return err
	}
	if err := area(c.params, "", MayDraw); err != nil {
		return err
	}
	if err := toURL(c); err != nil {
		return err
	}
	if err := ownContext(c); err != nil {
		return err
	}
	var url, context string
	_, _ = c.has("url", &url)
	_, _ = c.has("browserContextId", &context)
	if err := c.o.NewPage(context); err != nil {
		return err
	}
	tab, err := param[bool](c, "forTab")
	if err != nil {
		return err
	}
	blank := url == "" || url == "about:blank" // the driver hears of other pages when their site has answered
	notes(c, func(got targetInfo) {
		if got.TargetID == "" {
			return
		}
		c.targets.known.add(got.TargetID)
		if c.o.Settled != nil && !tab && blank {
			c.settles = func() { c.o.Settled(context, got.TargetID) }
		}
	})
	return nil
}

// newContext is the rule of Target.createBrowserContext. The context goes with the client.
func newContext(c *command) error {
	var server string
	proxied, err := c.has("proxyServer", &server)
	if err != nil {
		return err
	}
	if proxied { // also "", which Chromium takes for a direct connection
		if err := c.o.Proxy(server); err != nil {
			return err
		}
	}
	if !proxied {
		delete(c.params, "proxyBypassList")
	}
	if err := c.only("disposeOnDetach", "proxyServer", "proxyBypassList"); err != nil {
		return err
	}
	if err := c.o.NewContext(); err != nil {
		return err
	}
	c.set("disposeOnDetach", true)
	c.then = func(result json.RawMessage, _ error) json.RawMessage {
		var got struct {
			Context string `json:"browserContextId"`
		}
		_ = json.Unmarshal(result, &got)
		if got.Context != "" && c.made.add(got.Context) { // otherwise it went with the client
			c.o.Opened(got.Context)
		} else {
			c.o.Closed("")
		}
		return result
	}
	return nil
}

// dropContext is the rule of Target.disposeBrowserContext.
func dropContext(c *command) error {
	id, err := param[string](c, "browserContextId")
	if err != nil {
		return err
	}
	if !c.made.remove(id) {
		return errors.New("only a context that this client made can be disposed of: " + shown(id))
	}
	c.then = func(result json.RawMessage, _ error) json.RawMessage {
		c.o.Closed(id)
		return result
	}
	return nil
}
