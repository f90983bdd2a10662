package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPagesThatAreLeft: what a page said to its reader before an act or a script left it is told, in up to 300
// characters, whatever else changed; not what was read before, nor what the next page says too.
func TestPagesThatAreLeft(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestActsAnswerTheOutline is quick")
	t.Parallel()
	noise := "for (let i = 0; i < 40; i++) document.body.insertAdjacentHTML('beforeend', '<p>Noise ' + i);"
	words := strings.Repeat("and some more ", 10) + "at the end"
	ways := map[string]string{
		"status": `<div role=status id=say></div>`,
		"alert":  `<div role=alert id=say></div>`,
		"live":   `<p aria-live=polite id=say></p>`,
		"output": `<output id=say></output>`,
		"toast":  `<div class="app-toast" id=say></div>`,
	}
	pages := map[string]string{"/next": "<h1>Next</h1>", "/same": "<h1>Next</h1><p>Reward 7 for it, " + words}
	for name, way := range ways {
		for _, next := range []string{"next", "same"} {
			pages["/"+name+"/"+next] = fmt.Sprintf(`<h1>First</h1><p role=status>Known before</p>%s
<button id=go>Go</button><a id=stay href="#x">Stay</a><button id=act>Act</button>
<script>const say = document.querySelector('#say'), speak = () => { say.textContent = 'Reward 7 for it, %s' };
go.onclick = () => { speak(); %s location.href = '/%s' }; act.onclick = () => { speak(); %[3]s }</script>`, way, words, noise, next)
		}
	}
	pages["/form"] = `<form action=/next onsubmit="say.textContent = 'Sending 12'"><output id=say></output><button id=go>Go</button></form>`
	pages["/later"] = `<button id=go onclick="say.textContent = 'Saved as 12'; setTimeout(() => location.href = '/next', 150)">Go</button>
<p role=alert id=say></p>`
	other := pipetest.ServePages(t, map[string]string{"/": "<h1>Other</h1>"}) // a site of another name
	pages["/elsewhere"] = `<button id=go onclick="say.textContent = 'Bye 12'; location.href = '` +
		strings.Replace(other, "127.0.0.1", "localhost", 1) + `'">Go</button><p role=alert id=say></p>`
	site := pipetest.ServePages(t, pages)
	p := startTelling(t, "/")
	call := pipetest.OverMCP(p)
	open := func(path string) { call("nav", pipetest.Object{"url": site + path, "timeout": 60}) }
	for name := range ways {
		said := "Reward 7 for it, " + words
		open("/" + name + "/next")
		got := call("click", pipetest.Object{"sel": "#go", "timeout": 60})
		pipetest.Has(t, got, "→ the page before said: "+said, `h1 "Next"`)
		pipetest.Lacks(t, got, "Known before")
		if name == "toast" {
			open("/" + name + "/same")
			got = call("click", pipetest.Object{"sel": "#go", "timeout": 60})
			pipetest.Has(t, got, `h1 "Next"`)
			pipetest.Lacks(t, got, "the page before said")
		}
		open("/" + name + "/next")
		got = call("execute", pipetest.Object{"code": "await page.click('#act'); await page.goto('" + site + "/next')", "timeout": 60})
		pipetest.Has(t, got, said, `h1 "Next"`)
		if strings.Contains(got, "the page before said") { // on a busy machine the page may not be looked at in time
			continue
		}
		pipetest.Has(t, got, "→ before page.goto: + ", "Noise 39")
		if line := pick(t, got, "(→ before page.goto: .*)"); len(line) > 480 {
			t.Errorf("%s: %d characters: %s", name, len(line), line)
		}
	}
	open("/form")
	pipetest.Has(t, call("click", pipetest.Object{"sel": "#go", "timeout": 60}), "→ the page before said: Sending 12\n")
	for n := 1; ; n++ { // a process that ends with its document may end, on a busy machine, before it is heard
		open("/elsewhere")
		got := call("click", pipetest.Object{"sel": "#go", "timeout": 60})
		pipetest.Has(t, got, "Other")
		if strings.Contains(got, "→ the page before said: Bye 12\n") {
			break
		}
		if n == 20 {
			t.Fatalf("another site's page comes, and this is not said: %s", got)
		}
	}
	open("/later")
	got := call("click", pipetest.Object{"sel": "#go", "timeout": 60})
	for n := 0; n < 20 && !strings.Contains(got, "Next"); n++ { // on a busy machine the act may be over before
		got += call("snapshot", pipetest.Object{"diff": true})
	}
	pipetest.Has(t, got, "Saved as 12")
}
