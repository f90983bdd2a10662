package script_test

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pwpipe/fixtures"
	"pwpipe/handlers"
	"pwpipe/internal/pipetest"
	"pwpipe/internal/policy"
	"pwpipe/internal/script"
	"pwpipe/provider"
)

//go:embed testdata/methods.js
var methodsCode string

// The words that nobody may be shown: of a file outside, and of another session.
const content, marker = "tide at nine", "keeper-of-the-other-light"

// TestEveryMethodPastThePrelude calls every method of every class of
// playwright-go by the road that the prelude itself has, with files outside of
// the allowed folder, addresses that the policy forbids, the very objects of
// another session and made-up ones in each place of its arguments. Nothing
// outside of the rules happens: no file there is so much as opened, no
// connection is asked for, and the other sessions go on as if nothing were.
func TestEveryMethodPastThePrelude(t *testing.T) {
	if pipetest.Race {
		t.Skip("playwright-go notes that a page is closed without a lock, and here all is asked while all is closed")
	}
	at := layOut(t)
	b, asked := guardedBrowser(t, at)
	tasks := make(chan task)
	var mu sync.Mutex
	var total answer
	var all sync.WaitGroup
	for range attackers {
		one := newPair(t, b)
		all.Go(func() {
			for tk := range tasks {
				got := one.try(t, at, tk)
				mu.Lock()
				total.add(got)
				mu.Unlock()
			}
			one.unchanged(t)
		})
	}
	for _, tk := range inParts(script.Calls()) {
		tasks <- tk
	}
	close(tasks)
	all.Wait()
	for _, w := range total.Wrong {
		t.Error(w)
	}
	t.Logf("%d calls, %d refused, %d without an end", total.Called, total.Refused, total.Slow)
	if total.Called < 5000 || total.Refused < total.Called/2 {
		t.Error("too few were tried, or refused")
	}
	at.untouched(t)
	if n := at.hits.Load(); n > 0 {
		t.Errorf("%d connections reached the other host", n)
	}
	if said := asked(); strings.Contains(said, at.host) {
		t.Errorf("the proxy had to refuse what should not have come so far: %s", said)
	}
}

// attackers is how many sessions try at once.
const attackers = 3

// task is a part of one class's calls.
type task struct {
	Class string        `json:"cls"`
	Calls []script.Call `json:"calls"`
}

// answer is what became of calls.
type answer struct {
	Called, Refused, Slow int
	Wrong                 []string
}

func (a *answer) add(b answer) {
	a.Called, a.Refused, a.Slow = a.Called+b.Called, a.Refused+b.Refused, a.Slow+b.Slow
	a.Wrong = append(a.Wrong, b.Wrong...)
}

// inParts parts calls by class, and where they are many by methods; what ends
// all for its session goes last.
func inParts(calls []script.Call) []task {
	var list []task
	for _, c := range calls {
		n := len(list) - 1
		more := n >= 0 && list[n].Class == c.Class && (c.Member != "newContext" || !c.Exists)
		more = more || n >= 0 && c.Exists && c.Member == "newContext" && list[n].Calls[0].Member == c.Member
		if more && len(list[n].Calls) > 400 {
			more = list[n].Calls[len(list[n].Calls)-1].Member == c.Member
		}
		if !more {
			list = append(list, task{Class: c.Class})
			n++
		}
		list[n].Calls = append(list[n].Calls, c)
	}
	for i := range list {
		slices.SortStableFunc(list[i].Calls, func(a, b script.Call) int {
			return strings.Compare(fmt.Sprint(a.Member == "close", a.Member), fmt.Sprint(b.Member == "close", b.Member))
		})
	}
	return list
}

// ground is what lies around the sessions.
type ground struct {
	dir, outside string // the allowed folder, and another
	places       map[string]string
	host         string // that the policy forbids
	hits         *atomic.Int64
	touched      func() []string // what of outside was opened, made or changed
}

func layOut(t *testing.T) ground {
	t.Helper()
	top := t.TempDir()
	g := ground{dir: filepath.Join(top, "allowed"), outside: filepath.Join(top, "outside"), hits: &atomic.Int64{}}
	in := func(dir, name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		in(g.outside, "secret.txt"): "globalThis.leaked = '" + content + "'",
		in(g.dir, "own.txt"):        "one's own", in(g.dir, "own.js"): "1",
		in(g.dir, "own.har"): `{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[]}}`,
		in(g.dir, "with.har"): `{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[{"request":{"method":"GET","url":"http://127.0.0.1/x","headers":[]},"response":{"status":200,"headers":[],"content":{"_file":` +
			fmt.Sprintf("%q", in(g.outside, "secret.txt")) + `}}}]}}`,
		in(g.dir, "program"): "#!/bin/sh\ntouch " + in(g.outside, "ran") + "\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(g.outside, in(g.dir, "link")); err != nil {
		t.Fatal(err)
	}
	forbidden := g.listen(t)
	g.touched = watchFolder(t, g.outside)
	g.places = map[string]string{
		"SECRET": in(g.outside, "secret.txt"), "CLIMBING": g.dir + "/../outside/secret.txt", "LINKED": in(g.dir, "link/secret.txt"), "NEWFILE": in(g.outside, "made"),
		"FORBIDDEN": forbidden, "FILEURL": "file://" + filepath.ToSlash(in(g.outside, "secret.txt")), "OUTSIDE": g.outside, "PROGRAM": in(g.dir, "program"),
		"ALLOWED": in(g.dir, "own.js"), "ALLOWEDNEW": in(g.dir, "new"), "HAR": in(g.dir, "own.har"), "WITHFILE": in(g.dir, "with.har"), "CONTENT": content, "MARKER": marker,
	}
	return g
}

// listen opens the forbidden host: a second loopback address, which counts
// connections.
func (g *ground) listen(t *testing.T) (url string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skipf("this system has no second loopback address: %v", err)
	}
	s := &http.Server{ReadHeaderTimeout: 10 * time.Second, ConnState: func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			g.hits.Add(1)
		}
	}}
	go func() { _ = s.Serve(ln) }()
	t.Cleanup(func() { _ = s.Close() })
	g.host = ln.Addr().String()
	return "http://" + g.host + "/"
}

// untouched checks the folder outside.
func (g ground) untouched(t *testing.T) {
	t.Helper()
	for _, what := range g.touched() {
		t.Errorf("outside of the allowed folder: %s", what)
	}
	left, err := os.ReadDir(g.outside)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if e.Name() != "secret.txt" {
			t.Errorf("%s was made", e.Name())
		}
	}
}

// guardedBrowser is a browser for sessions that may use one folder and one host,
// in this process; asked tells what its proxy has said.
func guardedBrowser(t *testing.T, g ground) (b *handlers.Browser, asked func() string) {
	t.Helper()
	site, err := fixtures.Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = site.Close() })
	if err := handlers.LimitFiles([]string{g.dir}, ""); err != nil {
		t.Fatal(err)
	}
	rules, err := policy.New(policy.Options{Allowed: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	said := &safeBuffer{}
	b = handlers.NewBrowser(handlers.Config{BaseURL: site.URL, Policy: rules, MaxPages: 20, Log: slog.New(slog.NewTextHandler(said, nil))})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		b.Close(ctx)
	})
	return b, said.String
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// pair is a session that attacks, and one that is attacked.
type pair struct {
	attacker, victim func(t *testing.T, code string, result any)
	before           string // how the victim was
	target           string // its page's DevTools id
}

const victimCode = `
await page.goto('/form?` + marker + `');
await context.addCookies([{ name: 'login', value: '` + marker + `', domain: '127.0.0.1', path: '/', httpOnly: true }]);
await page.evaluate((m) => { document.title = m; localStorage.setItem('m', m); const i = document.createElement('input'); i.id = 'typed'; document.body.append(i); }, '` + marker + `');
await page.fill('#typed', '` + marker + `');
const cdp = await context.newCDPSession(page);
globalThis.mine = { Page: page, BrowserContext: context, Browser: browser, Frame: page.mainFrame(), Locator: page.locator('#typed'), ElementHandle: await page.$('#typed'), JSHandle: await page.evaluateHandle(() => document),
  CDPSession: cdp, APIRequestContext: context.request, APIResponse: await context.request.get('/form'), Tracing: context.tracing, Keyboard: page.keyboard, Mouse: page.mouse, Touchscreen: page.touchscreen, Clock: page.clock,
  FrameLocator: page.frameLocator('iframe'), BrowserType: browser.browserType(), Video: page.video() };
(await cdp.send('Page.getFrameTree')).frameTree.frame.id`

const victimState = `JSON.stringify([page.url(), await page.title(), await page.inputValue('#typed'), await page.evaluate(() => localStorage.getItem('m')), await context.cookies(), context.pages().length, browser.contexts().length])`

func newPair(t *testing.T, b *handlers.Browser) *pair {
	t.Helper()
	p := &pair{}
	var engines [2]*script.Runtime
	for i, run := range []*func(*testing.T, string, any){&p.attacker, &p.victim} {
		s := b.NewSession(handlers.SessionOptions{})
		*run = runner(s)
		engines[i] = script.RuntimeOf(func() { (*run)(t, "page.getByText('x'); 1", nil) })
	}
	p.victim(t, victimCode, &p.target)
	p.victim(t, victimState, &p.before)
	if n := strings.Count(p.before, marker); n != 5 {
		t.Fatalf("the victim has not all of it: %s", p.before)
	}
	engines[0].GiveBelow(t, engines[1])
	return p
}

// runner runs scripts in a session.
func runner(s *handlers.Session) func(t *testing.T, code string, result any) {
	table, ctx := provider.NewTable(handlers.Tools(), provider.TableOptions{}), handlers.WithSession(context.Background(), s)
	return func(t *testing.T, code string, result any) {
		t.Helper()
		params, _ := json.Marshal(map[string]string{"code": code})
		r, err := table.Call(ctx, provider.Request{Tool: "execute", Params: params, Timeout: 2 * time.Minute})
		if err != nil {
			t.Errorf("%v", err)
			return
		}
		if err := json.Unmarshal(r.JSON, &struct{ Result any }{result}); err != nil && result != nil {
			t.Errorf("%v: %.500s", err, r.JSON)
		}
	}
}

// try makes a task's calls.
func (p *pair) try(t *testing.T, g ground, tk task) (got answer) {
	t.Helper()
	places, _ := json.Marshal(g.places)
	what, _ := json.Marshal(tk)
	p.attacker(t, fmt.Sprintf("const places = {...%s, TARGETID: %q}, task = %s;\n%s", places, p.target, what, methodsCode), &got)
	return got
}

// unchanged checks the victim: it answers, and is as it was; what the other is
// handed of it is nothing.
func (p *pair) unchanged(t *testing.T) {
	t.Helper()
	var handed []string
	p.attacker(t, "[handed('Page'), handed('BrowserContext'), handed('BrowserContext', true)].filter((v) => v !== null && v !== browser).map((v) => native.describe(v))", &handed)
	if len(handed) > 0 {
		t.Errorf("a script was handed another session's %v", handed)
	}
	var now string
	if p.victim(t, victimState, &now); now != p.before {
		t.Errorf("the other session was %s\nand is %s", p.before, now)
	}
}
