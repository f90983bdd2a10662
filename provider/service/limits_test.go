package service_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// renderers counts a service's renderer processes.
func renderers(t *testing.T, pid int) (n int) {
	t.Helper()
	for _, command := range pipetest.Descendants(t, pid) {
		if strings.Contains(command, "--type=renderer") {
			n++
		}
	}
	return n
}

// silentServer accepts connections and never answers.
func silentServer(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = c.Close() })
		}
	}()
	return "http://" + l.Addr().String() + "/"
}

// TestMaxPages: the limit on a session's pages holds, whoever opens them.
func TestMaxPages(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestLimits is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "MAX_PAGES=4")
	before := renderers(t, svc.PID())
	s, other := svc.Open(nil), svc.Open(nil)
	s.On("page.goto", m{"url": "/"})
	limit := func(msg string) {
		t.Helper()
		if !strings.Contains(msg, "over a limit") || !strings.Contains(msg, "the session has 4 pages") || !strings.Contains(msg, "close-page") {
			t.Errorf("the error does not say which limit, and what to do: %s", msg)
		}
	}
	s.On("new-page", m{"ctx": "c1"})
	s.On("new-page", m{"ctx": "c1"})
	s.On("open-ctx", nil)
	s.Execute(`await browser.contexts()[1].newPage(); 1`, nil)
	limit(s.Refuse(-32006, "new-page", m{"ctx": "c2"}))
	limit(s.Refuse(-32006, "execute", m{"code": "await context.newPage()"}))
	limit(s.Refuse(-32006, "execute", m{"code": "await browser.newPage()"}))
	limit(s.Refuse(-32006, "execute", m{"code": "await Promise.all([1, 2, 3].map(() => context.newPage()))"}))
	limit(s.Refuse(-32006, "page.evaluate", m{"expression": "void window.open('about:blank')"}))
	limit(s.On("playwright_browser", m{"action": "launch"}))
	pipetest.Eventually(t, "the page that was one too many is gone", func() bool { return len(s.Pages()) == 4 })
	for range 3 {
		other.On("new-page", m{"ctx": "c1"}) // another session has its own limit
	}
	for _, p := range s.Pages()[1:] {
		s.On("close-page", m{"pid": p})
	}
	s.On("new-page", m{"ctx": "c1"})
	s.On("close-page", m{"pid": s.Pages()[1]})
	for name, open := range map[string]string{
		"pop-ups":                        `() => { for (let i = 0; i < 12; i++) window.open('about:blank') }`,
		"pop-ups that nothing connects":  `() => { for (let i = 0; i < 12; i++) window.open('about:blank', '_blank', 'noopener') }`,
		"pop-ups that no server answers": `() => { for (let i = 0; i < 12; i++) window.open('` + silentServer(t) + `' + i) }`,
	} {
		s := svc.Open(nil)
		s.On("page.goto", m{"url": "/"})
		limit(s.Refuse(-32006, "page.evaluate", m{"expression": open, "timeout": 60000}))
		pipetest.Eventually(t, name+": no more processes than pages", func() bool { return renderers(t, svc.PID()) <= before+1+4+4+1 })
		pipetest.Eventually(t, name+": no more than may be", func() bool { return len(s.Pages()) <= 4 })
		s.On("page.evaluate", m{"expression": "1"}) // the opener goes on
		s.On("session.close", nil)
		pipetest.Eventually(t, name+": the processes end", func() bool { return renderers(t, svc.PID()) <= before+1+4+1 })
	}
}

// TestScriptContexts: contexts that a script opens have handles, count, and are
// closed with the session.
func TestScriptContexts(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestLimits and TestGracefulStop are quick")
	t.Parallel()
	svc := pipetest.StartService(t, "MAX_CONTEXTS=4")
	s := svc.Open(nil)
	var own struct {
		Contexts, Same, Agent any
	}
	s.Execute(`const c = await browser.newContext({ userAgent: 'lamp' }), p = await c.newPage();
		await p.goto('/login');
		({ contexts: browser.contexts().length, same: p.context().browser() === browser && context.browser() === browser, agent: await p.evaluate(() => navigator.userAgent) })`, &own)
	if own.Contexts != 2.0 || own.Same != true || own.Agent != "lamp" {
		t.Errorf("a context of a script: %+v", own)
	}
	if got := s.On("txt", m{"sel": "h1", "page": "p2"}); got != `"Sign in"` {
		t.Errorf("its page by its handle: %s", got)
	}
	s.On("new-page", m{"ctx": "c2"})
	if msg := s.Refuse(-32006, "execute", m{"code": "for (;;) await browser.newContext()"}); !strings.Contains(msg, "all 4 browser contexts are in use") {
		t.Errorf("contexts without end: %s", msg)
	}
	if said := s.On("playwright_browser", m{"action": "launch"}); !strings.Contains(said, "all 4 browser contexts are in use") {
		t.Errorf("a browser beside them: %s", said)
	}
	if n := svc.Metric("pwpipe_browser_contexts"); n != "4" {
		t.Errorf("%s contexts are counted, want 4", n)
	}
	s.On("session.close", nil)
	pipetest.Eventually(t, "no context is left of a session that was closed", func() bool { return svc.Metric("pwpipe_browser_contexts") == "0" })

	// After the session is closed, neither leftover code of a script nor a
	// running script that ignores errors opens anything.
	s = svc.Open(nil)
	s.Execute(`context.on('close', async () => { for (;;) { try { await (await browser.newContext()).newPage(); } catch { await page.waitForTimeout(1).catch(() => {}) } } }); 1`, nil)
	ended := make(chan pipetest.RPCReply, 1)
	go func() {
		ended <- s.Try("execute", s.With(m{"timeout": 10, "code": `for (;;) { try { const c = await browser.newContext(); await c.newPage(); await c.close(); } catch {} }`}))
	}()
	pipetest.Eventually(t, "the script opens contexts", func() bool { return svc.Metric("pwpipe_browser_contexts") == "2" })
	s.On("session.close", nil)
	if r := <-ended; r.Error == nil {
		t.Errorf("the script ended with %s", r.Result)
	}
	other := svc.Open(nil)
	other.On("session.close", nil)
	pipetest.Eventually(t, "no context is left", func() bool { return svc.Metric("pwpipe_browser_contexts") == "0" })
}

// TestScriptClosesBrowser: browser.close() in a script closes its session's only.
func TestScriptClosesBrowser(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestBothSidesAgree of features/scripts is quick")
	t.Parallel()
	svc := pipetest.SharedService(t)
	s, other := svc.Open(nil), svc.Open(nil)
	other.On("page.goto", m{"url": "/login"})
	s.On("new-ctx", nil)
	var said []any
	s.Execute(`const seen = []; browser.on('disconnected', (b) => seen.push(b === browser));
		await browser.close(); await browser.close();
		[...seen, browser.isConnected(), browser.contexts().length, await browser.newContext().catch((e) => e.message)]`, &said)
	if len(said) != 4 || said[0] != true || said[1] != false || said[2] != 0.0 || !strings.Contains(fmt.Sprint(said[3]), "closed") {
		t.Errorf("after browser.close: %v", said)
	}
	if got := other.On("txt", m{"sel": "h1"}); got != `"Sign in"` {
		t.Errorf("the other session's page: %s", got)
	}
	if msg := s.Refuse(-32002, "title", m{"page": "p1"}); !strings.Contains(msg, "page p1 is gone: a script closed the browser") {
		t.Error(msg)
	}
	s.On("page.goto", m{"url": "/login"})
	if got := s.On("txt", m{"sel": "h1"}); got != `"Sign in"` {
		t.Errorf("the next request: %s", got)
	}
	s.Execute(`[browser.isConnected(), browser.contexts().length]`, &said)
	if fmt.Sprint(said) != "[true 1]" {
		t.Errorf("the next script's browser: %v", said)
	}
	if n := svc.Metric("pwpipe_browser_restarts_total"); n != "0" {
		t.Errorf("the browser was started again %s times", n)
	}
}
