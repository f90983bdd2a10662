package check

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// WaitTools is core's wait.
func WaitTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPageDo(tool.Core.Waits("wait", "Wait",
			"Wait until an element is visible, or in another state").Within(30*time.Second), wait),
	}
}

type waitSelParams struct {
	Sel   tool.Selector `json:"sel" doc:"selector" hint:"page.waitFor idleFor with milliseconds is what pauses"`
	State string        `json:"state,omitempty" secrets:"no" doc:"state" enum:"visible,hidden,attached,detached" default:"visible"`
}

var reNumber = regexp.MustCompile(`^\s*\d+(\.\d+)?\s*$`)

// wait is page.waitForSelector.
func wait(c *tool.Call, in waitSelParams) error {
	sel := string(in.Sel)
	if reNumber.MatchString(sel) {
		return provider.Errorf(provider.KindArgs, "%q is a time, not a selector", sel).
			WithHint(`page.waitFor ["idleFor", %s] pauses for so many milliseconds`, sel)
	}
	state := playwright.WaitForSelectorState(in.State)
	err := c.Attempt(sel, func(timeout *float64) error {
		_, err := tool.Frame(c.Page).WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{State: &state, Timeout: timeout})
		return err
	})
	if (in.State == "hidden" || in.State == "detached") && tool.IsGone(err) {
		return nil
	}
	var e *provider.Error
	if still := map[string]string{"hidden": "is still visible", "detached": "is still there"}[in.State]; still != "" &&
		errors.As(err, &e) && errors.Is(err, playwright.ErrTimeout) {
		e.Kind, e.Msg = provider.KindTimeout, fmt.Sprintf("%q %s after %s on %s", sel, still, pwerrors.Seconds(c.After()), c.Where())
	}
	return err
}
