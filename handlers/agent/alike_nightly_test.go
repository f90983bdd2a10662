//go:build evidence

package agent_test

import (
	"encoding/json"
	"testing"

	"pwpipe/internal/pipetest"
)

// A long list of alike items takes at most a fifth of what Playwright's own snapshot takes, and its refs act.
func TestLongListsAreShort(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestAnswersAreBounded is quick")
	t.Parallel()
	p := start(t, "/")
	for name, c := range map[string]struct{ html, has string }{
		"products in a list": {`<ul>` + repeated(`<li><a href=/p/%d><img alt="" `+pixel+`><h3>Brass lamp %d</h3></a><p>€%d.50</p><button onclick="hit = %d">Add to cart</button></li>`, 48) + `</ul>`, "Add to cart"},
		"cards of divs": {`<div>` + repeated(`<div class=card><div class=top><h3><a href=/c/%d>Course number %d</a></h3></div><div class=meta><span>%d hours</span> <span>for beginners</span></div><button onclick="hit = %d">Enrol now</button></div>`, 48) + `</div>`,
			"Enrol now"},
		"names in names": {`<ol>` + repeated(`<li><h3><a href=/l/%d>Lantern no. %d</a></h3><img alt="Rated %d out of 99 by our customers" `+pixel+`><p>€%d.00</p><button aria-label="Add Lantern no. %d to the cart" onclick="hit = %d">Add</button></li>`, 48) + `</ol>`,
			"Add Lantern no. … to the cart"},
		"articles": {`<main>` + repeated(`<article><h2><a href=/a/%d>Story %d</a></h2><p>By a writer of the paper, number %d</p><button onclick="hit = %d">Save for later</button></article>`, 48) + `</main>`, "Save for later"},
		"mails": {`<ul>` + repeated(`<li><span>Writer %d</span><a href=/m/%d>Subject of mail %d</a><button onclick="hit = %d">Archive this conversation</button><button>Delete this conversation</button></li>`, 48) + `</ul>`,
			"Archive this conversation"},
	} {
		show(p, c.html)
		outline := pierced(t, p)
		var r struct{ Result string }
		if err := json.Unmarshal([]byte(p.Call("execute", pipetest.Object{"code": "await page.locator('body').ariaSnapshot({mode: 'ai'})"})), &r); err != nil {
			t.Fatal(err)
		}
		if len(outline)*5 > len(r.Result) {
			t.Errorf("%s: %d characters of %d:\n%s", name, len(outline), len(r.Result), outline)
		}
		pipetest.Has(t, outline, c.has)
		p.Call("click", []string{ref(t, p.Text("search", pipetest.Object{"pattern": "^button .*(Add|Enrol|Save|Archive)", "lineLimit": 1}), "button")})
		if hit := p.Text("eval", []string{"String(window.hit)"}); hit != "0" {
			t.Errorf("%s: the first button was not clicked: %s", name, hit)
		}
		t.Logf("%s: %d characters of %d", name, len(outline), len(r.Result))
	}
}

// pixel is a picture.
const pixel = `src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"`
