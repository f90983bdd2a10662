package state

import (
	"encoding/json"
	"net/url"
	"slices"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/files"
	"pwpipe/handlers/tool"
	"pwpipe/internal/machine/writefile"
	"pwpipe/internal/policy/storagestate"
	"pwpipe/provider"
)

// SaveParams are the parameters of [Save].
type SaveParams struct {
	Path tool.WritePath `json:"path" doc:"JSON file in Playwright's storage-state format"`
}

// LoadParams are the parameters of [Load].
type LoadParams struct {
	Path tool.ReadPath `json:"path" doc:"JSON file in Playwright's storage-state format"`
}

// saveState is context.storageState.
func saveState(c *tool.Call, in SaveParams) (string, error) {
	path := string(in.Path)
	state, err := c.Context.StorageState()
	if err != nil {
		return "", c.Fail(err, "")
	}
	// A lent tab may be where the session may not go.
	state.Origins = slices.DeleteFunc(state.Origins, func(o playwright.Origin) bool {
		return c.Session.Policy().At(o.Origin) != nil
	})
	data, err := json.MarshalIndent(state, "", "  ")
	if err != nil {
		return "", err
	}
	if err := files.WritePrivate(path, append(data, '\n')); err != nil {
		return "", err
	}
	provider.Wrote(c.Ctx, path)
	return path, nil
}

// maxState bounds a file of a state, in bytes.
const maxState = 64 << 20

// ReadState reads a file in Playwright's storage-state format.
func ReadState(path string) (*playwright.OptionalStorageState, error) {
	data, err := writefile.Read(path, maxState)
	if err != nil {
		return nil, provider.Errorf(provider.KindArgs, "path: %w", err)
	}
	state, err := storagestate.Parse(data)
	if err != nil {
		return nil, provider.Errorf(provider.KindArgs, "path: %s is not a saved state: %w", path, err)
	}
	if state.Cookies == nil && state.Origins == nil {
		return nil, provider.Errorf(provider.KindArgs, "path: %s is not a saved state: it has neither cookies nor origins", path)
	}
	return state, nil
}

// loadStateFile adds cookies to an open context. It sets local storage by visiting each
// origin behind a route that answers by itself. The context's other state stays.
func loadStateFile(c *tool.Call, in LoadParams) error {
	state, err := ReadState(string(in.Path))
	if err != nil {
		return err
	}
	if len(state.Cookies) > 0 {
		if err := c.Context.AddCookies(state.Cookies); err != nil {
			return c.Fail(err, "")
		}
	}
	var elsewhere []playwright.Origin
	for _, o := range state.Origins {
		if !sameOrigin(o.Origin, c.PW.URL()) {
			elsewhere = append(elsewhere, o)
		} else if err := setItems(c, c.PW, o); err != nil {
			return err
		}
	}
	if len(elsewhere) == 0 {
		return nil
	}
	return visitOrigins(c, elsewhere)
}

func sameOrigin(origin, at string) bool {
	o, err1 := url.Parse(origin)
	u, err2 := url.Parse(at)
	return err1 == nil && err2 == nil && o.Scheme == u.Scheme && o.Host == u.Host
}

// visitOrigins sets local storage of origins that no page shows, in a temporary page.
// Nothing reaches the network.
func visitOrigins(c *tool.Call, origins []playwright.Origin) error {
	pw, err := c.Context.NewPage()
	if err != nil {
		return c.Fail(err, "")
	}
	defer func() { _ = pw.Close() }()
	err = pw.Route("**/*", func(r playwright.Route) {
		_ = r.Fulfill(playwright.RouteFulfillOptions{Body: "<!doctype html>", ContentType: playwright.String("text/html")})
	})
	if err != nil {
		return c.Fail(err, "")
	}
	for _, o := range origins {
		if _, err := pw.Goto(o.Origin, playwright.PageGotoOptions{Timeout: c.Left()}); err != nil {
			return c.NavError(err, o.Origin)
		}
		if err := setItems(c, pw, o); err != nil {
			return err
		}
	}
	return nil
}

func setItems(c *tool.Call, pw playwright.Page, o playwright.Origin) error {
	items := [][]string{}
	for _, i := range o.LocalStorage {
		items = append(items, []string{i.Name, i.Value})
	}
	_, err := pw.MainFrame().Evaluate("items => { for (const [k, v] of items) localStorage.setItem(k, v) }", items)
	return c.Fail(err, "")
}
