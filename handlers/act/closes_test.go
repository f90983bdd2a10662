package act_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestActsThatCloseTheirWindow: an act that has its page close itself has worked. One that the page
// closes before, while it waits for its element, has not.
func TestActsThatCloseTheirWindow(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and the transcript pages is quick")
	t.Parallel()
	site := pipetest.ServePages(t, map[string]string{
		"/": `<button id=open onclick="window.open('/window')">Open</button>`,
		"/window": `<input id=press onkeydown="window.close()"><input id=type oninput="window.close()">
<select id=sel onchange="window.close()"><option>a<option>b</select><input id=check type=checkbox onchange="window.close()">
<a id=hover href="#" onmouseover="window.close()">Hover</a><button id=click onclick="window.close()">Click</button>
<button id=dclick ondblclick="window.close()">Twice</button><div id=rclick oncontextmenu="window.close()">Menu</div>
<input id=upload type=file onchange="window.close()"><input id=focus onfocus="window.close()">
<div id=from draggable=true>From</div><div id=to ondragover="event.preventDefault()" ondrop="window.close()">To</div>
<iframe srcdoc="<input type=checkbox onchange='parent.close()'>"></iframe>`,
	})
	p, dir := pipetest.SharedIn(t)
	file := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Call("nav", []string{site + "/"})
	opens := func() string {
		p.Call("click", []string{"#open"}, "page", "p1")
		var name string
		pipetest.Eventually(t, "the window", func() bool {
			pages := pipetest.Get[[]struct{ Page, URL string }](p, "pages", nil)
			name = pages[len(pages)-1].Page
			return len(pages) == 2 && pages[1].URL == site+"/window"
		})
		p.Call("wait", []string{"#to"}, "page", name)
		return name
	}
	for _, c := range pipetest.Some([]struct {
		tool   string
		params any
	}{
		{"press", []string{"Enter", "#press"}}, {"type", []string{"#type", "abc"}}, {"fill", []string{"#type", "abc"}},
		{"sel", []string{"#sel", "b"}}, {"check", []string{"#check"}}, {"hover", []string{"#hover"}}, {"click", []string{"#click"}},
		{"dclick", []string{"#dclick"}}, {"rclick", []string{"#rclick"}}, {"upload", []string{"#upload", file}},
		{"focus", []string{"#focus"}}, {"drag", []string{"#from", "#to"}}, {"tap", []string{"#click"}},
		{"check", []string{"iframe >> internal:control=enter-frame >> input"}},
	}, 3) {
		if got := p.Try(c.tool, c.params, "page", opens()); got.Error != "" {
			t.Errorf("%s %q: %s", c.tool, c.params, got.Error)
		}
		pipetest.Eventually(t, "the end of the window after "+c.tool, func() bool {
			return len(pipetest.Get[[]struct{ Page string }](p, "pages", nil)) == 1
		})
	}
	name := opens()
	p.Call("eval", []string{"setTimeout(() => window.close(), 300), 1"}, "page", name)
	p.Complains("page "+name+" is gone: it was closed", "hover", []string{"#nowhere"}, "page", name)
}

// TestOptionsOfAPageThatThrows: pwpipe asks the page why an option can't be chosen. A page that makes this
// question fail does not hold the call.
func TestOptionsOfAPageThatThrows(t *testing.T) {
	t.Parallel()
	p := pipetest.SharedOn(t, pipetest.ServePages(t, map[string]string{"/": `<select id=s><option>a</select>
<script>Object.defineProperty(s, 'localName', { get() { throw new Error('no') } })</script>`})+"/")
	wait := 1
	pipetest.Eventually(t, "the error says which option is missing", func() bool { // on a busy machine it takes longer
		wait *= 2
		return strings.Contains(p.Fail("sel", []string{"#s", "z"}, "timeout", wait/2), `"#s" has no option z`)
	})
}
