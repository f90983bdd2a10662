// Package navigate goes to URLs, and through the history.
package navigate

import (
	"time"

	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Tools is core's nav.
func Tools() []*provider.Tool {
	nav := tool.Core.Acts("nav", "Navigate", "Go to a URL and wait until it has loaded").Within(30 * time.Second)
	return []*provider.Tool{tool.OnPageDo(nav, navigate)}
}

type navParams struct {
	URL tool.URL `json:"url" doc:"absolute, or relative to the base URL"`
}

// navigate is page.goto.
func navigate(c *tool.Call, in navParams) error {
	return c.NavigateTo(string(in.URL), nil)
}
