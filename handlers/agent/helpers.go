package agent

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/refs"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// Helpers are what scripts see of a page beside Playwright's own, by the names that they call.
func Helpers() map[string]func(*tool.Call, map[string]any) (any, error) {
	return map[string]func(*tool.Call, map[string]any) (any, error){
		"accessibilitySnapshot":             WithOptions(snapshotHelper),
		"screenshotWithAccessibilityLabels": WithOptions(labelledHelper),
		"showAriaRefLabels":                 WithOptions(showLabels),
		"hideAriaRefLabels":                 WithOptions(hideLabels),
		"leaving":                           WithOptions(leaving),
		"waitForPageLoad":                   WithOptions(waitForLoad),
		"getLatestLogs":                     WithOptions(latestLogs),
		"getCleanHTML":                      WithOptions(cleanHTML),
	}
}

// AfterScript answers the outline after a script, or with diff what the script changed of it.
func AfterScript(c *tool.Call, diff bool) (string, error) {
	return takeSnapshot(c, snapshotParams{Diff: diff})
}

// Ran notes the URL to which a script sent the page, "" for none, and whether it clicked there.
func Ran(p *browser.Page, url string, clicked bool) {
	view := seen.Of(p)
	view.mu.Lock()
	view.went, view.clicked = url, clicked
	view.mu.Unlock()
}

func snapshotHelper(c *tool.Call, in snapshotParams) (any, error) {
	if in.Selector != "" {
		sel, err := refs.Named.Of(c.Page).Selector(string(in.Selector))
		if err != nil {
			return nil, err
		}
		in.Selector = tool.Selector(sel)
	}
	text, err := takeSnapshot(c, in)
	if err != nil {
		return nil, err
	}
	piece := provider.Cut(c.Ctx, text, in.Max)
	piece.By = "accessibilitySnapshot"
	return piece.ForPeople(), nil
}

// labelOptions are the options of helpers that draw labels.
type labelOptions struct {
	InteractiveOnly *bool `json:"interactiveOnly"` // false adds pictures
}

func (o labelOptions) pictures() bool { return o.InteractiveOnly != nil && !*o.InteractiveOnly }

func labelledHelper(c *tool.Call, o labelOptions) (any, error) {
	_, root, err := drawLabels(c, o.pictures())
	if err != nil {
		return nil, err
	}
	data, err := capture(c, screenshotParams{}, playwright.ScreenshotTypePng, nil)
	if err != nil {
		return nil, err
	}
	return map[string]any{"image": data, "snapshot": shown(c, root)}, nil
}

func showLabels(c *tool.Call, o labelOptions) (any, error) {
	labels, root, err := drawLabels(c, o.pictures())
	if err != nil {
		return nil, err
	}
	return map[string]any{"labelCount": len(labels), "labels": labels, "snapshot": shown(c, root)}, nil
}

func hideLabels(c *tool.Call, _ tool.NoParams) (any, error) {
	unlabel(c)
	return true, nil
}
