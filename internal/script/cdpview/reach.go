package cdpview

import (
	"context"
	"encoding/json"
	"time"
)

// listContexts: those that this client made. The session's is the default one,
// which is never listed.
func listContexts(c *command) error {
	return c.answers(map[string]any{"browserContextIds": c.made.list()})
}

// targetOf: likewise of one.
func targetOf(c *command) error {
	c.then = func(result json.RawMessage, _ error) json.RawMessage {
		if result == nil {
			return nil
		}
		return c.targets.attachedIn(result)
	}
	return maybeTarget(c)
}

// toURL: where the policy allows a page to go.
func toURL(c *command) error {
	url, err := param[string](c, "url")
	if err != nil {
		return err
	}
	return c.o.Navigate(url)
}

// navigates: toURL, and a client that is told that it failed may go elsewhere: see
// [Options.Leaves].
func navigates(c *command) error {
	if err := toURL(c); err != nil || c.o.Leaves == nil {
		return err
	}
	frame, err := param[string](c, "frameId")
	if err != nil || frame != "" && frame != c.session.of {
		return err
	}
	shown := c.o.Leaves(c.session.of)
	c.then = func(result json.RawMessage, _ error) json.RawMessage {
		var got struct{ ErrorText, LoaderID string }
		if json.Unmarshal(result, &got) == nil && got.ErrorText != "" && got.ErrorText != "net::ERR_ABORTED" { // of which there is no page
			c.settles = shown
			return c.refusals.explain(got.LoaderID, result)
		}
		return result
	}
	return nil
}

func maybeURL(c *command) error {
	if named, err := c.has("url", new(string)); err != nil || !named {
		return err
	}
	return toURL(c)
}

// entries: likewise, and its person's business is where.
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
				e["url"], e["userTypedURL"], e["title"] = json.RawMessage(`""`), json.RawMessage(`""`), json.RawMessage(`""`)
			}
		}
		text := encoded(got)
		return text
	}
	return nil
}

// historyTime is how long a page may take to say what its history is.
const historyTime = 2 * time.Second

// history: in a browser that somebody else uses a tab may have been where the client
// may not go.
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

// uploads: files that the session may give to pages.
func uploads(c *command) error {
	paths, err := param[[]string](c, "files")
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := c.o.Upload(path); err != nil {
			return err
		}
	}
	if _, given := c.params["files"]; given {
		c.set("files", paths) // what was judged is what is sent
	}
	return node(c)
}

// drag: what is dragged is text and pictures, no files of this machine.
func drag(c *command) error {
	data, err := c.object("data")
	if err != nil {
		return err
	}
	var paths []string
	if err := member(data, "files", &paths); err != nil {
		return err
	}
	for _, path := range paths {
		if err := c.o.Upload(path); err != nil {
			return err
		}
	}
	return nil
}

func input(c *command) error {
	do, err := c.o.Input(c.session.of, c.method, c.params)
	if do != nil {
		c.instead = func() (json.RawMessage, error) { return nothing, do() }
	}
	return err
}

// streams notes the streams that a command opens.
func streams(c *command) error {
	c.then = func(result json.RawMessage, _ error) json.RawMessage {
		var got struct {
			Stream   string `json:"stream"`
			Resource struct {
				Stream string `json:"stream"`
			} `json:"resource"`
		}
		if json.Unmarshal(result, &got) == nil {
			c.streams.add(got.Stream)
			c.streams.add(got.Resource.Stream)
		}
		return result
	}
	return nil
}

func resource(c *command) error {
	if err := toURL(c); err != nil {
		return err
	}
	return streams(c)
}

func ownStream(c *command) error {
	handle, err := param[string](c, "handle")
	if err != nil {
		return err
	}
	own := c.streams.contains
	if c.method == "IO.close" {
		own = c.streams.remove
	}
	if handle == "" || !own(handle) {
		return chromiums("Invalid stream handle")
	}
	return nil
}

func windowOf(c *command) error {
	if err := maybeTarget(c); err != nil {
		return err
	}
	c.then = func(result json.RawMessage, _ error) json.RawMessage {
		var got struct {
			Window int64 `json:"windowId"`
		}
		if json.Unmarshal(result, &got) == nil && got.Window != 0 {
			c.windows.add(got.Window)
		}
		return result
	}
	return nil
}

func ownWindow(c *command) error {
	id, err := param[int64](c, "windowId")
	if err != nil {
		return err
	}
	if !c.windows.contains(id) {
		return chromiums("Browser window not found")
	}
	return nil
}
