package guard_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/pipetest"
)

// seedPattern is the default pattern.
const seedPattern = `^https?://(localhost|127\.0\.0\.1)(:\d+)?/`

// seed are the settings of the service that most of its tests share.
var seed = []string{"ALLOW_HOST_REGEX=" + seedPattern, "--log-level=info"}

// site is the sample site behind another server.
func site(t *testing.T) http.Handler {
	u, err := url.Parse(pipetest.Site(t))
	if err != nil {
		t.Fatal(err)
	}
	return httputil.NewSingleHostReverseProxy(u)
}

// A pattern stops every way out that a page has: for hosts, ports and paths.
func TestNothingEscapesThePattern(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestNothingEscapes and TestEnforcementPoints are quick")
	t.Parallel()
	around := newVictimOn(t, "127.0.0.1", site(t))
	own := pipetest.Site(t)
	for _, c := range pipetest.Some([]struct {
		of       string
		v        *victim
		settings []string
	}{
		{"path", around, []string{"--log-level=info", "--base-url=http://" + around.addr,
			"ALLOW_HOST_REGEX=^http://" + regexp.QuoteMeta(around.addr) + `/(escape|static|form|redirect|sw\.js|$)`}},
		{"host", newVictim(t), seed},
		{"port", newVictimOn(t, "127.0.0.1", nil), []string{"--log-level=info", "--base-url=" + own, "ALLOW_HOST_REGEX=^" + regexp.QuoteMeta(own) + "/"}},
	}, 3) {
		t.Run(c.of, func(t *testing.T) {
			t.Parallel()
			s := pipetest.SharedService(t, c.settings...)
			session := s.Open(nil)
			session.On("nav", pipetest.Object{"url": c.v.escapePage()})
			session.On("wait", pipetest.Object{"sel": "#state:has-text('tried')", "timeout": 60})
			leave(t, session, c.v)
			if c.of == "path" { // the browser's own requests are harder to see here
				leaveByScript(t, session, c.v)
			}
			pipetest.Eventually(t, "40 requests that the proxy refused", func() bool { return strings.Count(s.Log(), `"msg":"blocked"`) >= 40 })
			if names := c.v.names(); len(names) > 0 {
				t.Errorf("these came through: %s", strings.Join(names, " "))
			}
		})
	}
}

// leave has the tools go there.
func leave(t *testing.T, c pipetest.Session, v *victim) {
	t.Helper()
	c.On("playwright_browser", pipetest.Object{"action": "launch"})
	for _, u := range []string{v.url("nav"), "/redirect?to=" + v.url("nav-redirect"), "/redirect?n=3&to=" + v.url("nav-chain"), "http://" + v.addr + "/x/../hit/nav-dots"} {
		if r := c.Try("nav", pipetest.Object{"session_id": c.ID, "url": u}); r.Error == nil || r.Error.Code != -32003 {
			t.Errorf("nav %s: %s", u, r.Result)
		}
		if whole := strings.HasPrefix(u, "http"); whole {
			got := c.On("playwright_browser", pipetest.Object{"action": "navigate", "url": u, "timeout": 60})
			pipetest.Has(t, got, `"success":false`, "blocked: ")
		}
		if r := c.Try("download", pipetest.Object{"session_id": c.ID, "url": u, "timeout": 60}); r.Error == nil || r.Error.Code != -32003 {
			t.Errorf("download %s: %s %v", u, r.Result, r.Error)
		}
	}
	for _, code := range []string{`void (location.href = "` + v.url("eval") + `")`, `void open("` + v.url("eval-popup") + `")`} {
		c.Try("nav", pipetest.Object{"session_id": c.ID, "url": "/"}) // may still report the previous navigation
		c.Try("eval", pipetest.Object{"session_id": c.ID, "code": code})
	}
}

// leaveByScript has scripts go there.
func leaveByScript(t *testing.T, c pipetest.Session, v *victim) {
	t.Helper()
	for i, w := range pipetest.Some(ways, 4) {
		if i%fresh == 0 {
			c.On("reset", nil)
		}
		c.On("nav", pipetest.Object{"url": "/form"})
		target, _ := json.Marshal(v.url(strings.NewReplacer(" ", "-", "'", "").Replace(w.name)))
		r := c.Try("execute", pipetest.Object{"session_id": c.ID, "code": "const target = " + string(target) + ";\n" + w.code + "; 0", "timeout": w.seconds()})
		if w.refused != "" && (r.Error == nil || !strings.Contains(r.Error.Message, "blocked")) {
			t.Errorf("%s: %s %v", w.name, r.Result, r.Error)
		}
	}
}

// turncoat is a server that answers with a redirect once it is told to.
type turncoat struct {
	*httptest.Server
	mu    sync.Mutex
	to    string
	paths []string
}

func newTurncoat(t *testing.T) *turncoat {
	s := &turncoat{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *turncoat) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	to := s.to
	s.paths = append(s.paths, r.URL.Path)
	s.mu.Unlock()
	w.Header().Set("Cache-Control", "no-store")
	if to != "" && r.URL.Path != "/stays" {
		http.Redirect(w, r, to, http.StatusFound)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprint(w, "<title>turncoat</title><h1>here</h1>")
}

func (s *turncoat) turn(to string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = to
}

// Navigations by history and reload are checked like any other.
func TestHistoryIsGuarded(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestEnforcementPoints is quick")
	t.Parallel()
	v := newVictim(t)
	a := newTurncoat(t)
	for _, settings := range pipetest.Some([][]string{append([]string{"--allowed-domains=127.0.0.1"}, seed...), seed}, 2) {
		s := pipetest.SharedService(t, settings...)
		c := s.Open(nil)
		for tool, before := range map[string][]string{"reload": {"/x"}, "page.reload": {"/x"}, "back": {"/x", "/stays"}, "forward": {"/stays", "/x", "back"}} {
			a.turn("")
			for _, at := range before {
				if at == "back" {
					c.On("back", nil)
					continue
				}
				c.On("nav", pipetest.Object{"url": a.URL + at})
			}
			a.turn(v.url(tool))
			pipetest.Has(t, c.Refuse(-32003, tool, nil), tool+": blocked: "+v.url(tool))
			if got := c.On("url", nil); got != `"about:blank"` {
				t.Errorf("%s: the page is at %s", tool, got)
			}
		}
	}
	if names := v.names(); len(names) > 0 {
		t.Errorf("came through: %v", names)
	}
}

// The proxy sees only the host of https, so requests there are intercepted.
func TestPatternOfSecurePaths(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestEnforcementPoints is quick")
	t.Parallel()
	a := secureSite(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>secure</title>")
	}, "/app", "/app/x", "/app/y", "/app/z")
	s := pipetest.StartService(t, "ALLOW_HOST_REGEX=^"+regexp.QuoteMeta(a.URL)+"/app(/|$)")
	c := s.Open(pipetest.Object{"ignoreHTTPSErrors": true})
	c.On("nav", pipetest.Object{"url": a.URL + "/app/x"})
	c.On("page.goto", pipetest.Object{"url": a.URL + "/app"})
	got := c.On("page.evaluate", pipetest.Object{"expression": `Promise.all(["/app/y", "/other", "/apple", "/app/../other"].map(u => fetch(u).then(r => r.status, () => "refused")))`})
	pipetest.Has(t, got, `[200,"refused","refused","refused"]`)
	c.On("page.evaluate", pipetest.Object{"expression": `new Promise(done => { const i = new Image; i.onerror = () => done(0); i.src = "/image" })`})
	c.On("page.evaluate", pipetest.Object{"expression": `new Promise(done => { const f = document.createElement("iframe"); f.src = "/frame"; f.onload = () => done(0); document.body.append(f) })`})
	pipetest.Has(t, c.Refuse(-32003, "nav", pipetest.Object{"url": a.URL + "/other"}), "blocked: ")
	pipetest.Has(t, c.Refuse(-32003, "execute", pipetest.Object{"code": `await page.request.get('` + a.URL + `/other')`}), "blocked: ")
	pipetest.Has(t, c.On("execute", pipetest.Object{"code": `(await page.request.get('` + a.URL + `/app/z')).status()`}), "200")
	c.On("page.evaluate", pipetest.Object{"expression": `void setTimeout(() => { location.href = "/leaves" })`})
	pipetest.Eventually(t, "the page is stopped", func() bool {
		r := s.Try("title", pipetest.Object{"session_id": c.ID})
		return r.Error != nil && r.Error.Code == -32003
	})
}
