package handlers

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/playwright-community/playwright-go"

	"pwpipe/provider"
)

func actTools() []*provider.Tool {
	return []*provider.Tool{
		onPageDo(Core.Acts("click", "Click", "Click an element"), click),
		onPageDo(Core.Acts("dclick", "Double-click", "Double-click an element"), doubleClick),
		onPageDo(Core.Acts("fill", "Fill", "Fill an input field"), fill),
		onPageDo(Core.Acts("clear", "Clear", "Clear an input field"), clearField),
		onPageDo(Core.Acts("check", "Check", "Check a checkbox or radio button"), check),
		onPageDo(Core.Acts("sel", "Select", "Choose an option of a select element"), selectOption),
	}
}

// click is page.click.
func click(c *call, in selParam) error {
	sel := string(in.Sel)
	return c.once(sel, func(timeout *float64, trial bool) error {
		return c.frame().Click(sel, playwright.FrameClickOptions{Timeout: timeout, Trial: &trial})
	})
}

// doubleClick is page.dblclick.
func doubleClick(c *call, in selParam) error {
	sel := string(in.Sel)
	return c.once(sel, func(timeout *float64, trial bool) error {
		return c.frame().Dblclick(sel, playwright.FrameDblclickOptions{Timeout: timeout, Trial: &trial})
	})
}

type fillParams struct {
	Sel Selector `json:"sel" doc:"selector"`
	Val string   `json:"val" doc:"text"`
}

// fill is page.fill.
func fill(c *call, in fillParams) error {
	sel := string(in.Sel)
	return c.attempt(sel, func(timeout *float64) error {
		return c.frame().Fill(sel, in.Val, playwright.FrameFillOptions{Timeout: timeout})
	})
}

// clearField is locator.clear, which is page.fill with nothing.
func clearField(c *call, in selParam) error {
	return fill(c, fillParams{Sel: in.Sel})
}

// check is page.check.
func check(c *call, in selParam) error {
	sel := string(in.Sel)
	return c.attempt(sel, func(timeout *float64) error {
		return c.frame().Check(sel, playwright.FrameCheckOptions{Timeout: timeout})
	})
}

type selParams struct {
	Sel Selector        `json:"sel" doc:"selector"`
	Val json.RawMessage `json:"val" doc:"value, label or index; an array chooses several"`
}

// selectOption is page.selectOption. What is neither a value nor a label, and
// a number, is an index.
func selectOption(c *call, in selParams) error {
	sel := string(in.Sel)
	wanted, err := optionNames(in.Val)
	if err != nil {
		return err
	}
	err = c.attempt(sel, func(timeout *float64) error {
		values, err := c.optionValues(sel, wanted, timeout)
		if err != nil {
			return err
		}
		_, err = c.frame().SelectOption(sel, values, playwright.FrameSelectOptionOptions{Timeout: timeout})
		return err
	})
	if e := (*provider.Error)(nil); errors.As(err, &e) && errors.Is(err, playwright.ErrTimeout) && strings.Contains(e.Msg, notReady) {
		e.Msg = strings.Replace(e.Msg, notReady, "has no option "+strings.Join(wanted, ", "), 1)
	}
	return err
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
			return nil, provider.Errorf(provider.KindArgs, "val: expected a value, a label, an index, or an array of them, got %s", val)
		}
	}
	return names, nil
}

// optionValues decides which of the names are indexes. Only a whole number
// can be one, so most calls ask the page nothing.
func (c *call) optionValues(sel string, names []string, timeout *float64) (playwright.SelectOptionValues, error) {
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
	if _, err := c.frame().WaitForSelector(sel, playwright.FrameWaitForSelectorOptions{
		State: playwright.WaitForSelectorStateAttached, Timeout: timeout}); err != nil {
		return byName, err
	}
	isName, err := c.frame().EvalOnSelector(sel, `(el, names) => {
		el = el.nodeName === 'LABEL' ? el.control : el;
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
