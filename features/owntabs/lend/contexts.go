package lend

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

func createContext(c *command, p *struct {
	Ends   bool   `json:"disposeOnDetach"`
	Proxy  string `json:"proxyServer,omitempty"`
	Bypass string `json:"proxyBypassList,omitempty"`
}) error {
	p.Ends = true
	c.then = func(result json.RawMessage) json.RawMessage {
		var got contextParams
		if json.Unmarshal(result, &got) == nil && got.Context != "" {
			c.b.mu.Lock()
			c.b.made[got.Context] = true
			c.b.mu.Unlock()
		}
		return result
	}
	return nil
}

func disposeContext(c *command, p *contextParams) error {
	c.b.mu.Lock()
	defer c.b.mu.Unlock()
	if !c.b.made[p.Context] {
		return refused("Failed to find context with the given id")
	}
	return nil
}

func listContexts(c *command) error {
	c.b.mu.Lock()
	defer c.b.mu.Unlock()
	ids := slices.AppendSeq([]string{}, maps.Keys(c.b.made))
	slices.Sort(ids)
	return c.answer(map[string]any{"browserContextIds": ids, "defaultBrowserContextId": c.b.home})
}

type permissionParams struct {
	contextParams
	Origin      string   `json:"origin,omitempty"`
	Permissions []string `json:"permissions"`
}

// origin judges the origin of a permission: in the person's context it must be named.
func (c *command) origin(context *string, origin string) error {
	if err := c.place(context); err != nil {
		return err
	}
	switch {
	case *context != "":
		return nil
	case origin == "":
		return refused("name an origin: without one the permission would hold for every site in the person's browser")
	}
	return c.b.mayName(origin)
}

func grantPermissions(c *command, p *permissionParams) error {
	if err := c.origin(&p.Context, p.Origin); err != nil {
		return err
	}
	return mayGrant(p.Permissions...)
}

// mayGrant refuses permissions that reach what all contexts share: the clipboard.
func mayGrant(names ...string) error {
	for _, name := range names {
		if strings.HasPrefix(strings.ToLower(name), "clipboard") {
			return refused("refused: %s: the clipboard is the person's", name)
		}
	}
	return nil
}

func setPermission(c *command, p *struct {
	contextParams
	Permission struct {
		Name                     string `json:"name"`
		Sysex                    *bool  `json:"sysex,omitempty"`
		UserVisibleOnly          *bool  `json:"userVisibleOnly,omitempty"`
		AllowWithoutSanitization *bool  `json:"allowWithoutSanitization,omitempty"`
		AllowWithoutGesture      *bool  `json:"allowWithoutGesture,omitempty"`
		PanTiltZoom              *bool  `json:"panTiltZoom,omitempty"`
	} `json:"permission"`
	Setting string `json:"setting"`
	Origin  string `json:"origin,omitempty"`
}) error {
	if err := c.origin(&p.Context, p.Origin); err != nil || p.Setting == "denied" {
		return err
	}
	return mayGrant(p.Permission.Name)
}
