// Package watch_test has people watch and take over sessions: one pwpipe drives the
// browser in which the page of another pwpipe is open.
package watch_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

type m = pipetest.Object

const operator = "operator-key-456"

func TestMain(main *testing.M) { pipetest.Main(main) }

// person is somebody with a browser in which the page is open.
type person struct {
	*pipetest.Pipe
	url string
}

// login opens the page and logs in with a key.
func (p person) login(key string) {
	p.T.Helper()
	p.Call("nav", m{"url": p.url + "/watch/login"})
	p.Call("fill", m{"sel": "#key", "val": key})
	p.Call("click", m{"sel": "text=Log in >> nth=-1"})
}

// until waits until an expression is true in the page. Playwright's waitForFunction
// uses eval, which the page's CSP forbids.
func (p person) until(expression string) {
	p.T.Helper()
	p.eval(`new Promise((done, fail) => {
		const end = performance.now() + 60000;
		const look = () => (() => { try { return ` + expression + `; } catch { return false; } })() ? done(1)
			: performance.now() > end ? fail(new Error(document.body.innerText)) : requestAnimationFrame(look);
		look();
	})`)
}

// eval returns an expression's value in the page, as JSON.
func (p person) eval(expression string) string {
	p.T.Helper()
	return p.Call("eval", m{"code": expression}, "timeout", 70)
}

// does runs Playwright code on the page.
func (p person) does(code string) string {
	p.T.Helper()
	return pipetest.Execute(p.Pipe, code)
}

// pixel is an expression that reads a pixel of the live picture.
func pixel(x, y float64) string {
	return fmt.Sprintf("(() => { const c = document.querySelector('#live'); return [...c.getContext('2d').getImageData(%v * c.width, %v * c.height, 1, 1).data].slice(0, 3); })()", x, y)
}

// shows waits until the middle of the live picture has roughly this colour.
func (p person) shows(r, g, b int) {
	p.T.Helper()
	p.until(fmt.Sprintf("((p) => Math.max(Math.abs(p[0] - %d), Math.abs(p[1] - %d), Math.abs(p[2] - %d)) < 40)(%s)", r, g, b, pixel(0.5, 0.5)))
}

// paint gives a session's page a colour.
func paint(s pipetest.Session, colour string) {
	s.T.Helper()
	s.On("page.evaluate", m{"expression": "(document.documentElement.style.background = document.body.style.background = '" + colour + "', 1)"})
}

// picture saves a screenshot for people if a folder for pictures is given.
func (p person) picture(name string) {
	p.T.Helper()
	if dir := os.Getenv("PWPIPE_TEST_PICTURES"); dir != "" {
		p.Call("shot", m{"path": dir + "/" + name + ".png"})
	}
}

// hostile is a text that would run if it were taken for HTML.
const hostile = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>`

// service is a service with secrets. The tests that have it run one after another, so that it is started once.
func service(t *testing.T) *pipetest.Service {
	t.Helper()
	secrets := pipetest.SharedFile(t, "secrets.env", "PASSWORD=correct-horse\n")
	return pipetest.SharedService(t, "OPERATOR_KEY="+operator, "--secrets="+secrets)
}

func TestService(t *testing.T) {
	s := service(t)
	own := s.Open(m{"har": true})
	own.On("page.goto", m{"url": "/form"})
	own.On("page.evaluate", m{"expression": "(document.title = document.body.textContent = `" + hostile + "`, console.error('shown: ' + document.title), fetch('/nowhere-7').then(() => 1))"})
	own.Refuse(-32000, "click", m{"sel": "#nothing", "timeout": 3})
	p := person{pipetest.Shared(t), s.URL}

	p.login("wrong")
	pipetest.Has(t, p.Text("txt", m{"sel": "main"}), "not known")
	p.picture("wrong")
	p.login(operator)
	p.Call("click", m{"sel": "#sessions a"})
	t.Run("session", func(t *testing.T) { theSession(t, p, own) })
	t.Run("live", func(t *testing.T) { theLivePicture(t, p, own) })
	t.Run("looks", func(t *testing.T) { theLooks(t, p) })
	t.Run("close", func(t *testing.T) { theEnd(t, p, own) })
	t.Run("another key", func(t *testing.T) { anotherKey(t, p, s) })
}

// theSession: texts of pages and callers are shown as text.
func theSession(t *testing.T, p person, own pipetest.Session) {
	p.T = t
	p.until("document.querySelector('#panel tr[data-is=bad]')?.textContent.includes('nothing matches')")
	pipetest.Has(t, p.Text("txt", m{"sel": "#panel"}), "page.goto", "page.evaluate", "ok", "click", "#nothing")
	p.Call("fill", m{"sel": "#filter", "val": "goto"})
	p.until("[...document.querySelectorAll('#panel tbody tr')].filter((r) => !r.hidden).length === 1")
	p.Call("fill", m{"sel": "#filter", "val": ""})
	p.Call("click", m{"sel": "#tab-console"})
	p.until("[...document.querySelectorAll('#panel tr[data-is=bad]')].some((r) => r.textContent.includes('shown: <img'))")
	p.Call("click", m{"sel": "#tab-network"})
	p.until("[...document.querySelectorAll('#panel tr[data-is=bad]')].some((r) => r.textContent.includes('404') && r.textContent.includes('nowhere-7'))")
	p.Call("click", m{"sel": "#tab-outline"})
	p.until("document.querySelector('#panel pre').textContent.includes('onerror')")
	p.Call("click", m{"sel": "#tab-calls"})
	p.until("document.querySelector('#tabs').textContent.includes('<script>') && document.querySelector('#sessions').textContent.includes('<script>')")
	if got := p.eval("[window.owned ?? 0, document.querySelectorAll('main img, main script').length]"); got != "[0,0]" {
		t.Errorf("what a page worded became HTML: %s", got)
	}
}

// theLivePicture follows the page, and stops while nobody watches.
func theLivePicture(t *testing.T, p person, own pipetest.Session) {
	p.T = t
	p.Call("click", m{"sel": "#tab-calls"})
	paint(own, "rgb(200,30,30)")
	p.shows(200, 30, 30)
	paint(own, "rgb(20,40,200)")
	p.shows(20, 40, 200)
	p.picture("live")
	// In a background tab, the browser sends nothing.
	p.does("await page.evaluate(() => { Object.defineProperty(document, 'hidden', {value: true, configurable: true}); document.dispatchEvent(new Event('visibilitychange')); })")
	own.On("page.evaluate", m{"expression": "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"})
	p.until("document.querySelectorAll('#panel tbody tr').length > 5")
	before := p.eval("document.querySelector('#live').dataset.frames")
	for i := range 5 { // each is drawn, and would be sent
		paint(own, fmt.Sprintf("rgb(0,%d,0)", 50*i))
		own.On("page.evaluate", m{"expression": "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(" + fmt.Sprint(i) + "))))"})
	}
	p.until("document.querySelectorAll('#panel tbody tr').length > 15")
	if after := p.eval("document.querySelector('#live').dataset.frames"); after != before {
		t.Errorf("%s pictures while nobody looked, %s before", after, before)
	}
	p.does("await page.evaluate(() => { delete document.hidden; document.dispatchEvent(new Event('visibilitychange')); })")
	p.shows(0, 200, 0)
	second := own.On("new-page", m{"ctx": "c1"})
	p.Call("click", m{"sel": "#tabs [data-page=" + second + "]"})
	p.shows(255, 255, 255)
	p.Call("click", m{"sel": "#tabs [data-page=p1]"})
	p.shows(0, 200, 0)
}

// theLooks: axe finds nothing, light and dark, wide and narrow.
func theLooks(t *testing.T, p person) {
	pipetest.InCI(t, "axe takes long")
	p.T = t
	for _, look := range pipetest.Sample([]struct {
		scheme string
		width  int
	}{{"dark", 390}, {"light", 390}, {"dark", 1280}, {"light", 1280}}, 4) {
		p.does(fmt.Sprintf("await page.emulateMedia({colorScheme: '%s'}); await page.setViewportSize({width: %d, height: 800})", look.scheme, look.width))
		p.picture(fmt.Sprint(look.scheme, "-", look.width))
		axe(t, p)
		if got := p.eval("document.documentElement.scrollWidth <= innerWidth"); got != "true" {
			t.Errorf("%v: the page is wider than the window", look)
		}
	}
	p.does("await page.emulateMedia({colorScheme: 'light'}); await page.setViewportSize({width: 1280, height: 800})")
}

func axe(t *testing.T, p person) {
	t.Helper()
	r := p.Try("axe.run", nil)
	if strings.Contains(r.Error, "can't be had") {
		t.Skip(r.Error)
	}
	var out struct {
		Violations []struct {
			ID    string
			Nodes []struct{ HTML, FailureSummary string }
		}
	}
	if err := json.Unmarshal(r.Result, &out); err != nil || r.Error != "" {
		t.Fatal(r.Error, err)
	}
	for _, v := range out.Violations {
		t.Errorf("axe: %s: %+v", v.ID, v.Nodes)
	}
}

// theEnd: a person closes the session, and gets its network recording.
func theEnd(t *testing.T, p person, own pipetest.Session) {
	p.T = t
	got := p.does("page.once('dialog', (d) => d.accept()); const [d] = await Promise.all([page.waitForEvent('download'), page.click('#close')]); await page.waitForSelector('#idle:not([hidden])'); " +
		"return [d.suggestedFilename(), ...JSON.parse(require('fs').readFileSync(await d.path(), 'utf8')).log.entries.map((e) => new URL(e.request.url).pathname)]")
	pipetest.Has(t, got, `["session.har","/form",`, "/nowhere-7")
	p.until("!document.querySelector('#sessions a')")
	pipetest.Has(t, own.Refuse(-32002, "title", nil), "it was closed")
}

// anotherKey: with the clients' key a person sees only sessions whose ids they have.
func anotherKey(t *testing.T, p person, s *pipetest.Service) {
	p.T = t
	first, second := s.Open(nil), s.Open(nil)
	p.until("document.querySelectorAll('#sessions a').length === 2")
	p.Call("click", m{"sel": "text=Log out"})
	p.Call("wait", m{"sel": "#key"})
	p.login(pipetest.Key)
	p.until("document.querySelector('#counts').textContent.includes('2 of 8') && !document.querySelector('#none').hidden")
	p.Call("fill", m{"sel": "#session-id", "val": first.ID})
	p.Call("press", m{"sel": "#session-id", "key": "Enter"})
	p.until("document.querySelectorAll('#sessions a').length === 1 && !document.querySelector('#session').hidden")
	// The other session's key from the list is not enough.
	other := sha256.Sum256([]byte(second.ID))
	p.eval("location.hash = '" + hex.EncodeToString(other[:8]) + "'")
	p.until("document.querySelector('#problem').textContent.includes('ended') && document.querySelectorAll('#sessions a').length === 1")
	p.Call("fill", m{"sel": "#session-id", "val": "s_00000000-0000-0000-0000-000000000000"})
	p.Call("press", m{"sel": "#session-id", "key": "Enter"})
	p.until("document.querySelector('#problem').textContent.includes('no session of that id')")
}
