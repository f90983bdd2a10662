package agent_test

import (
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// What a person sees and can use is in the outline, with a ref that acts: here each way in which
// pages make such things without saying what they are.

// each clicks what stands on the lines with these words, and looks at what the page noted.
func clickEach(t *testing.T, p *pipetest.Pipe, outline string, words ...string) {
	t.Helper()
	for _, w := range words {
		p.Call("eval", []string{"window.hit = '', 1"})
		p.Call("click", []string{ref(t, outline, w)})
		if hit := p.Text("eval", []string{"window.hit"}); !strings.Contains(hit, "yes") {
			t.Errorf("a click on %s did not come: %q\n%s", w, hit, outline)
		}
	}
}

// noting makes a page note clicks on what has the class hit.
const noting = "document.addEventListener('click', (e) => { if (e.target.closest('.hit')) window.hit = 'yes' }), 1"

func showNoting(p *pipetest.Pipe, html string) string {
	show(p, html)
	p.Call("eval", []string{noting})
	return p.Text("snapshot", nil)
}

func TestClickablesHaveRefs(t *testing.T) {
	t.Parallel()
	p := start(t, "/")
	for name, c := range map[string]struct {
		html  string
		words []string
	}{
		"swatches":           {`<i class=hit style="background:#f00;width:20px;height:20px;display:inline-block"></i><i class=hit style="background:#00f;width:20px;height:20px;display:inline-block"></i>`, []string{"#ff0000", "#0000ff"}},
		"icon buttons":       {`<button class="hit bold"></button><button id=save class=hit></button><button class=hit><svg data-icon=pen width=9 height=9></svg></button>`, []string{".hit.bold", "#save", "icon pen"}},
		"stars and replies":  {`<p>Ann <span class="hit star">☆</span> <span class="hit reply" data-id=7 style="display:inline-block;width:9px;height:9px"></span></p>`, []string{"☆", "data-id=7"}},
		"cells":              {`<table><tr><td class=hit style="cursor:pointer">1<td class=hit style="cursor:pointer">2</table>`, []string{"row: "}},
		"squares of a board": {`<span id=t0 class=hit data-index=0 style="width:40px;height:40px;display:inline-block;border:1px solid"></span><span id=t1 class=hit data-index=1 style="width:40px;height:40px;display:inline-block;border:1px solid"></span>`, []string{"#t0", "#t1"}},
		"a date picker":      {`<div><a class=hit title=Prev><span>Prev</span></a><a class=hit><span>Next</span></a><span>December</span> 2016</div>`, []string{`"Prev"`, "Next"}},
		"plus and minus":     {`<span class=hit onclick=1>-</span> <span class=hit onclick=1>+</span>`, []string{": -", ": +"}},
		"autocomplete":       {`<ul style="cursor:pointer"><li class=hit>Alpha<li class=hit>Beta</ul>`, []string{"Alpha", "Beta"}},
		"tree items":         {`<ul role=tree><li role=treeitem aria-expanded=false class=hit>Docs<li role=treeitem class=hit>Code</ul>`, []string{"Docs", "Code"}},
		"list options":       {`<div role=listbox aria-label=Ports><div role=option class=hit>Oslo</div><div role=option class=hit>Turku</div></div>`, []string{"Oslo", "Turku"}},
		"a palette":          {`<div><div class=hit style="cursor:grab"><b>inject</b></div><div class=hit style="cursor:grab"><b>debug</b></div></div>`, []string{"inject", "debug"}},
		"cards to drag":      {`<div class=hit draggable=true>Card one</div><div class=hit style="cursor:grab">Card two</div>`, []string{"Card one", "Card two"}},
		"drawn shapes":       {`<svg width=99 height=99><circle class=hit r=9 cx=20 cy=20 fill=#ffff00 style="cursor:pointer"/><rect class=hit x=50 width=20 height=30 fill=#00ff00 onclick=1></svg>`, []string{"circle", "#00ff00"}},
		"a canvas":           {`<canvas class=hit width=200 height=100></canvas>`, []string{"200x100"}},
	} {
		outline := showNoting(p, c.html)
		if len(regexp.MustCompile(`\[ref=`).FindAllString(outline, -1)) < len(c.words) {
			t.Errorf("%s: refs are missing:\n%s", name, outline)
			continue
		}
		clickEach(t, p, outline, c.words...)
	}
}

func TestNamedWithoutARole(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<span aria-label="Unread messages">3</span> <span title="Coconut mango tart"></span><canvas aria-label="Sales chart"></canvas>
<video title="The tour" src=x></video><progress value=3 max=10></progress><svg width=50 height=50><path d="M0 0h9v9z" role="graphics-symbol" aria-label="value: 5; index: 1"></path>
<rect width=5 height=5><title>Berlin 3.4 m</title></rect></svg><div aria-label="Ann said"><p>Hi</p><p>there</p></div><a href="/deep/link"></a><iframe title="Ad" srcdoc="plain"></iframe>`)
	pipetest.Has(t, p.Text("snapshot", nil), "Unread messages: 3", "Coconut mango tart", `canvas "Sales chart"`, `video "The tour"`, "3 of 10",
		"value: 5; index: 1", "Berlin 3.4 m", "Ann said", "/deep/link", `iframe "Ad"`)
}

func TestFieldsSayWhatTheyTake(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<input type=date min=2020-01-01 max=2025-12-31 aria-label=When><input type=time aria-label=At><input type=color value=#ff0000 aria-label=Tint>
<input type=range max=10 step=2 aria-label=Volume><input type=number min=1 aria-label=Age><input aria-label=Search placeholder="e.g. lamps"><input readonly aria-label=Nr value=7>
<button aria-haspopup=true>Tools</button><button aria-haspopup=dialog>Share</button><button aria-haspopup=false>Plain</button>
<div contenteditable>rich words</div><div style="height:50px;overflow:auto"><p>first<p style="margin-top:400px">last</div>`)
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, "(date yyyy-mm-dd 2020-01-01 to 2025-12-31)", "(time hh:mm)", "(colour #rrggbb): #ff0000", "(range 0 to 10 step 2)", "(number from 1)",
		"(placeholder: e.g. lamps)", "(read only): 7", "rich words", "px below)", "(opens a menu)", "(opens a dialog)")
	pipetest.Lacks(t, outline, "opens a false")
	p.Call("fill", []string{ref(t, outline, "editor"), "other words"})
	pipetest.Has(t, p.Text("snapshot", nil), "editor", "other words")
}

// A wrapper that can be clicked only because of the control in it has no ref beside it, and
// what hides the page is said first.
func TestWrappersAndOverlays(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	outline := showNoting(p, `<div style="cursor:pointer"><button>Only</button></div><ul><li onclick=1><a href=z>Link</a></ul>`)
	if n := strings.Count(outline, "[ref="); n != 2 {
		t.Errorf("%d refs for two controls:\n%s", n, outline)
	}
	show(p, `<p>page</p><dialog id=d aria-label="Delete?"><button>Yes</button></dialog>`)
	p.Call("eval", []string{"d.showModal(), 1"})
	if got := p.Text("snapshot", nil); !strings.HasPrefix(got, `- dialog "Delete?" [ref=`) || !strings.Contains(got, "is open above the rest") {
		t.Errorf("a modal dialog is not said first:\n%s", got)
	}
	show(p, `<p>page</p><div style="position:fixed;inset:0;background:#0008"><p>Cookies?</p><button>OK</button></div>`)
	if got := p.Text("snapshot", nil); !strings.HasPrefix(got, `- overlay [ref=`) {
		t.Errorf("a layer over the page is not said first:\n%s", got)
	}
	show(p, `<p>page</p><div id=d popover>December 2016 <button>1</button><button>2</button></div>`)
	p.Call("eval", []string{"d.showPopover(), 1"})
	if got := p.Text("snapshot", nil); !strings.HasPrefix(got, `- overlay [ref=`) {
		t.Errorf("an open picker is not said first:\n%s", got)
	}
}

func TestHitsHaveRefs(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<ul><li>Milk <button>Buy</button></ul><p>The password is lighthouse</p>`)
	for _, word := range []string{"Milk", "password"} {
		pipetest.Has(t, p.Text("search", pipetest.Object{"pattern": word}), "[ref="+ref(t, p.Text("snapshot", nil), "Buy")+"]")
	}
}
