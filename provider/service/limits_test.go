package service_test

import (
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

// TestMaxPages: the limit on a session's pages holds for pop-ups too. The transcript "limits" has the other ways.
func TestMaxPages(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestLimits is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "MAX_PAGES=4")
	before := renderers(t, svc.PID())
	limit := func(msg string) {
		t.Helper()
		if !strings.Contains(msg, "over a limit") || !strings.Contains(msg, "the session has 4 pages") || !strings.Contains(msg, "close-page") {
			t.Errorf("the error does not say which limit, and what to do: %s", msg)
		}
	}
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

// TestScriptContexts: contexts that a script opens are closed with the session. The
// transcript "limits" has the rest.
func TestScriptContexts(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestLimits and TestGracefulStop are quick")
	t.Parallel()
	svc := pipetest.StartService(t, "MAX_CONTEXTS=4")
	// After the session is closed, neither leftover code of a script nor a
	// running script that ignores errors opens anything.
	s := svc.Open(nil)
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
