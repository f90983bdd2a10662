package agent_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// gone are pages with an element X and what takes it away.
var gone = map[string][2]string{
	"removed":          {`<button id=x>X</button>`, `x.remove()`},
	"its part removed": {`<div id=d><p>Text <button>X</button></p></div>`, `d.innerHTML = ''`},
	"a dialog closed":  {`<dialog open id=d><button>X</button></dialog>`, `d.remove()`},
	"another document": {`<button>X</button>`, `location.href = 'about:blank'`},
	"its frame is gone": {`<iframe id=f srcdoc="<button>X</button>"></iframe>`,
		`f.remove()`},
}

// TestRefOfWhatIsGone: a call that waits for the going of an element, or asks whether it is there, takes a ref whose element
// is gone for its answer. Others fail.
func TestRefOfWhatIsGone(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRefsAreSelectorsAndGoStaleAtOnce is quick")
	t.Parallel()
	pages := map[string]string{"/": "<p>"}
	for name, page := range gone {
		pages["/"+strings.ReplaceAll(name, " ", "-")] = "<body>" + page[0]
	}
	site := pipetest.ServePages(t, pages)
	p := pipetest.SharedOn(t, site)
	for name, page := range gone {
		p.Call("nav", []string{site + "/" + strings.ReplaceAll(name, " ", "-")})
		pipetest.Eventually(t, "the outline has X", func() bool { return strings.Contains(p.Text("snapshot", nil), `button "X"`) })
		x := ref(t, p.Text("snapshot", nil), `button "X"`)
		if got := p.Call("count", []string{x}); got != "1" {
			t.Errorf("%s: %s is there %s times before", name, x, got)
		}
		p.Call("eval", []string{"setTimeout(() => {" + page[1] + "}); 1"})
		p.Call("wait", pipetest.Object{"sel": x, "state": "detached"})
		p.Call("wait", pipetest.Object{"sel": x, "state": "hidden"})
		pipetest.Steps(p,
			pipetest.Does("vis", []string{x}, "false"),
			pipetest.Does("count", []string{x}, "0"),
			pipetest.Does("expect-hidden", []string{x}, "null"),
			pipetest.Does("expect-visible", pipetest.Object{"sel": x, "not": true}, "null"),
			pipetest.Does("expect-count", pipetest.Object{"sel": x, "count": 0}, "null"),
		)
		got := pipetest.Execute(p, fmt.Sprintf(`const x = page.locator('%s');
await x.waitFor({ state: 'hidden' }); await x.waitFor({ state: 'detached' }); await page.waitForSelector('%[1]s', { state: 'hidden' });
await expect(x).toBeHidden(); await expect(x).not.toBeVisible(); await expect(x).not.toBeAttached(); await expect(x).toHaveCount(0);
return [await x.count(), await x.isVisible(), await x.isHidden(), await page.isVisible('%[1]s')].join()`, x))
		pipetest.Has(t, got, "0,false,true,false")
		pipetest.Has(t, p.Fail("txt", []string{x}), " is stale")
		pipetest.Has(t, p.Fail("expect-visible", []string{x}), " is stale")
		pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": "await page.click('" + x + "')"}), " is stale")
		pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": "await expect(page.locator('" + x + "')).toBeVisible()"}), "stale")
	}
	pipetest.Has(t, p.Fail("vis", []string{"e99999"}), "there is no ref e99999")
	pipetest.Has(t, p.Fail("execute", pipetest.Object{"code": "return await page.isVisible('e99999')"}), "there is no ref e99999")
}

// redrawn are pages with controls and what redraws them. The control with a star is asked for by its ref of before; then
// is its new id, "" where the ref must not mean any.
var redrawn = map[string]struct{ before, after, star, then string }{
	"replaced by its equal":        {`<button id=a>Save</button>`, `<button id=b>Save</button>`, "Save", "b"},
	"all of it is made anew":       {`<main><h1>List</h1><button id=a>Add</button><button>Drop</button></main>`, `<main><h1>List</h1><button id=b>Add</button><button>Drop</button></main>`, "Add", "b"},
	"the number in its name":       {`<a href=# id=a>Cart (1)</a>`, `<a href=# id=b>Cart (2)</a>`, "Cart", "b"},
	"several with numbers":         {`<button>Row 1</button><button id=a>Row 2</button><button>Row 3</button>`, `<button>Row 1</button><button id=b>Row 2</button><button>Row 3</button>`, "Row 2", "b"},
	"a row that has a name":        {`<ul><li>Milk <button>Drop</button></li><li>Eggs <button id=a>Drop</button></li></ul>`, `<ul><li>Milk <button>Drop</button></li><li>Eggs <button id=b>Drop</button></li></ul>`, "2:Drop", "b"},
	"a checkbox":                   {`<label><input type=checkbox id=a> Done</label>`, `<label><input type=checkbox id=b checked> Done</label>`, "Done", "b"},
	"a field":                      {`<label>Name <input id=a></label>`, `<label>Name <input id=b value=x></label>`, "Name", "b"},
	"the next of a list is not it": {`<ul><li>Milk <button id=a>Drop</button></li><li>Eggs <button>Drop</button></li></ul>`, `<ul><li>Eggs <button>Drop</button></li></ul>`, "1:Drop", ""},
	"nor that of another number":   {`<button id=a>Delete 1</button><button>Delete 2</button>`, `<button>Delete 2</button>`, "Delete 1", ""},
	"nor one of several":           {`<button id=a>Open</button>`, `<button>Open</button><button>Open</button>`, "Open", ""},
	"nor one with another name":    {`<button id=a>Open</button>`, `<button>Close</button>`, "Open", ""},
}

// TestRefsSurviveARedraw: the ref of a control that a page has drawn anew is the one control with its role, name and place.
// Where that can't be told, the error names those that may be meant.
func TestRefsSurviveARedraw(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestRefsAreSelectorsAndGoStaleAtOnce is quick")
	t.Parallel()
	p := start(t, "/")
	for name, page := range redrawn {
		show(p, `<div id=root>`+page.before+`</div>`)
		outline := p.Text("snapshot", nil)
		nth, star, found := strings.Cut(page.star, ":")
		if !found {
			nth, star = "1", page.star
		}
		var refs []string
		for line := range strings.Lines(outline) {
			if m := regexp.MustCompile(`\[ref=(e\d+)\]`).FindStringSubmatch(line); m != nil && strings.Contains(line, star) {
				refs = append(refs, m[1])
			}
		}
		var n int
		_, _ = fmt.Sscan(nth, &n)
		if len(refs) < n {
			t.Fatalf("%s: %s is not in the outline:\n%s", name, page.star, outline)
		}
		x := refs[n-1]
		if got := p.Call("attr", []string{x, "id"}); got != `"a"` {
			t.Errorf("%s: %s is %s before", name, x, got)
		}
		p.Call("eval", []any{"root.innerHTML = `" + page.after + "`; 1"})
		if page.then == "" {
			said := p.Fail("click", []string{x})
			pipetest.Has(t, said, " is stale")
			if m := regexp.MustCompile(`may have its place: (e\d+)`).FindStringSubmatch(said); (m != nil) != (name != "nor one with another name") {
				t.Errorf("%s: %s", name, said)
			} else if m != nil {
				p.Call("txt", []string{m[1]})
			}
			continue
		}
		if got := p.Call("attr", []string{x, "id"}); got != `"b"` {
			t.Errorf("%s: %s is %s after", name, x, got)
		}
		pipetest.Has(t, pipetest.Execute(p, "return await page.locator('"+x+"').getAttribute('id')"), "b")
		if again := p.Text("snapshot", nil); !strings.Contains(again, "ref="+x+"]") {
			t.Errorf("%s: the ref is another in the next outline:\n%s", name, again)
		}
	}
}
