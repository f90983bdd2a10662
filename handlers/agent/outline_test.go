package agent_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

var refOf = regexp.MustCompile(`\[ref=(\w+)\]`)

// show puts HTML into a page.
func show(p *pipetest.Pipe, html string) {
	code, _ := json.Marshal(html)
	p.Call("nav", []string{"about:blank"})
	p.Call("eval", []string{"document.body.innerHTML = " + string(code) + ", 1"})
}

// place is a line of an outline with those that lead to it, those below it and
// those beside it.
type place struct{ ref, line, text string }

// placesByID finds the elements with an id whose refs an outline shows.
func placesByID(p *pipetest.Pipe, outline string) map[string]place {
	p.T.Helper()
	list := strings.Split(outline, "\n")
	depth := func(i int) int { return len(list[i]) - len(strings.TrimLeft(list[i], " ")) }
	byRef := map[string]place{}
	for i, line := range list {
		text, at, parent := line, depth(i), -1
		for j := i - 1; j >= 0 && at > 0; j-- {
			if depth(j) < at {
				if parent < 0 {
					parent = j
				}
				at, text = depth(j), list[j]+"\n"+text
			}
		}
		for j := parent + 1; j < len(list) && (parent < 0 || depth(j) > depth(parent)); j++ {
			text += "\n" + list[j]
		}
		for _, m := range refOf.FindAllStringSubmatch(line, -1) {
			byRef[m[1]] = place{m[1], line, text}
		}
	}
	refs, _ := json.Marshal(slices.Sorted(maps.Keys(byRef)))
	var ids map[string]string
	if err := json.Unmarshal([]byte(pipetest.Execute(p, `const ids = {}; for (const r of `+string(refs)+`) ids[r] = await (await $(r).elementHandle()).evaluate(e => e.id); ids`)), &ids); err != nil {
		p.T.Fatal(err)
	}
	byID := map[string]place{}
	for ref, id := range ids {
		if id != "" {
			byID[id] = byRef[ref]
		}
	}
	return byID
}

// antd's Transfer: twenty checkboxes without a name, in items with a title.
func TestTransfer(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/")
	var b strings.Builder
	b.WriteString("<ul>")
	for i := range 20 {
		fmt.Fprintf(&b, `<li title="content%d"><label><span><input type=checkbox id=c%d></span></label><span>content%d</span></li>`, i, i, i)
	}
	show(p, b.String()+"</ul>")
	outline := p.Text("snapshot", nil)
	at := placesByID(p, outline)
	for i := range 20 {
		pipetest.Has(t, at[fmt.Sprintf("c%d", i)].line, fmt.Sprintf(`listitem "content%d": checkbox`, i))
	}
	pipetest.Has(t, p.Text("snapshot", pipetest.Object{"interactive": true}), `checkbox [ref=`+at["c7"].ref+`] in "content7"`)
	pipetest.Has(t, p.Text("search", pipetest.Object{"pattern": "content7"}), `listitem "content7": checkbox [ref=`+at["c7"].ref+`]`)
	p.Call("check", []any{at["c7"].ref})
	pipetest.Has(t, p.Text("snapshot", pipetest.Object{"diff": true}), `~ `, `"content7": checkbox [checked]`)
}

func TestDetails(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestClickablesHaveRefs is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<details><summary>More</summary>bare words <b>bold words</b><p>a paragraph</p><button>inside</button></details>
<details open><summary>Less</summary>plain words <button>seen</button></details><details><summary role=button>Roled</summary>never</details>
<div style="content-visibility:hidden">skipped words <button>skipped</button></div>`)
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, `clickable [collapsed] [ref=`, `: More`, `clickable [expanded] [ref=`, `"plain words"`, `button "seen"`, `button "Roled" [collapsed]`)
	pipetest.Lacks(t, outline, "bare", "bold", "paragraph", "inside", "never", "skipped")
	pipetest.Lacks(t, p.Text("snapshot", pipetest.Object{"full": true})+p.Text("search", pipetest.Object{"pattern": "."}), "bare", "bold", "paragraph", "inside", "never", "skipped")
	p.Call("click", []string{ref(t, outline, ": More")})
	pipetest.Has(t, p.Text("snapshot", nil), "clickable [expanded]", "bare words bold words", `"a paragraph"`, `button "inside"`)
}

// What is written in an editable element is in the snapshot, and is its value.
func TestEditedInPlace(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<div id=cell role=textbox aria-label=Cell contenteditable><div>print("hello")</div><div>x = 2</div></div>
<div id=rich role=textbox contenteditable>see <a href="#">the notes</a> first</div><div id=plain contenteditable>plain words</div><p id=none>text</p>`)
	outline := p.Text("snapshot", nil)
	pipetest.Has(t, outline, `textbox "Cell" [ref=`, `: print("hello") x = 2`, `link "the notes"`, "see", "first", "plain words")
	pipetest.Has(t, p.Text("search", pipetest.Object{"pattern": "hello"}), `textbox "Cell"`)
	for sel, want := range map[string]string{"#cell": "print(\"hello\")\nx = 2", "#rich": "see the notes first", "#plain": "plain words"} {
		if got := p.Text("value", []string{sel}); got != want {
			t.Errorf("value of %s: %q, want %q", sel, got, want)
		}
	}
	p.Call("fill", []string{ref(t, outline, `"Cell"`), "y = 3"})
	pipetest.Has(t, p.Text("snapshot", nil), "y = 3")
	pipetest.Has(t, p.Fail("value", []any{"#none"}), "not an <input>")
}

func TestSearchTellsOfCase(t *testing.T) {
	pipetest.InCI(t, "it is about a corner, and TestSearch is quick")
	t.Parallel()
	p := start(t, "/")
	show(p, `<button>Save</button><button>save it</button><button>Open</button>`)
	for pattern, want := range map[string]string{"SAVE": "no match; 2 with ignoreCase", "nothing": "no match", "Save": `button "Save"`} {
		if got := p.Text("search", pipetest.Object{"pattern": pattern}); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}
