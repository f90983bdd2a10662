package read

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/fastpath"
	"pwpipe/handlers/pwerrors"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// ContentTools read a page's contents as people see them.
func ContentTools() []*provider.Tool {
	return []*provider.Tool{
		tool.OnPage(tool.Read.Reads("text", "Visible text",
			"Get the text of an element as a reader sees it, or of the whole page (txt: text content)").Direct(), visibleText),
		Value.Tool, Count.Tool,
		tool.OnPage(tool.Read.Reads("all", "All texts",
			"Get the visible texts of all elements that match, at once").Direct(), allTexts),
		tool.OnPage(tool.Read.Reads("links", "Links", "List the links of the page, or inside an element").Direct(), links),
		tool.OnPage(tool.Read.Reads("table", "Table", "Get a table as rows of cells").Direct(), table),
		tool.OnPage(tool.Read.Reads("box", "Box",
			"Get an element's place and size in the viewport, in CSS pixels; null if it is not shown").OwnAnswers(), boxOf),
	}
}

type optSelParam struct {
	Sel tool.Selector `json:"sel,omitempty" doc:"selector; nothing for the whole page"`
}

var (
	innerText = fastpath.Define("inner-text", "(page, sel) => { const e = page.one(sel); return e?.namespaceURI === 'http://www.w3.org/1999/xhtml' ? e.innerText : undefined }")
	getValue  = fastpath.Define("value", `(page, sel) => {
		const e = page.one(sel), field = e && page.injected.retarget(e, 'follow-label');
		return field && /^(INPUT|TEXTAREA|SELECT)$/.test(field.nodeName) ? field.value : undefined;
	}`)
	getCount = fastpath.Define("count", "(page, sel) => page.all(sel).length")
	getTexts = fastpath.Define("inner-texts", "(page, sel) => { const texts = page.all(sel).map(e => e.innerText); return texts.every(t => typeof t === 'string') ? texts : undefined }")
	getLinks = fastpath.Define("links", ofShown(linksScript))
	getTable = fastpath.Define("table", ofShown(tableScript))
)

// ofShown makes a script over a list of elements that works on the first match, which
// must be visible: playwright-go waits for that.
func ofShown(script string) string {
	return "(page, sel) => { const e = page.one(sel + ' >> nth=0'); return e && page.injected.elementState(e, 'visible').matches ? (" + script + ")([e]) : undefined }"
}

func visibleText(c *tool.Call, in optSelParam) (string, error) {
	if in.Sel != "" {
		return VisibleText(c, string(in.Sel))
	}
	var text string
	if c.Direct(innerText, "body", nil, &text) {
		return text, nil
	}
	if all, err := tool.Frame(c.Page).Evaluate(bodilessText, nil); err == nil && all != nil {
		return fmt.Sprint(all), nil
	}
	return VisibleText(c, "body")
}

// bodilessText is the text of a document without a body, such as an SVG file's, null of others.
const bodilessText = `() => document.body || document.readyState === 'loading' ? null :
	document.documentElement?.textContent.trim()`

// VisibleText is locator.innerText of the first element of a selector.
func VisibleText(c *tool.Call, sel string) (string, error) {
	return direct(c, innerText, sel, func(f playwright.Frame, timeout *float64) (string, error) {
		return f.InnerText(sel, playwright.FrameInnerTextOptions{Timeout: timeout})
	})
}

// inputValue is locator.inputValue. For an element that is edited in place, such as a
// notebook's cell, it is the element's text.
func inputValue(c *tool.Call, in tool.SelParam) (string, error) {
	sel := string(in.Sel)
	return direct(c, getValue, sel, func(f playwright.Frame, timeout *float64) (string, error) {
		s, err := f.InputValue(sel, playwright.FrameInputValueOptions{Timeout: timeout})
		if pwerrors.IsNoField(err) {
			if v, e := f.EvalOnSelector(sel, editedText, nil); e == nil && v != nil {
				return fmt.Sprint(v), nil
			}
		}
		return s, err
	})
}

// editedText is the text of an element that is edited in place, null for others.
var editedText = `(e) => e.isContentEditable || /^(textbox|searchbox|combobox)$/.test(e.getAttribute('role')) ?
	(` + tool.EditedLines + `)(e) : null`

// count is locator.count, which does not wait.
func count(c *tool.Call, in tool.SelParam) (n int, err error) {
	sel := string(in.Sel)
	if c.Direct(getCount, sel, nil, &n) {
		return n, nil
	}
	n, err = tool.Frame(c.Page).Locator(sel).Count()
	return n, c.FailUnlessGone(err, sel)
}

// allTexts is locator.allInnerTexts, which does not wait.
func allTexts(c *tool.Call, in tool.SelParam) ([]string, error) {
	sel := string(in.Sel)
	return direct(c, getTexts, sel, func(f playwright.Frame, _ *float64) ([]string, error) {
		found, err := tool.OnAll(f, sel, "els => els.map(e => e.innerText ?? '')", nil)
		list := []string{}
		texts, _ := found.([]any)
		for _, text := range texts {
			s, _ := text.(string)
			list = append(list, s)
		}
		return list, err
	})
}

type link struct {
	Text string `json:"text" doc:"its text, or the name that its picture or label gives it"`
	URL  string `json:"url" doc:"absolute address"`
}

// folded is a text with single spaces. Pages may have replaced the methods of strings: none is used.
const folded = `((s) => /^ | $/g[Symbol.replace](/\s+/g[Symbol.replace](s, ' '), ''))`

// plain is an array, for JSON.stringify, on which no toJSON of the page works.
const plain = `((list) => Object.defineProperty(list, 'toJSON', {__proto__: null, value: undefined}))`

const linksScript = `els => JSON.stringify(` + plain + `(els.flatMap(el => [...(el.matches('a[href],area[href]') ? [el] : []), ...el.querySelectorAll('a[href],area[href]')]).map(a => ({
	toJSON: undefined,
	text: ` + folded + `((a.innerText ?? a.textContent) || a.getAttribute('aria-label') ||
		a.title || a.alt || a.querySelector('img[alt]')?.alt || ''),
	url: a.href?.baseVal === undefined ? String(a.href) : URL.parse(a.href.baseVal, a.baseURI)?.href ?? a.href.baseVal,
}))))`

// links reads the anchors of a part of the page.
func links(c *tool.Call, in optSelParam) ([]link, error) {
	list := []link{}
	return list, readAll(c, cmp.Or(string(in.Sel), ":root"), getLinks, linksScript, &list)
}

// readAll runs a script on the first match, once it exists, and reads the JSON text
// that it returns.
func readAll(c *tool.Call, sel string, kind fastpath.Kind, script string, to any) error {
	var text string
	if c.Direct(kind, sel, nil, &text) && json.Unmarshal([]byte(text), to) == nil {
		return nil
	}
	return c.Attempt(sel, func(timeout *float64) error {
		v, err := tool.Frame(c.Page).Locator(sel).First().Evaluate("el => ("+script+")([el])", nil,
			playwright.LocatorEvaluateOptions{Timeout: timeout})
		if err != nil {
			return err
		}
		text, _ := v.(string)
		if json.Unmarshal([]byte(text), to) != nil {
			return provider.Errorf(provider.KindFailed, "the page broke the reading of %q", sel)
		}
		return nil
	})
}

type tableParams struct {
	Sel tool.Selector `json:"sel,omitempty" doc:"selector of a table, or of what holds it" default:"table"`
}

const tableScript = `([el]) => {
	const t = el.matches('table,[role=table],[role=grid],[role=treegrid]') ? el : el.querySelector('table,[role=table],[role=grid],[role=treegrid]');
	if (!t) return 'null';
	const own = (x) => x.closest('table,[role=table],[role=grid],[role=treegrid]') === t;
	const rows = t.rows ? [...t.rows] : [...t.querySelectorAll('[role=row]')].filter(own);
	const cells = (r) => r.cells ? [...r.cells] : [...r.querySelectorAll('[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]')];
	const plain = ` + plain + `;
	return JSON.stringify(plain(rows.map(r => plain(cells(r).map(c => ` + folded + `(c.innerText ?? c.textContent))))));
}`

// table reads rows of cells from an HTML table or from ARIA roles.
func table(c *tool.Call, in tableParams) ([][]string, error) {
	sel := string(in.Sel)
	var rows [][]string
	if err := readAll(c, sel, getTable, tableScript, &rows); err != nil {
		return nil, err
	}
	if rows == nil {
		return nil, provider.Errorf(provider.KindFailed, "%q is not a table and contains none", sel)
	}
	return rows, nil
}

type rect struct {
	X      float64 `json:"x" doc:"pixels from the left of the viewport"`
	Y      float64 `json:"y" doc:"pixels from its top"`
	Width  float64 `json:"width" doc:"pixels"`
	Height float64 `json:"height" doc:"pixels"`
}

// boxOf is locator.boundingBox.
func boxOf(c *tool.Call, in tool.SelParam) (any, error) {
	sel := string(in.Sel)
	return awaited(c, sel, func(f playwright.Frame, timeout *float64) (any, error) {
		b, err := f.Locator(sel).First().BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: timeout})
		if b == nil {
			return nil, err
		}
		return rect{b.X, b.Y, b.Width, b.Height}, err
	})
}
