//go:build evidence

package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestActsTellWhatOpened: what an act opened comes first and whole, whatever else changed; of a view that
// was replaced the gone lines are counted, and what is around it is named with its refs.
func TestActsTellWhatOpened(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestNews of internal/text/snapshot is quick")
	t.Parallel()
	long := strings.Repeat("All of these words matter to their reader. ", 12)
	const item = "<div role=menuitem tabindex=0>"
	choices := strings.Repeat(`<div role=option>Choice</div>`, 30)
	route := `<header role=banner><nav>` + strings.Repeat(`<a href="#/a">Somewhere</a> `, 9) + `</nav></header><main id=m></main><script>
const text = (n, what) => '<h1>' + what + '</h1>' + Array.from({length: n}, (_, i) => '<p>' + what + ' ' + i).join('');
m.innerHTML = text(30, 'Old');`
	site := pipetest.ServePages(t, map[string]string{
		"/dialog": orders(`put('<div role=dialog aria-label=New><label>Name <input></label><p>` + long +
			`</p><button>Create</button></div>')`),
		"/menu":    orders(`put('<div role=menu>` + item + `Copy</div>` + item + `Paste</div></div>')`),
		"/listbox": orders(`put('<div role=listbox aria-label=Choose>` + choices + `</div>')`),
		"/toast":   orders(`put('<div class="app-toast toast"><b>Saved</b> as 4711</div>')`),
		"/live":    orders(`put('<div aria-live=polite>Saved as 4711</div>')`),
		"/popover": orders(`put('<div popover id=pop>Details of it <button>Close it</button></div>'); pop.showPopover()`),
		"/inner":   `<main id=a><div role=dialog aria-label=Steps><p id=step>Step one</p></div></main>` + orders(`step.textContent = 'Step two'`),
		"/route":   route + `</script><button id=go onclick="m.innerHTML = text(20, 'New')">Go</button>`,
		"/redrawn": route + `const draw = () => { const h = document.querySelector('header'); h.innerHTML = h.innerHTML;
m.innerHTML = text(20, 'New') }</script><button id=go onclick="draw()">Go</button>`,
		"/few": `<button id=go>Go</button><script>document.querySelector('#go').onclick = () => { for (let i = 0; i < 26; i++)
document.body.insertAdjacentHTML('beforeend', '<p>Sentence number ' + i + ' has about a dozen words that take some room here') }</script>`,
	})
	p := startTelling(t, "/")
	call := pipetest.OverMCP(p)
	click := func(path string) string {
		call("nav", pipetest.Object{"url": site + path, "timeout": 60})
		return call("click", pipetest.Object{"sel": "#go", "timeout": 60})
	}
	for path, begins := range map[string][]string{
		"/dialog": {`+ dialog "New":`, `+  textbox "Name" [ref=`, `+  "` + strings.TrimSpace(long) + `"`,
			`+  button "Create" [ref=`},
		"/menu":    {`+ menu:`, `+  menuitem "Copy" [ref=`, `+  menuitem "Paste" [ref=`},
		"/listbox": {`+ listbox "Choose"`},
		"/toast":   {`+ "Saved as 4711"`},
		"/live":    {`+ "Saved as 4711"`},
		"/popover": {`+ overlay [ref=`, `+ overlay [ref=`, `+  "Details of it"`, `+  button "Close it" [ref=`},
		"/inner":   {`+ dialog "Steps": Step two`},
	} {
		got := click(path)
		lines := strings.Split(strings.TrimPrefix(got, "ok\n"), "\n")
		for i, want := range begins {
			if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
				t.Errorf("%s: line %d is not %q:\n%s", path, i, want, got)
				break
			}
		}
		pipetest.Has(t, got, "state 1 of 0") // the rest is told, too
		if n := count(t, got); n > 900 {
			t.Errorf("%s: %d tokens", path, n)
		}
	}
	got := click("/route")
	pipetest.Has(t, got, `+  h1 "New"`, "  banner: as before [refs: e", "(31 lines are gone)")
	pipetest.Lacks(t, got, "\n- ", "Somewhere")
	got = click("/redrawn")
	pipetest.Has(t, got, `+  h1 "New"`, "+ banner: as before [refs: e", "(31 lines are gone)")
	pipetest.Lacks(t, got, "\n- ", "Somewhere")
	pipetest.Has(t, call("click", pipetest.Object{"sel": pick(t, got, `banner: as before \[refs: (e\d+)`)}), "#/a")
	got = click("/few")
	pipetest.Has(t, got, "number 0", "number 25")
	pipetest.Lacks(t, got, "more changed lines")
}

// TestClocksAreToldOnce: what counts by itself is news once; what acts count is news each time.
func TestClocksAreToldOnce(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestNews of internal/text/snapshot is quick")
	t.Parallel()
	tick := `<p id=say>Nothing yet</p><button id=go onclick="say.textContent = 'Said ' + ++n">Go</button>
<script>let n = 0, s = 10_000;
globalThis.tick = () => { s--; document.querySelectorAll('.c').forEach((e) => { e.textContent = e.dataset.c.replace('#', s) }) }; </script>`
	clock := func(html string) string { return tick + html }
	pages := map[string]string{
		"/time":   clock(`<p class=c data-c="Now #">Now</p>`),
		"/button": clock(`<button class=c data-c="Resend in # s">Resend</button>`),
		"/cell": clock(`<table><tr><td>Gold</td><td class=c data-c="# EUR">Price</td></tr>` +
			`<tr><td>Silver</td><td>7 EUR</td></tr></table>`),
		"/timer": clock(`<div role=timer class=c data-c="# left">left</div>`),
		"/item":  clock(`<ul><li>One</li><li class=c data-c="Viewers: #">Viewers</li></ul>`),
	}
	site := pipetest.ServePages(t, pages)
	p := startTelling(t, "/")
	call := pipetest.OverMCP(p)
	for path := range pages {
		call("nav", pipetest.Object{"url": site + path, "timeout": 60})
		shift := func() { p.Call("eval", []string{"tick(), 1"}) } // between two acts, which the pipe's own calls are not
		shift()
		call("snapshot", pipetest.Object{})
		act := func() string { return call("click", pipetest.Object{"sel": "#go", "timeout": 60}) }
		shift()
		pipetest.Has(t, act(), "Said 1", "9998") // it is told, once
		shift()
		pipetest.Has(t, act(), "Said 2") // it is known now to change by itself, or with the act
		for i := 3; i < 6; i++ {
			shift()
			got := act()
			pipetest.Has(t, got, fmt.Sprintf("Said %d", i))
			if strings.Contains(got, "99") {
				t.Errorf("%s: a clock is told again: %s", path, got)
			}
		}
	}
}

// orders is a page of rows that change with each act, so that a difference has more to say than it may.
func orders(what string) string {
	var rows strings.Builder
	for i := range 60 {
		fmt.Fprintf(&rows, "<tr><td>Order %d</td><td class=v>%d EUR</td><td><button>Edit %d</button></td></tr>", i, 3*i, i)
	}
	return `<title>Orders</title><h1>Orders</h1><button id=go>Go</button><table>` + rows.String() + `</table>
<script>let n = 0; const put = (html) => document.body.insertAdjacentHTML('beforeend', html);
go.onclick = () => { n++; document.querySelectorAll('.v').forEach((e, i) => { e.textContent = 'state ' + n + ' of ' + i }); ` + what + ` }</script>`
}
