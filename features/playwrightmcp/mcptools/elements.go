package mcptools

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"slices"

	"pwpipe/handlers/act"
	"pwpipe/handlers/read"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

type snapshotParams struct {
	Target   string `json:"target,omitempty" also:"ref" doc:"only this element"`
	Filename string `json:"filename,omitempty" doc:"file to write"`
	Depth    *int   `json:"depth,omitempty" doc:"levels"`
	Boxes    *bool  `json:"boxes,omitempty" doc:"show [box=x,y,width,height]"`
}

func takeSnapshot(c *call, in snapshotParams) error {
	p, err := c.page()
	if err != nil {
		return err
	}
	l := look{whole: true, file: in.Filename, depth: in.Depth, boxes: c.options.Boxes}
	if in.Boxes != nil {
		l.boxes = *in.Boxes
	}
	if in.Target != "" {
		sel, _, err := c.target(in.Target)
		if err != nil {
			return err
		}
		if l.target, err = driverSelector(p, sel); err != nil {
			return err
		}
	}
	c.with(func() { c.look = l })
	return nil
}

type clickParams struct {
	onElement
	Double    bool     `json:"doubleClick,omitempty" doc:"double click"`
	Button    string   `json:"button,omitempty" enum:"left,right,middle" doc:"button"`
	Modifiers []string `json:"modifiers,omitempty" doc:"Alt, Control, ControlOrMeta, Meta, Shift"`
}

func click(c *call, in clickParams) error {
	c.snapshotAfter()
	sel, code, err := c.target(in.Target)
	if err != nil {
		return err
	}
	method, count, more := "click", 1, options{}
	if in.Double {
		method, count = "dblclick", 2
	}
	if in.Button != "" && in.Button != "left" {
		more = append(more, option{"button", in.Button})
	}
	if len(in.Modifiers) > 0 {
		more = append(more, option{"modifiers", portable(in.Modifiers)})
	}
	c.acted(code, method, more)
	return c.settled(func() error {
		switch {
		case len(more) > 0:
			return do(c, act.ClickWith, act.ClickWithParams{Sel: tool.Selector(sel), Button: cmp.Or(in.Button, "left"),
				Count: count, Keys: in.Modifiers})
		case in.Double:
			return do(c, act.DoubleClick, on(sel))
		}
		return do(c, act.Click, on(sel))
	})
}

// portable writes modifiers as code that runs on every system does: ControlOrMeta for this
// system's own.
func portable(keys []string) (list []string) {
	own := "Control"
	if runtime.GOOS == "darwin" {
		own = "Meta"
	}
	for _, key := range keys {
		if key == own {
			key = "ControlOrMeta"
		}
		list = append(list, key)
	}
	slices.Sort(list)
	return list
}

type dragParams struct {
	StartTarget  string `json:"startTarget" also:"startRef" doc:"ref or selector"`
	EndTarget    string `json:"endTarget" also:"endRef" doc:"end target"`
	StartElement string `json:"startElement,omitempty" doc:"start element"`
	EndElement   string `json:"endElement,omitempty" doc:"end element"`
}

func drag(c *call, in dragParams) error {
	c.snapshotAfter()
	from, codeFrom, err := c.target(in.StartTarget)
	if err != nil {
		return err
	}
	to, codeTo, err := c.target(in.EndTarget)
	if err != nil {
		return err
	}
	err = c.settled(func() error {
		return do(c, act.Drag, act.DragParams{From: tool.Selector(from), To: tool.Selector(to)})
	})
	if err == nil {
		c.ran(fmt.Sprintf("await page.%s.dragTo(page.%s);", codeFrom, codeTo))
	}
	return err
}

func hover(c *call, in onElement) error {
	c.snapshotAfter()
	sel, code, err := c.target(in.Target)
	if err != nil {
		return err
	}
	c.acted(code, "hover")
	return do(c, act.Hover, on(sel))
}

type optionParams struct {
	Target  string   `json:"target" also:"ref" doc:"ref or selector"`
	Values  []string `json:"values" doc:"values or labels"`
	Element string   `json:"element,omitempty" doc:"element"`
}

func selectOption(c *call, in optionParams) error {
	c.snapshotAfter()
	sel, code, err := c.target(in.Target)
	if err != nil {
		return err
	}
	c.acted(code, "selectOption", oneOrAll(in.Values))
	return c.choose(sel, in.Values)
}

// choose chooses an option, or several.
func (c *call) choose(sel string, options any) error {
	val, err := json.Marshal(options)
	if err != nil {
		return err
	}
	return do(c, act.Select, act.SelectParams{Sel: tool.Selector(sel), Val: val})
}

type formParams struct {
	Fields []formField `json:"fields" doc:"fields"`
}

type formField struct {
	Element string `json:"element,omitempty" doc:"element"`
	Target  string `json:"target" also:"ref" doc:"ref or selector"`
	Name    string `json:"name,omitempty" doc:"name"`
	Type    string `json:"type" enum:"textbox,checkbox,radio,combobox,slider" doc:"type"`
	Value   string `json:"value" doc:"checkbox: true or false; combobox: label"`
}

func fillForm(c *call, in formParams) error {
	for _, f := range in.Fields {
		sel, code, err := c.target(f.Target)
		if err != nil {
			return err
		}
		switch {
		case f.Type == "textbox" || f.Type == "slider":
			value, literal := c.secret(f.Value)
			err = do(c, act.Fill, act.FillParams{Sel: tool.Selector(sel), Val: value})
			c.acted(code, "fill", literal)
		case f.Type == "combobox":
			err = c.choose(sel, f.Value)
			c.acted(code, "selectOption", f.Value)
		case f.Type == "checkbox" || f.Type == "radio":
			method := act.Uncheck
			if f.Value == "true" {
				method = act.Check
			}
			err = do(c, method, on(sel))
			c.acted(code, method.Tool.Name)
		default:
			err = provider.Errorf(provider.KindArgs, "fields: there is no type %q", f.Type)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type keyParams struct {
	Key string `json:"key" doc:"such as ArrowLeft or a"`
}

func press(c *call, in keyParams) error {
	c.ran("// Press "+in.Key, "await page.keyboard.press("+quote(in.Key)+");")
	if in.Key != "Enter" {
		return do(c, act.Press, act.PressKeyParams{Key: in.Key})
	}
	c.snapshotAfter()
	return c.settled(func() error { return do(c, act.Press, act.PressKeyParams{Key: in.Key}) })
}

type typeParams struct {
	Target  string `json:"target" also:"ref" doc:"ref or selector"`
	Text    string `json:"text" doc:"text"`
	Submit  bool   `json:"submit,omitempty" doc:"press Enter after it"`
	Slowly  bool   `json:"slowly,omitempty" doc:"key by key"`
	Element string `json:"element,omitempty" doc:"element"`
}

func typeText(c *call, in typeParams) error {
	sel, code, err := c.target(in.Target)
	if err != nil {
		return err
	}
	value, literal := c.secret(in.Text)
	types := func() error {
		if in.Slowly {
			c.snapshotAfter()
			c.ran(fmt.Sprintf("await page.%s.pressSequentially(%s);", code, typescript.value("", literal)))
			err = do(c, act.Type, act.TypeParams{Sel: tool.Selector(sel), Text: value})
		} else {
			c.acted(code, "fill", literal)
			err = do(c, act.Fill, act.FillParams{Sel: tool.Selector(sel), Val: value})
		}
		if err != nil || !in.Submit {
			return err
		}
		c.snapshotAfter()
		c.acted(code, "press", "Enter")
		return do(c, act.Press, act.PressKeyParams{Key: "Enter", Sel: tool.Selector(sel)})
	}
	if in.Submit || in.Slowly {
		return c.settled(types)
	}
	return types()
}

type evaluateParams struct {
	Function string `json:"function" doc:"() => …, or with target element => …"`
	maybeOnElement
	Filename string `json:"filename,omitempty" doc:"filename"`
}

func evaluate(c *call, in evaluateParams) error {
	on, code, err := in.find(c)
	if err != nil {
		return err
	}
	c.ran("await page." + code + "evaluate(" + quote(asFunction(in.Function)) + ");")
	return c.settled(func() error {
		raw, err := c.value(in.Function, on)
		if err != nil {
			return err
		}
		return c.orSave("Evaluation result", indented(raw), in.Filename, "result", "json")
	})
}

// value evaluates an expression or a function in the page, or on an element.
func (c *call) value(code, on string) (json.RawMessage, error) {
	if on == "" {
		none := inQuotes(rand.Text()) // undefined is no JSON
		raw, err := ask(c, read.Eval, read.EvalParams{Code: `async () => {
			const value = (` + code + `
			), result = typeof value === 'function' ? await value() : await value;
			return result === undefined ? ` + none + ` : result;
		}`})
		if string(raw) == none {
			raw = json.RawMessage("undefined")
		}
		return raw, err
	}
	p, err := c.page()
	if err != nil {
		return nil, err
	}
	if on, err = driverSelector(p, on); err != nil {
		return nil, err
	}
	text, err := withPage(c, p, provider.Acts, func() (string, error) {
		v, err := p.PW.Locator(on).Evaluate(`async element => {
			const value = (`+code+`);
			return JSON.stringify(typeof value === 'function' ? await value(element) : value) ?? 'undefined';
		}`, nil)
		s, _ := v.(string)
		return s, err
	})
	return json.RawMessage(text), err
}

var reFunction = regexp.MustCompile(`^\s*(?:async\b|function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)`)

// asFunction makes a function of an expression, since Playwright's methods take functions.
func asFunction(code string) string {
	if reFunction.MatchString(code) {
		return code
	}
	return "() => (" + code + ")"
}

// indented formats JSON with a line a member.
func indented(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	return spread(v)
}
