//go:build evidence

package agent_test

import (
	"encoding/json"
	"testing"

	"pwpipe/internal/pipetest"
)

func TestScreenshotAnswersPictureAndSnapshot(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := pipetest.StartOn(t, "/login", "--profile", "agent")
	p.Send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	p.Line()
	p.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.Send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"screenshot","arguments":{"labels":true}}}`)
	var r struct {
		Result struct {
			Content []struct{ Type, Text, MimeType string }
		}
	}
	if err := json.Unmarshal([]byte(p.Line()), &r); err != nil {
		t.Fatal(err)
	}
	c := r.Result.Content
	if len(c) != 2 || c[0].Type != "image" || c[0].MimeType != "image/png" {
		t.Fatalf("content: %+v", c)
	}
	pipetest.Has(t, c[1].Text, `button "Sign in" [ref=`)
}

// TestLabelsShiftNothing: not an element moves, the page does not grow, and the
// browser sees no layout shift, at the top of a page and in its middle.
func TestLabelsShiftNothing(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/form")
	for _, at := range []string{"/form", "/shop", "/admin", "/article"} {
		for _, scroll := range []int{0, 400} {
			got := pipetest.Execute(p, `await page.goto('`+at+`'); if (page.url().endsWith('/form')) await page.getByRole('button', {name: 'Awake'}).waitFor();
await page.evaluate(y => {
  scrollTo(0, y);
  window.shifts = 0;
  new PerformanceObserver(list => { shifts += list.getEntries().length }).observe({type: 'layout-shift'});
}, `+[]string{"0", "400"}[scroll/400]+`);
const rects = () => page.evaluate(() => JSON.stringify([scrollX, scrollY, document.documentElement.scrollHeight, document.documentElement.scrollWidth,
  ...[...document.body.querySelectorAll('*')].map(e => { const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height] })]));
const before = await rects();
const {labelCount} = await showAriaRefLabels({page});
const during = await rects();
const there = await page.evaluate(() => document.querySelectorAll('pwpipe-labels').length);
await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
const shifts = await page.evaluate(() => shifts);
[labelCount > 0, there, before === during, shifts]`)
			if got != `[true,1,true,0]` {
				t.Errorf("%s at %d: labels, hosts, nothing moved, shifts: %s", at, scroll, got)
			}
		}
	}
}

// TestLabelsOnlyWhereAClickWouldLand: nothing covered, off the screen or behind
// a modal dialog has one.
func TestLabelsOnlyWhereAClickWouldLand(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/form")
	labelled := func(name string) bool {
		t.Helper()
		return pipetest.Execute(p, `const {labels, snapshot} = await showAriaRefLabels({page});
const line = snapshot.split('\n').find(l => l.includes('`+name+`'));
if (!line) throw new Error('no line for `+name+`:\n' + snapshot);
labels.some(l => line.includes('[ref=' + l.ref + ']'))`) ==
			"true"
	}
	if !labelled(`textbox "Full name`) || labelled(`button "Take it off"`) {
		t.Error("what is in view has a label, what is below has none")
	}
	p.Call("eval", []string{"document.querySelector('#covered').scrollIntoView({block: 'center'})"})
	if labelled(`"You cannot reach me"`) || !labelled(`"Take it off"`) {
		t.Error("a covered button has no label, the one beside it has")
	}
	if labelled(`"Off screen"`) {
		t.Error("a button far off the screen has a label")
	}
	p.Call("nav", []string{"/dialogs"})
	if !labelled(`link "Skerry"`) {
		t.Error("without a dialog the page's link has a label")
	}
	p.Call("click", []string{"#modal-open"})
	got := pipetest.Execute(p, `const {labels} = await showAriaRefLabels({page}); const inside = await page.evaluate(() => {
  const r = document.querySelector('#modal').getBoundingClientRect(); return [r.x, r.y, r.right, r.bottom] });
[labels.length > 0, labels.every(l => l.box.x >= inside[0] && l.box.y >= inside[1] && l.box.x + l.box.w <= inside[2] && l.box.y + l.box.h <= inside[3])]`)
	if got != "[true,true]" {
		t.Errorf("with a modal dialog only its controls have labels: %s", got)
	}
}

// TestLabelsOfPictures: only those who ask get them.
func TestLabelsOfPictures(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestSnapshotOptions is quick")
	t.Parallel()
	p := start(t, "/admin")
	const roles = `.labels.filter(l => l.role === 'img').map(l => l.colour)`
	if got := pipetest.Execute(p, "await page.locator('[role=img]').first().scrollIntoViewIfNeeded(); (await showAriaRefLabels({page}))"+roles); got != "[]" {
		t.Errorf("pictures have labels by themselves: %s", got)
	}
	pipetest.Has(t, pipetest.Execute(p, "(await showAriaRefLabels({page, interactiveOnly: false}))"+roles), "#B3E5FC")
}
