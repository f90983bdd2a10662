package agent_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// show puts HTML into a page.
func show(p *pipetest.Pipe, html string) {
	code, _ := json.Marshal(html)
	p.Call("nav", []string{"about:blank"})
	p.Call("eval", []string{"document.body.innerHTML = " + string(code) + ", 1"})
}

// writer writes random pages, and what an outline must say of each control.
type writer struct {
	rand   *rand.Rand
	n      int
	told   map[string][]string // words that must be with a control, by its id
	hidden []string            // words that nobody sees
}

func (w *writer) word() string {
	w.n++
	return fmt.Sprintf("word%03d", w.n)
}

// control writes a control that is told by words, and maybe a name of its own.
func (w *writer) control(words ...string) string {
	w.n++
	id := fmt.Sprintf("c%d", w.n)
	own := w.word()
	html := ""
	switch w.rand.IntN(12) {
	case 0, 1, 2:
		html, own = `<input type=checkbox id=%s>`, ""
	case 3:
		html = `<button id=%s>` + own + `</button>`
	case 4:
		html = `<button id=%s aria-label="Vote ` + own + `">▲</button>`
		words = append(words, "▲")
	case 5:
		html = `<a href=# id=%s><b>` + own + `</b></a>`
	case 6:
		html = `<label>` + own + ` <input id=%s></label>`
	case 7:
		html = `<div id=%s role=textbox contenteditable><p>` + own + `</p><p>more</p></div>`
		words = append(words, "more")
	case 8:
		html = `<select id=%s><option>` + own + `<option>other</select>`
	case 9:
		html = `<span id=%s onclick=1 title=` + own + `></span>`
	case 10:
		html, own = `<button id=%s>Open</button>`, "Open"
	case 11:
		html = `<div id=%s onclick=1>` + own + `</div>`
	}
	if own != "" {
		words = append(words, own)
	}
	w.told[id] = words
	return fmt.Sprintf(html, id)
}

// block writes a part of a page whose controls stand in what has these words.
func (w *writer) block(depth int, words ...string) string {
	if depth == 0 {
		return w.control(words...)
	}
	inside := func(words ...string) string { return w.block(depth-1, words...) }
	var b, labels strings.Builder
	switch w.rand.IntN(8) {
	case 0, 1:
		b.WriteString("<ul>")
		for range 1 + w.rand.IntN(3) {
			own := w.word()
			switch w.rand.IntN(5) {
			case 0:
				fmt.Fprintf(&b, "<li title=%s>%s %s</li>", own, inside(append(words, own)...), own)
			case 1:
				fmt.Fprintf(&b, "<li aria-label=%s>%s</li>", own, inside(append(words, own)...))
			case 2:
				fmt.Fprintf(&b, "<li aria-labelledby=l%s>%s</li>", own, inside(append(words, own)...))
				fmt.Fprintf(&labels, "<span id=l%s>%s</span>", own, own)
			case 3:
				fmt.Fprintf(&b, "<li>%s %s</li>", w.control(append(words, own)...), own)
			case 4:
				fmt.Fprintf(&b, "<div role=listitem aria-label=%s>%s</div>", own, inside(append(words, own)...))
			}
		}
		b.WriteString("</ul>")
	case 2, 3:
		b.WriteString("<table>")
		for range 1 + w.rand.IntN(3) {
			own, cell := w.word(), w.word()
			if w.rand.IntN(2) == 0 {
				fmt.Fprintf(&b, "<tr aria-label=%s><td>%s<td>%s</tr>", own, w.control(append(words, own, cell)...), cell)
			} else {
				fmt.Fprintf(&b, "<tr><td>%s<td>%s</tr>", cell, w.control(append(words, cell)...))
			}
		}
		b.WriteString("</table>")
	case 4:
		own, dark := w.word(), w.word()
		w.hidden = append(w.hidden, dark)
		w.n++
		id := fmt.Sprintf("c%d", w.n)
		w.told[id] = append(words, own, "collapsed")
		fmt.Fprintf(&b, "<details><summary id=%s>%s</summary>%s <button>%s</button></details>", id, own, dark, dark)
	case 5:
		own := w.word()
		fmt.Fprintf(&b, "<fieldset><legend>%s</legend>%s%s</fieldset>", own, inside(append(words, own)...), inside(append(words, own)...))
	case 6:
		own := w.word()
		fmt.Fprintf(&b, "<section aria-label=%s>%s<p>%s</p>%s</section>", own, inside(append(words, own)...), w.word(), inside(append(words, own)...))
	default:
		for range 4 {
			own := w.word()
			fmt.Fprintf(&b, "<div class=item>%s <i>%s</i></div>", w.control(append(words, own)...), own)
		}
	}
	return labels.String() + b.String()
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

// TestNothingThatTellsControlsApartIsLost is the browser's part of the test of
// that name beside the outline: what a page says of a control, or around it,
// stands with its ref, and a search for it finds the ref.
func TestNothingThatTellsControlsApartIsLost(t *testing.T) {
	pipetest.InCI(t, "TestTransfer covers its core")
	t.Parallel()
	p := start(t, "/")
	for seed := range 6 {
		w := &writer{rand: rand.New(rand.NewPCG(uint64(seed), 2)), told: map[string][]string{}}
		html := w.block(2) + "<hr>" + w.block(2)
		show(p, html)
		outline := p.Text("snapshot", nil)
		at := placesByID(p, outline)
		for id, words := range w.told {
			lines := p.Text("search", pipetest.Object{"pattern": words[len(words)-1], "context": 3, "lineLimit": 10000})
			if found, ok := at[id]; ok {
				pipetest.Has(t, found.text, words...)
				pipetest.Has(t, lines, "[ref="+found.ref+"]")
			} else if found = placesByID(p, lines)[id]; found.ref == "" { // it is folded
				t.Errorf("seed %d: %s has no ref, and a search does not find it", seed, id)
			}
		}
		whole := p.Text("search", pipetest.Object{"pattern": ".", "lineLimit": 10000})
		for _, word := range w.hidden {
			if strings.Contains(outline+whole, word) {
				t.Errorf("seed %d: %s is shown, which nobody sees:\n%s", seed, word, outline)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s\n%s", seed, outline, html)
		}
	}
}

// antd's Transfer: twenty checkboxes without a name, in items with a title.
func TestTransfer(t *testing.T) {
	pipetest.SkipUnderRace(t)
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

// More of them than an outline shows: the others are named, and each ref in
// the range is that of a checkbox.
func TestManyFieldsInItems(t *testing.T) {
	pipetest.InCI(t, "TestSearch covers its core")
	t.Parallel()
	p := start(t, "/")
	var b strings.Builder
	b.WriteString("<ul>")
	for i := range 50 {
		fmt.Fprintf(&b, `<li aria-label="content%d"><input type=checkbox id=c%d></li>`, i, i)
	}
	show(p, b.String()+"</ul>")
	outline := p.Text("snapshot", pipetest.Object{"budget": 300})
	pipetest.Has(t, outline, "listitem (and 42 more like it)", "content49", "(shortened: ")
	pipetest.Lacks(t, p.Text("snapshot", nil), "more like it", "shortened") // a page that fits is whole
	refs := slices.Collect(maps.Keys(shown(outline)))
	if len(refs) != 50 {
		t.Fatalf("%d refs:\n%s", len(refs), outline)
	}
	for _, ref := range refs {
		p.Call("check", []any{ref})
	}
	if got := p.Call("eval", []string{"document.querySelectorAll(':checked').length"}); got != "50" {
		t.Errorf("%s are checked:\n%s", got, outline)
	}
}

func TestDetails(t *testing.T) {
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
	t.Parallel()
	p := start(t, "/")
	show(p, `<button>Save</button><button>save it</button><button>Open</button>`)
	for pattern, want := range map[string]string{"SAVE": "no match; 2 with ignoreCase", "nothing": "no match", "Save": `button "Save"`} {
		if got := p.Text("search", pipetest.Object{"pattern": pattern}); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}
