package act

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/browser"
	"pwpipe/handlers/launch"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// SelectParams are the parameters of [Select].
type SelectParams struct {
	Sel tool.Selector   `json:"sel" doc:"selector"`
	Val json.RawMessage `json:"val" doc:"value, label or index; an array chooses several"`
}

// selectOption is page.selectOption, once. A number, or a name that is neither a value nor a
// label, is an index.
func selectOption(c *tool.Call, in SelectParams) error {
	sel := string(in.Sel)
	wanted, err := optionNames(in.Val)
	if err != nil {
		return err
	}
	wait := waitFor(c, sel, playwright.ElementStateVisible, playwright.ElementStateEnabled)
	return c.WhenReady(sel, wait, func(timeout *float64) error {
		values, err := optionValues(c, sel, wanted, timeout)
		if err != nil {
			return err
		}
		_, err = tool.Frame(c.Page).SelectOption(sel, values, playwright.FrameSelectOptionOptions{Timeout: timeout})
		return unchosen(c, sel, wanted, err)
	})
}

// trouble says why options can't be chosen of an element: see the file.
//
//go:embed options.js
var trouble string

// unchosen words an error of Playwright's select-option.
func unchosen(c *tool.Call, sel string, wanted []string, err error) error {
	if err == nil {
		return nil
	}
	said, text := make(chan string, 1), ""
	if launch.Within(browser.LateGrace/2, func() error {
		v, err := tool.Frame(c.Page).EvalOnSelector(sel, trouble, wanted)
		s, _ := v.(string)
		said <- s
		return err
	}) {
		text = <-said
	}
	what, hint, _ := strings.Cut(text, "\n")
	if hint != "" {
		return provider.Errorf(provider.KindFailed, "%q %s on %s", sel, what, c.Where()).WithHint("%s", hint)
	}
	return tool.Unready(err, cmp.Or(what, "has no option "+strings.Join(wanted, ", ")))
}

// optionNames reads val: a string, a number, or an array of them.
func optionNames(val json.RawMessage) ([]string, error) {
	var v any
	if err := json.Unmarshal(val, &v); err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	names := make([]string, 0, len(list))
	for _, e := range list {
		switch e := e.(type) {
		case string:
			names = append(names, e)
		case float64:
			names = append(names, strconv.FormatFloat(e, 'f', -1, 64))
		default:
			return nil, provider.Errorf(provider.KindArgs,
				"val: expected a value, a label, an index, or an array of them, got %s", val)
		}
	}
	return names, nil
}

// optionValues decides which of the names are indexes. Only a whole number can be one,
// so most calls don't ask the page.
func optionValues(c *tool.Call, sel string, names []string, timeout *float64) (playwright.SelectOptionValues, error) {
	byName := playwright.SelectOptionValues{ValuesOrLabels: &names}
	indexes := make([]int, len(names))
	for i, name := range names {
		n, err := strconv.Atoi(name)
		if err != nil || n < 0 {
			return byName, nil
		}
		indexes[i] = n
	}
	if len(names) == 0 {
		return byName, nil
	}
	if _, err := tool.Frame(c.Page).WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{
		State: playwright.WaitForSelectorStateAttached, Timeout: timeout}); err != nil {
		return byName, err
	}
	isName, err := tool.Frame(c.Page).EvalOnSelector(sel, `(el, names) => {
		el = el.localName === 'label' ? el.control : el;
		return [...(el?.options ?? [])].some(o => names.includes(o.value) || names.includes(o.label));
	}`, names)
	if err != nil {
		return byName, fmt.Errorf("reading the options: %w", err)
	}
	if isName == true {
		return byName, nil
	}
	return playwright.SelectOptionValues{Indexes: &indexes}, nil
}
