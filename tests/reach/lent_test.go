package reach

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// person is the person at a tab of a Chromium.
func (c *chrome) person(target string) *client {
	c.t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial("ws://"+c.addr+"/devtools/page/"+target, http.Header{})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = ws.Close() })
	return &client{t: c.t, ws: ws}
}

// goes navigates the tab, and returns its protocol and what a client left there.
func (c *client) goes(url string) string {
	c.t.Helper()
	c.ask("Page.enable", nil)
	c.works("Page.navigate", map[string]any{"url": url})
	return c.ask("Runtime.evaluate", map[string]any{"expression": "location.protocol + (globalThis.ran || '')"})
}

// works sends a command that must succeed.
func (c *client) works(method string, params map[string]any) {
	c.t.Helper()
	if got := c.ask(method, params); strings.Contains(got, `"error"`) {
		c.t.Errorf("%s: %s", method, got)
	}
}

// lendForm starts a Chromium with the form in a tab that is lent to a session of a service.
// connect connects another client to that session.
func lendForm(t *testing.T, site string, args ...string) (c *chrome, connect func() (thief *client, tab string)) {
	t.Helper()
	return lendFormOf(t, site, false, args...)
}

// lendFormOf is lendForm, with named in the person's browser, of which only that tab is lent.
func lendFormOf(t *testing.T, site string, named bool, args ...string) (c *chrome, connect func() (thief *client, tab string)) {
	t.Helper()
	c = startChrome(t, "0", args...)
	c.open(site + "/form")
	flags := []string{"ALLOW_HOST_REGEX=.*", "--cdp=" + c.addr}
	if named {
		flags = []string{"ALLOW_HOST_REGEX=.*", "--cdp=" + c.front().named(t), "--lend=/form"}
	}
	svc := pipetest.StartService(t, flags...)
	lent := svc.Open(map[string]any{"tabs": true})
	lent.On("pages", nil)
	return c, func() (*client, string) {
		t.Helper()
		thief := connectTo(t, svc, lent)
		thief.ask("Target.setDiscoverTargets", map[string]any{"discover": true})
		tab := ""
		if found := regexp.MustCompile(`"targetId":"(\w+)"[^}]*/form`).FindStringSubmatch(thief.ask("Target.getTargets", nil)); found != nil {
			tab = found[1]
		}
		return thief, tab
	}
}

// A client's scripts for new documents of a lent tab do not run in documents that it may
// not see, nor can it reach these otherwise: its sessions have ended by then. When the tab
// comes back, they run again.
func TestPersonTakesALentTabElsewhere(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestAttach is quick")
	t.Parallel()
	for _, named := range []bool{false, true} {
		t.Run(fmt.Sprint("named ", named), func(t *testing.T) { takesALentTabElsewhere(t, named) })
	}
}

func takesALentTabElsewhere(t *testing.T, named bool) {
	t.Helper()
	site := pipetest.Site(t)
	file := "file://" + filepath.Join(t.TempDir(), "secret.html")
	if err := os.WriteFile(strings.TrimPrefix(file, "file://"), []byte("<title>SECRET</title><p>SECRET<iframe srcdoc=SECRET></iframe>"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, connect := lendFormOf(t, site, named)
	thief, tab := connect()
	person := c.person(tab)
	attach := func(fetches bool) {
		t.Helper()
		thief.session = ""
		var got string
		pipetest.Eventually(t, "the tab is the client's", func() bool {
			got = thief.ask("Target.attachToTarget", map[string]any{"targetId": tab, "flatten": true})
			return !strings.Contains(got, `"error"`)
		})
		thief.session = regexp.MustCompile(`"sessionId":"(\w+)"`).FindStringSubmatch(got)[1]
		steal := "globalThis.ran = 'ran'"
		for _, domain := range []string{"Page", "Runtime", "Network", "DOM"} {
			thief.works(domain+".enable", nil)
		}
		if fetches {
			thief.works("Fetch.enable", map[string]any{"patterns": []any{map[string]any{"urlPattern": "file:*"}, map[string]any{"urlPattern": "file:*", "requestStage": "Response"}}})
		}
		thief.works("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": steal})
		thief.works("Page.addScriptToEvaluateOnLoad", map[string]any{"scriptSource": steal})
		pipetest.Has(t, thief.ask("Debugger.setBreakpointByUrl", map[string]any{"urlRegex": ".*", "lineNumber": 0, "condition": steal}), "can't have conditions")
		for _, source := range []string{"}" + steal + "{", steal + "}/*", "})();" + steal + ";(()=>{", "await /1;}" + steal + ";if(0){0/g"} {
			pipetest.Has(t, thief.ask("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": source}), "SyntaxError")
		}
	}
	for _, from := range []string{site + "/shadow", "about:blank"} {
		for _, url := range []string{file, "chrome://version/", "view-source:" + file} {
			attach(from == "about:blank")
			if got := person.goes(from); !strings.Contains(got, ":ran") {
				t.Errorf("at %s: %s", from, got)
			}
			for i := range 100 { // in progress while the tab navigates
				thief.say("Runtime.evaluate", map[string]any{"expression": "globalThis.ran = 'ran'; document.title"})
				thief.say("Fetch.fulfillRequest", map[string]any{"requestId": fmt.Sprintf("interception-job-%d.0", i), "responseCode": 200, "body": "PGgxPg=="})
			}
			if got := person.goes(url); strings.Contains(got, "ran") || !strings.Contains(got, `"value"`) {
				t.Errorf("from %s to %s: %s", from, url, got)
			}
			thief.session = ""
			if heard := thief.ask("Target.getTargets", nil) + thief.heard; strings.Contains(heard, "SECRET") || strings.Contains(heard, "secret.html") {
				t.Errorf("from %s to %s: it heard of it", from, url)
			}
			pipetest.Has(t, thief.ask("Target.attachToTarget", map[string]any{"targetId": tab, "flatten": true}), `"error"`)
			person.goes(site + "/form")
		}
	}
	attach(true)
	if got := person.goes(site + "/shadow"); !strings.Contains(got, ":ran") {
		t.Errorf("at home: %s", got)
	}
	// Hidden entries are neither reported nor reachable.
	told := thief.ask("Page.getNavigationHistory", nil)
	pipetest.Lacks(t, told, "secret.html", "chrome:", "SECRET")
	hidden := regexp.MustCompile(`"id":(\d+)[^}]*"url":""`).FindAllStringSubmatch(told, -1)
	if len(hidden) < 6 {
		t.Errorf("its history is %s", told)
	}
	refusal := "blocked: " // by the policy; in a person's browser, which has a name, by the wall before it
	if named {
		refusal = "only http(s), data: and about:blank are opened"
	}
	for _, e := range hidden {
		id, _ := strconv.Atoi(e[1])
		pipetest.Has(t, thief.ask("Page.navigateToHistoryEntry", map[string]any{"entryId": id}), refusal)
	}
}

// What a file's page opens, or makes of its tab, has its origin. It may embed any file, so
// a client gets none of it.
func TestWhatFilesOpenIsNotLent(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPersonsTabsStayTheirs is quick")
	t.Parallel()
	site := pipetest.Site(t)
	file := filepath.Join(t.TempDir(), "secret.html")
	if err := os.WriteFile(file, []byte("<title>SECRET</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, connect := lendForm(t, site)
	thief, tab := connect()
	person := c.person(tab)
	person.goes("file://" + file)
	does := func(code string) {
		t.Helper()
		person.works("Runtime.evaluate", map[string]any{"expression": code, "userGesture": true, "awaitPromise": true})
	}
	open := func(n int) {
		t.Helper()
		pipetest.Eventually(t, fmt.Sprint(n, " tabs"), func() bool { return len(c.tabs()) == n })
	}
	does("open(URL.createObjectURL(new Blob(['<title>SECRET</title>'], {type: 'text/html'})))")
	does("globalThis.up = open('about:blank'); up.document.title = 'SECRET'")
	open(4)
	hears := func(when string) {
		t.Helper()
		got := thief.ask("Target.getTargets", nil)
		if pipetest.Lacks(t, got+thief.heard, "SECRET", "blob:"); strings.Contains(got, tab) || strings.Count(got, `"targetId"`) != 1 {
			t.Errorf("%s: %s", when, got)
		}
		pipetest.Has(t, thief.ask("Target.attachToTarget", map[string]any{"targetId": tab, "flatten": true}), `"error"`)
	}
	hears("while the file is there")
	does("setTimeout(() => { location = 'about:blank' })")
	pipetest.Eventually(t, "the tab is elsewhere", func() bool { return !strings.Contains(strings.Join(c.tabs(), " "), "file:") })
	hears("when it is not")
	// A later client knows nothing of the tabs' past, so pwpipe asks for their origin.
	late, _ := connect()
	for _, m := range regexp.MustCompile(`"targetId":"(\w+)"`).FindAllStringSubmatch(late.ask("Target.getTargets", nil), -1) {
		late.session = ""
		late.session = regexp.MustCompile(`"sessionId":"(\w+)"`).FindStringSubmatch(late.ask("Target.attachToTarget", map[string]any{"targetId": m[1], "flatten": true}))[1]
		if got := late.ask("DOM.getDocument", map[string]any{"depth": -1}); m[1] == tab || strings.Contains(got, "SECRET") || strings.Contains(late.heard, "SECRET") {
			t.Errorf("who comes later has %s", got)
		}
	}
	late.session = ""
	pipetest.Has(t, late.ask("Target.getTargets", nil), `"url":"about:blank"`) // the tab that was there from the beginning
	person.goes(site + "/form")
	pipetest.Eventually(t, "the tab is back", func() bool { return strings.Contains(thief.ask("Target.getTargets", nil), tab) })
}

// Clients' own libraries work in lent tabs, with scripts for new documents and
// interception.
func TestClientsInLentTabs(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPersonsTabsStayTheirs is quick")
	t.Parallel()
	site := pipetest.Site(t)
	in := installed(t)
	for _, library := range []string{"playwright-core@1.52.0", "playwright-core@1.65.1", "puppeteer-core@24.43.1"} {
		t.Run(library, func(t *testing.T) {
			name, _, _ := strings.Cut(library, "@")
			c := startChrome(t, "0")
			c.open(site + "/form")
			p := pipetest.Start(t, cdp(c)...)
			p.Call("title", nil)
			address := pipetest.Decode[struct{ URL string }](t, p.Call("session.cdp", nil)).URL
			out, err := exec.Command(in.Node, filepath.Join("testdata", "lent.cjs"), address, site, filepath.Join(pipetest.NPM(t, library), name)).CombinedOutput()
			if want := `{"begun":"/shadow","twice":42,"made":"made","everywhere":true,"frames":"Frames","own":true}` + "\n"; err != nil || string(out) != want {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// save-state includes the local storage of a lent tab that was open before, unless the
// policy forbids its URL.
func TestStateOfLentTabs(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestState of tests/eachtool is quick")
	c := startChrome(t, "0")
	c.open(pipetest.Site(t) + "/form")
	saved := func(p *pipetest.Pipe) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), "state.json")
		p.Call("save-state", []string{file})
		state, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(state)
	}
	p := pipetest.Start(t, cdp(c)...)
	form := regexp.MustCompile(`"page":"(p\d)"[^}]*/form"`).FindStringSubmatch(p.Call("pages", nil))
	p.Call("use-page", []string{form[1]})
	p.Call("eval", []string{"localStorage.kept = 'here'"})
	pipetest.Has(t, saved(p), `"kept"`)
	p = pipetest.Start(t, append(cdp(c), "--allowed-domains=elsewhere.example")...)
	p.Call("new-page", map[string]any{"ctx": "c1", "use": true})
	if state := saved(p); strings.Contains(state, "kept") {
		t.Error(state)
	}
}
