//go:build evidence

package agent_test

import (
	"testing"

	"pwpipe/internal/pipetest"
)

// Names and values are what a person reads: no letters of icon fonts, no placeholders; and what is out of sight to
// the side is said.
func TestNamesAndValuesAreWords(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/")
	glyph := "<style>.i::before{content:'\\e901'}</style>"
	outlinesOf(t, p, []pageCase{
		{name: "icon fonts", html: glyph + "<button class='icon-trash i'></button><button title=Settings>\ue902</button><button>\ue903 Save</button><a href=/home><i class='icon-home i'></i></a>",
			has: []string{"(.icon-trash.i)", `button "Settings"`, `button "Save"`, "icon icon-home"}, lacks: []string{"\ue901", "\ue902", "\ue903"}},
		{name: "glyphs in texts", html: "<p>\uf015</p><h2>\ue905 Orders</h2><ul><li>\uf00c Paid<li>\uf00c</ul><span onclick=1 class='mdi close'>\U000f0156</span><table><tr><td>\ue000<td>One</table>",
			has: []string{`h2 "Orders"`, "Paid", "(.mdi.close)", "One"}, lacks: []string{"\uf015", "\uf00c", "\ue905", "\U000f0156", "\ue000"}},

		{name: "a placeholder in an editor", html: `<div class=cm-content contenteditable role=textbox aria-label=Filter><div class=cm-line><span class=cm-placeholder contenteditable=false>Search term</span><br></div></div>`,
			has: []string{"(placeholder: Search term)"}, lacks: []string{": Search term\n", "]: Search"}},
		{name: "a placeholder beside an editor", html: `<div><div class=public-DraftEditorPlaceholder-root><div class=public-DraftEditorPlaceholder-inner>Write something</div></div><div><div contenteditable role=textbox aria-label=Body><div><br></div></div></div></div>`,
			has: []string{`textbox "Body"`, "(placeholder: Write something)"}, lacks: []string{`"Write something"`}},
		{name: "a placeholder by CSS", html: `<style>.e p.none::before{content:attr(data-placeholder)} .q.blank::before{content:attr(data-placeholder)}</style><div class=e><div contenteditable><p class=none data-placeholder="Type / for commands"><br></p></div></div>` +
			`<div class="q blank" contenteditable data-placeholder="Compose"><p><br></p></div>`, has: []string{"(placeholder: Type / for commands", "(placeholder: Compose"}, lacks: []string{": Type / for commands\n", "]: Compose"}},
		{name: "a slate", html: `<div role=textbox contenteditable data-slate-editor=true aria-label=Note><div data-slate-node=element><span data-slate-placeholder=true contenteditable=false>Your note</span><span>&#xfeff;<br></span></div></div>`,
			has: []string{"(placeholder: Your note)"}, lacks: []string{"]: Your note"}},
		{name: "an editor with words", html: `<div contenteditable data-placeholder="Say it">Already said</div><div role=textbox contenteditable aria-label=Full aria-placeholder="Say more">Words</div>`,
			has: []string{": Already said", `"Full"`, ": Words"}, lacks: []string{"placeholder"}},
		{name: "placeholders that are no words", html: `<input placeholder=false id=a><input placeholder=undefined aria-label=Named><textarea placeholder=null></textarea><input placeholder="Your name">`,
			has: []string{`textbox "Named"`, `textbox "Your name"`}, lacks: []string{"false", "undefined", "null"}},
		{name: "a combobox beside a placeholder", html: `<div><div class=select__placeholder>Choose one</div><input role=combobox aria-label=City></div>`, has: []string{"Choose one", `combobox "City"`}},

		{name: "a wide table", html: `<div style="width:300px;overflow-x:auto"><table style="width:1200px"><tr><td>A<td>B</table></div>`, has: []string{"(scrolls, 900 px further right)", "row: A | B"}},
		{name: "a wide table that is scrolled", html: `<div id=w style="width:300px;height:60px;overflow:auto"><table style="width:1200px;height:400px"><tr><td>A<td>B</table></div>`, code: "w.scrollTo(100, 50)",
			has: []string{"px below, 50 px above, ", "px further right, 100 px further left)"}},
		{name: "lanes that scroll", html: repeated(`<div style="width:200px;overflow-x:scroll;overflow-y:hidden"><div style="width:800px"><button>Card %d</button><button>Other %d</button></div></div>`, 5), has: []string{"(scrolls, 600 px further right)"}},
		{name: "a grid with more columns", html: `<div role=grid aria-label=Sales aria-colcount=25><div role=row><div role=columnheader>One</div><div role=columnheader>Two</div></div></div>`, has: []string{"2 of 25 columns are in the document"}},
		{name: "code that is wide", html: `<pre style="width:200px;overflow:auto"><span style="display:block;width:900px">code</span></pre>`, has: []string{"code"}, lacks: []string{"scrolls"}},
		{name: "a long text", html: `<textarea id=ta aria-label=Long style="height:60px"></textarea>`, code: "ta.value = 'line\\n'.repeat(40), ta.scrollTop = 30", has: []string{"px below, 30 px above)"}},
	})
}
