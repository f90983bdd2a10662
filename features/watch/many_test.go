//go:build evidence

package watch_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestManySessions: of many sessions, one that asks for a person comes first, is
// counted in the title, and is on screen when it is chosen.
func TestManySessions(t *testing.T) {
	pipetest.UnderRace(t)
	pipetest.Nightly(t, "it is long, and TestService is quick")
	t.Parallel()
	const many = 31
	s := pipetest.StartService(t, "OPERATOR_KEY="+operator, "MAX_CONTEXTS=40")
	var last pipetest.Session
	for n := range many {
		last = s.Open(m{"name": fmt.Sprintf("Orders of customer %d", 1000+n)})
	}
	p := person{pipetest.Start(t), s.URL}
	p.does("await page.setViewportSize({width: 1280, height: 800})")
	p.login(operator)
	p.until(fmt.Sprintf("document.querySelectorAll('#sessions li').length === %d && document.title === 'pwpipe'", many))
	oldest := p.eval("document.querySelector('#sessions li').dataset.key")
	p.eval("document.querySelector('.sessions').scrollTo(0, 1e6)")
	go last.Try("ask-person", last.With(m{"message": "solve it"}))
	p.until("document.querySelector('#sessions li').textContent.includes('asks for you') && document.title === '(1) asked for you - pwpipe' && " +
		"document.querySelector('#counts').textContent.startsWith('1 session asks for you')")
	if now := p.eval("document.querySelectorAll('#sessions li')[1].dataset.key"); now != oldest {
		t.Errorf("after the one that asks comes %s, the oldest is %s", now, oldest)
	}
	// The list is scrolled to its end. A session chosen there is still on screen.
	p.eval("document.querySelector('.sessions').scrollTo(0, 1e6)")
	p.does("await page.locator('#sessions a').last().click()")
	p.until("((b) => b.top >= 0 && b.bottom <= innerHeight)(document.querySelector('#name').getBoundingClientRect()) && scrollY === 0")
	p.picture("many")
	p.does("await page.locator('#sessions a').first().click(); await page.getByRole('button', {name: 'Refuse'}).click()")
	p.until("document.title === 'pwpipe' && !document.querySelector('#asks').textContent")
	// Closing the shown session oneself is no error.
	p.does("page.once('dialog', (d) => d.accept()); await page.click('#close'); await page.waitForSelector('#idle:not([hidden])')")
	if got := p.eval("document.querySelector('#problem').textContent"); got != `""` {
		t.Errorf("closing a session oneself says %s", got)
	}
	p.does("await page.setViewportSize({width: 1600, height: 900}); await page.locator('#sessions a').first().click()")
	p.until("document.querySelector('.signals').getBoundingClientRect().left >= document.querySelector('#stage').getBoundingClientRect().right")
	p.picture("wide")
	axe(t, p)
	p.does("await page.emulateMedia({colorScheme: 'dark'})")
	p.picture("wide-dark")
	for _, hash := range []string{"", p.eval("location.hash.slice(1)")} { // the list, then a session, on a phone
		p.does("await page.emulateMedia({colorScheme: 'dark'}); await page.setViewportSize({width: 390, height: 800})")
		p.eval("location.hash = " + strconv.Quote(strings.Trim(hash, `"`)))
		p.until(fmt.Sprintf("document.querySelector('#session').hidden === %v && document.documentElement.scrollWidth <= innerWidth", hash == ""))
		p.picture(fmt.Sprintf("narrow-dark-%v", hash == ""))
		p.does("await page.emulateMedia({colorScheme: 'light'})")
		p.picture(fmt.Sprintf("narrow-light-%v", hash == ""))
		axe(t, p)
	}
}

// TestPageIsChosen: the marked tab, the URL and the person's input go with the
// picture. The picture follows the active page if asked to.
func TestPageIsChosen(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestService is quick")
	t.Parallel()
	s := pipetest.StartService(t, "OPERATOR_KEY="+operator)
	own := s.Open(nil)
	own.On("page.goto", m{"url": "/form"})
	own.On("page.evaluate", m{"expression": "window.open('/login') && 1"})
	var box struct{ Result [4]float64 }
	own.On("page.evaluate", m{"page": "p2", "expression": "new Promise((done) => { const look = () => document.readyState === 'complete' && document.querySelector('#email') ? done((({x, y, width, height}) => [x, y, width, height])(document.querySelector('#email').getBoundingClientRect())) : setTimeout(look, 20); look(); })"}, &box)
	p := person{pipetest.Start(t), s.URL}
	p.login(operator)
	p.Call("click", m{"sel": "#sessions a"})
	for _, c := range []struct{ page, path string }{{"p2", "/login"}, {"p1", "/form"}, {"p2", "/login"}} {
		p.Call("click", m{"sel": "#tabs [data-page=" + c.page + "]"})
		// At once, before the next list arrives.
		if got := p.eval("[document.querySelector('#tabs [aria-pressed=true]').dataset.page, new URL(document.querySelector('#address').textContent).pathname, document.querySelector('#follow').getAttribute('aria-pressed')]"); got != `["`+c.page+`","`+c.path+`","false"]` {
			t.Errorf("%s: %s", c.page, got)
		}
		p.until("document.querySelector('#live').classList.contains('lit') && document.querySelector('#live').ariaLabel.endsWith(' " + c.page + "')")
	}
	// Composed text, as from an input method, reaches that page.
	p.Call("click", m{"sel": "#take"})
	p.until("document.querySelector('#standing').textContent.startsWith('You have it')")
	p.at(box.Result)
	p.does(`const cdp = await getCDPSession({page});
await cdp.send('Input.imeSetComposition', {text: 'に', selectionStart: 1, selectionEnd: 1});
await cdp.send('Input.insertText', {text: '日本'});`)
	p.until("document.activeElement.id === 'ime'")
	p.Call("click", m{"sel": "#take"})
	p.until("document.querySelector('#standing').textContent === 'Idle'")
	if got := own.On("page.evaluate", m{"page": "p2", "expression": "new Promise((done) => { const at = document.querySelector('#email'), end = performance.now() + 10000, look = () => at.value || performance.now() > end ? done(at.value) : setTimeout(look, 20); look(); })"}); got != `{"result":"日本"}` {
		t.Errorf("composed: %s", got)
	}
	p.Call("click", m{"sel": "#follow"})
	p.until("document.querySelector('#tabs [aria-pressed=true]').dataset.page === 'p1' && document.querySelector('#follow').ariaPressed === 'true'")
	own.On("use-page", m{"pid": "p2"})
	p.until("document.querySelector('#tabs [aria-pressed=true]').dataset.page === 'p2' && document.querySelector('#live').ariaLabel.endsWith(' p2')")
}
