package cdpview

import (
	"context"
	"encoding/json"
	"time"
)

// listContexts is the rule of Target.getBrowserContexts. It lists what the client made; the
// session's context is the default one, which is never listed.
func listContexts(c *command) error {
	return c.answers(map[string]any{"browserContextIds": c.made.list()})
}

// targetOf is the rule of Target.getTargetInfo.
func targetOf(c *command) error {
	c.then = func(result json.RawMessage, _ error) json.RawMessage {
		if result == nil {
			return nil
		}
		return c.targets.attachedIn(result)
	}
	return maybeTarget(c)
}

// toURL is the rule of commands with a URL that a page goes to.
var toURL = with("url", func(c *command, url string) error { return c.o.Navigate(url) })

var maybeURL = ifNamed("url", toURL)

// navigates is the rule of Page.navigate. After an error the client may navigate again: see
// [Options.Leaves].
func navigates(c *command) error {
	if err := toURL(c); err != nil {
		return err
	}
	frame, err := param[string](c, "frameId")
	if err != nil || frame != "" && frame != c.session.of {
		return err
	}
	shown := c.o.Leaves(c.session.of)
	c.then = func(result json.RawMessage, _ error) json.RawMessage {
		var got struct{ ErrorText, LoaderID string }
		// After net::ERR_ABORTED there is no error page.
		if json.Unmarshal(result, &got) == nil && got.ErrorText != "" && got.ErrorText != "net::ERR_ABORTED" {
			c.settles = shown
			return c.refusals.explain(got.LoaderID, result)
		}
		return result
	}
	return nil
}

// entries is the rule of Page.getNavigationHistory. In a shared browser it blanks what the
// client may not see.
func entries(c *command) error {
	if c.o.Shared == nil {
		return nil
	}
	c.then = func(result json.RawMessage, _ error) json.RawMessage {
		var got struct {
			Current int                          `json:"currentIndex"`
			Entries []map[string]json.RawMessage `json:"entries"`
		}
		if json.Unmarshal(result, &got) != nil {
			return nil
		}
		for _, e := range got.Entries {
			var url, typed string
			_, _ = json.Unmarshal(e["url"], &url), json.Unmarshal(e["userTypedURL"], &typed)
			if !c.o.Shared.Shows(url) || !c.o.Shared.Shows(typed) {
				for _, name := range []string{"url", "userTypedURL", "title"} {
					e[name] = json.RawMessage(`""`)
				}
			}
		}
		return encoded(got)
	}
	return nil
}

// historyTime is how long a page may take to report its history.
const historyTime = 2 * time.Second

// history is the rule of Page.navigateToHistoryEntry. A tab of a shared browser may have been
// where the client may not go.
func history(c *command) error {
	if c.o.Shared == nil {
		return nil
	}
	id, err := param[int64](c, "entryId")
	if err != nil {
		return err
	}
	var got struct {
		Entries []struct {
			ID  int64  `json:"id"`
			URL string `json:"url"`
		} `json:"entries"`
	}
	ctx, cancel := context.WithTimeout(context.Background(), historyTime)
	defer cancel()
	if err := c.session.Call(ctx, "Page.getNavigationHistory", nil, &got); err != nil {
		return err
	}
	for _, e := range got.Entries {
		if e.ID == id {
			c.set("entryId", id)
			return c.o.Navigate(e.URL)
		}
	}
	return chromiums("No entry with passed id")
}

// uploads is the rule of commands that give files to a page.
var uploads = with("files", func(c *command, paths []string) error {
	if err := c.mayUpload(paths); err != nil {
		return err
	}
	if _, given := c.params["files"]; given {
		c.set("files", paths) // what is judged is what is sent
	}
	return node(c)
})

func (c *command) mayUpload(paths []string) error {
	for _, path := range paths {
		if err := c.o.Upload(path); err != nil {
			return err
		}
	}
	return nil
}

// drag is the rule of Input.dispatchDragEvent: files must be allowed to the session.
func drag(c *command) error {
	data, err := c.object("data")
	if err != nil {
		return err
	}
	var paths []string
	if err := member(data, "files", &paths); err != nil {
		return err
	}
	return c.mayUpload(paths)
}

func input(c *command) error {
	do, err := c.o.Input(c.session.of, c.method, c.params)
	if do != nil {
		c.instead = func() (json.RawMessage, error) { return nothing, do() }
	}
	return err
}

// opened are the members of results that name what a command has opened.
type opened struct {
	Stream   string `json:"stream"`
	Resource struct {
		Stream string `json:"stream"`
	} `json:"resource"`
	Window int64 `json:"windowId"`
}

// notes has a result noted that can be read.
func notes[T any](c *command, note func(got T)) {
	c.then = func(result json.RawMessage, _ error) json.RawMessage {
		read(note)(result)
		return result
	}
}

func streams(c *command) error {
	notes(c, func(got opened) {
		c.streams.add(got.Stream)
		c.streams.add(got.Resource.Stream)
	})
	return nil
}

var ownStream = with("handle", func(c *command, handle string) error {
	own := c.streams.contains
	if c.method == "IO.close" {
		own = c.streams.remove
	}
	if handle == "" || !own(handle) {
		return chromiums("Invalid stream handle")
	}
	return nil
})

func windowOf(c *command) error {
	if err := maybeTarget(c); err != nil {
		return err
	}
	notes(c, func(got opened) {
		if got.Window != 0 {
			c.windows.add(got.Window)
		}
	})
	return nil
}

var ownWindow = with("windowId", func(c *command, id int64) error {
	if !c.windows.contains(id) {
		return chromiums("Browser window not found")
	}
	return nil
})
