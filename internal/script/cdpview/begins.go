package cdpview

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

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
		return fmt.Errorf("in a browser that somebody else uses a script is read before it is taken: %w", err)
	}
	if e := got.ExceptionDetails.Exception; e.Type != "number" || string(e.Value) != "0" {
		return errors.New(shown(cmp.Or(e.Description, "the script could not be read")))
	}
	c.parsed.addBounded(sum, maxParsed)
	return nil
}

// breakpoint is the rule of commands that set breakpoints. A condition is a script, which
// runs in whatever scope the breakpoint is hit.
func breakpoint(c *command) error {
	condition, err := param[string](c, "condition")
	if err == nil && condition != "" && c.o.Shared.hidesOwnPages() {
		err = errors.New("in a browser that somebody else uses breakpoints have no conditions")
	}
	return err
}
