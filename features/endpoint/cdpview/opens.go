package cdpview

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"pwpipe/internal/browser/cdp"
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
	if err := area(c.params, "", cdp.MayDraw); err != nil {
		return err
	}
	if err := toURL(c); err != nil {
		return err
	}
	if err := ownContext(c); err != nil {
		return err
	}
	url, _ := param[string](c, "url")
	context, _ := param[string](c, "browserContextId")
	if err := c.o.NewPage(context); err != nil {
		return err
	}
	tab, err := param[bool](c, "forTab")
	if err != nil {
		return err
	}
	blank := url == "" || url == "about:blank" // the driver hears of other pages when their site has answered
	notes(c, func(got Target) {
		if got.TargetID == "" {
			return
		}
		c.targets.known.add(got.TargetID)
		if !tab && blank {
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
	if !proxied {
		delete(c.params, "proxyBypassList")
	} else if err := c.o.Proxy(server); err != nil { // also "", which Chromium takes for a direct connection
		return err
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
var dropContext = with("browserContextId", func(c *command, id string) error {
	if !c.made.remove(id) {
		return errors.New("only a context that this client made can be disposed of: " + shown(id))
	}
	c.then = func(result json.RawMessage, _ error) json.RawMessage {
		c.o.Closed(id)
		return result
	}
	return nil
})

// A client's script for new documents runs in whatever document is next, and the browser's
// own pages come unasked. So the script first checks where it is: it runs only in documents
// of the web. Nothing of the client's has run in the document by then.
const ofTheWeb = `if(/^(?:https?|data|blob|about|ftp):/.test(location.href)&&/^(?:https?:|ftp:|null$)/.test(origin)){`

const (
	parseTime  = 5 * time.Second // how long a page may take to parse a script
	maxParsed  = 1000            // texts that are remembered
	parseWorld = "pwpipe reads scripts "
)

// begins is the rule of commands with a script for new documents, which is in a param.
func begins(name string) rule {
	return func(c *command) error {
		if !c.o.Shared.hidesOwnPages() {
			return nil
		}
		source, err := param[string](c, name)
		if err != nil || source == "" {
			return err
		}
		if err := c.parses(source); err != nil {
			return err
		}
		c.set(name, ofTheWeb+source+"\n}")
		return nil
	}
}

// parses checks that a text is a script by itself: another text could leave the block that
// it is put in. Chromium's own parser reads it, in a world of ours, where it does not run:
// another world each time, since declarations would collide. It is read as a page reads it,
// not as a console does (replMode), where await is a keyword: a slash after await would be
// the start of a regular expression in one, and a division in the other.
//
// A script is not read twice: clients send the same to each new page, and a page that waits
// for them may not answer.
func (c *command) parses(source string) error {
	sum := sha256.Sum256([]byte(source))
	if c.parsed.contains(sum) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), parseTime)
	defer cancel()
	var world struct{ ExecutionContextID int64 }
	isolated := map[string]any{"frameId": c.session.of, "worldName": parseWorld + rand.Text()}
	err := c.session.Call(ctx, "Page.createIsolatedWorld", isolated, &world)
	var got struct {
		ExceptionDetails struct {
			Exception struct {
				Type, Description string
				Value             json.RawMessage
			}
		}
	}
	if err == nil {
		throw := map[string]any{"expression": "throw 0\n;" + source, "contextId": world.ExecutionContextID,
			"silent": true}
		err = c.session.Call(ctx, "Runtime.evaluate", throw, &got)
	}
	if err != nil {
		return fmt.Errorf("in a browser that others use, a script must parse before it is accepted: %w", err)
	}
	if e := got.ExceptionDetails.Exception; e.Type != "number" || string(e.Value) != "0" {
		return errors.New(shown(cmp.Or(e.Description, "the script could not be read")))
	}
	c.parsed.addBounded(sum, maxParsed)
	return nil
}

// breakpoint is the rule of commands that set breakpoints. A condition is a script, which
// runs in whatever scope the breakpoint is hit.
var breakpoint = with("condition", func(c *command, condition string) error {
	if condition != "" && c.o.Shared.hidesOwnPages() {
		return errors.New("in a browser that others use, breakpoints can't have conditions")
	}
	return nil
})
