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

// What a client has documents begin with waits in its session for whatever document
// is next, and the browser's own pages come without being asked for. So it looks
// where it is before it does anything: what is not of the web, or of a page of the
// web, has nobody's scripts. Nothing that a client says has run there by then.
const ofTheWeb = `if(/^(?:https?|data|blob|about|ftp):/.test(location.href)&&/^(?:https?:|ftp:|null$)/.test(origin)){`

const (
	parseTime  = 5 * time.Second // how long a page may take to say whether a script is one
	maxParsed  = 1000            // texts that are remembered
	parseWorld = "pwpipe reads scripts "
)

// begins is the rule of a script for documents to come, which is in a param.
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

// parses says whether a text is a script by itself: what is not could leave the
// block that it is put in. The parser that is to read it is asked, in a world of
// ours, where it is not run: another one each time, since what one declares would
// stand in the way of the next. It is read as a page reads it, not as a console does
// (replMode), where await is a word of the language: what that takes for the start
// of a regular expression would divide by what ends the block.
//
// What has been read is not read again: clients bring the same to each page that comes
// up, and one that waits for them may not answer until they let it go.
func (c *command) parses(source string) error {
	sum := sha256.Sum256([]byte(source))
	if c.parsed.contains(sum) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), parseTime)
	defer cancel()
	var world struct{ ExecutionContextID int64 }
	if err := c.session.Call(ctx, "Page.createIsolatedWorld", map[string]any{"frameId": c.session.of, "worldName": parseWorld + rand.Text()}, &world); err != nil {
		return fmt.Errorf("in a browser that somebody else uses a script is read before it is taken: %w", err)
	}
	var got struct {
		ExceptionDetails struct {
			Exception struct {
				Type, Description string
				Value             json.RawMessage
			}
		}
	}
	if err := c.session.Call(ctx, "Runtime.evaluate", map[string]any{"expression": "throw 0\n;" + source, "contextId": world.ExecutionContextID, "silent": true}, &got); err != nil {
		return fmt.Errorf("in a browser that somebody else uses a script is read before it is taken: %w", err)
	}
	if e := got.ExceptionDetails.Exception; e.Type != "number" || string(e.Value) != "0" {
		return errors.New(shown(cmp.Or(e.Description, "the script could not be read")))
	}
	c.parsed.addBounded(sum, maxParsed)
	return nil
}

// breakpoint: its condition is a script, in whatever scope it is hit.
func breakpoint(c *command) error {
	condition, err := param[string](c, "condition")
	if err == nil && condition != "" && c.o.Shared.hidesOwnPages() {
		err = errors.New("in a browser that somebody else uses breakpoints have no conditions")
	}
	return err
}
