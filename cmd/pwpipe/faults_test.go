//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

func driverOf(t *testing.T, p *pipetest.Pipe) int {
	return pipetest.Processes(t, p.Cmd.Process.Pid, "run-driver", "")[0]
}

// standInOf is the process that the driver takes for the browser.
func standInOf(t *testing.T, p *pipetest.Pipe) int {
	return pipetest.Processes(t, p.Cmd.Process.Pid, "pwpipe-stand-in", "")[0]
}

func browserOf(t *testing.T, p *pipetest.Pipe) int { return p.Browser() }

func gone(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(text), ") Z ")
}

// allGone waits for processes to end.
func allGone(t *testing.T, pids map[int]string) {
	t.Helper()
	for pid, cmd := range pids {
		pipetest.Eventually(t, fmt.Sprintf("process %d has ended: %s", pid, cmd), func() bool { return gone(pid) })
	}
}

// killNoticed kills a process, and waits until pwpipe has noticed: then it ends driver and browser.
func killNoticed(t *testing.T, p *pipetest.Pipe, victim int) {
	t.Helper()
	both := map[int]string{browserOf(t, p): "the browser", driverOf(t, p): "the driver"}
	if err := syscall.Kill(victim, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	allGone(t, both)
}

// TestBrowserKilled: the running request gets a clear error, the next one a new browser.
// Old handles report what happened to them.
func TestBrowserKilled(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	never, asked := pipetest.NeverAnswers(t)
	p, whole := pipetest.StartSite(t), t
	pages := 0
	next := func() string { pages++; return fmt.Sprint("page p", pages) }
	for _, c := range pipetest.Some([]struct {
		name   string
		victim func(*testing.T, *pipetest.Pipe) int
	}{{"browser", browserOf}, {"stand-in", standInOf}, {"driver", driverOf}}, 2) {
		victim := c.victim
		t.Run(c.name, func(t *testing.T) {
			p.T = t
			defer func() { p.T = whole }()
			p.Call("nav", []any{"/login"})
			was := next()
			before := pipetest.Descendants(t, p.Cmd.Process.Pid)
			p.Request("nav", []any{never})
			<-asked // the request must be running when the process dies
			if err := syscall.Kill(victim(t, p), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			if e := p.Reply().Error; !strings.Contains(e, "died") || !strings.Contains(e, "the next request gets a fresh browser") {
				t.Errorf("in flight: %q", e)
			}
			p.Call("nav", []any{"/login"})
			if got := p.Text("txt", []any{"h1"}); got != "Sign in" {
				t.Errorf("after: %q", got)
			}
			pipetest.Has(t, p.Fail("title", nil, "page", was[len("page "):]), was+" is gone: the", "open "+strings.Replace(next(), " ", "s: ", 1))
			pipetest.Has(t, p.Fail("new-page", []any{"c" + was[len("page p"):]}), "context c"+was[len("page p"):]+" is gone")
			allGone(t, before)
			// A death between requests is reported once, by the next request, a script's too.
			killNoticed(t, p, victim(t, p))
			tool, params := "nav", "/login"
			if c.name == "browser" {
				tool, params = "execute", "await page.title()"
			}
			pipetest.Has(t, p.Fail(tool, []any{params}), "died", "since the last request", "the next request gets a fresh page")
			if got := p.Text("url", nil); got != "about:blank" {
				t.Errorf("the second: %s", got)
			}
		})
	}
}

// TestOneErrorAFault: the running request names what died, as documented, on the fast
// path and by the driver. The next request gets a new browser.
func TestOneErrorAFault(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestBrowserKilled is quick")
	t.Parallel()
	p := pipetest.StartSite(t)
	never, asked := pipetest.NeverAnswers(t)
	victims := []func(*testing.T, *pipetest.Pipe) int{browserOf, driverOf, standInOf, browserOf}
	for i := range 2 * len(victims) {
		p.Call("nav", []any{"/login"})
		p.Call("eval", []any{"1"}) // opens its CDP session
		p.Request("eval", []any{"fetch('" + never + "', {mode: 'no-cors'})"})
		<-asked // it runs
		time.Sleep(time.Duration(i) * 30 * time.Millisecond)
		if err := syscall.Kill(victims[i%len(victims)](t, p), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		said := p.Reply().Error
		pipetest.Has(t, said, "died", " while the request ran; the next request gets a fresh browser")
		if got := p.Call("eval", []any{"2+2"}); got != "4" {
			t.Errorf("after %s: %s", said, got)
		}
	}
}

// TestDriverHangs: a driver that stops answering is detected at the deadline, and
// replaced.
func TestDriverHangs(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestHungPage is quick")
	t.Parallel()
	p := pipetest.StartSite(t)
	p.Call("nav", []any{"/login"})
	p.Call("timezone", []any{"UTC"}) // waits until the page's target is known
	p.Call("title", nil)             // and the first direct read until its document is
	before := pipetest.Descendants(t, p.Cmd.Process.Pid)
	if err := syscall.Kill(driverOf(t, p), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	switch r := p.Try("title", nil, "timeout", 60); {
	case strings.Contains(r.Error, "hung and was ended while the request ran"): // the browser was slow, and the driver asked
	case string(r.Result) != `"Sign in | Skerry"`: // the browser itself answers
		t.Errorf("while the driver hangs: %s %s", r.Result, r.Error)
	default:
		pipetest.Has(t, p.Fail("box", []any{"h1"}, "timeout", 1), "no answer after 1 s on p1")
		pipetest.Has(t, p.Fail("nav", []any{"/login"}), "hung and was ended since the last request")
	}
	p.Call("nav", []any{"/login"})
	if got := p.Text("txt", []any{"h1"}); got != "Sign in" {
		t.Errorf("got %q", got)
	}
	allGone(t, before)
}

// pageCrashes: a crashed renderer is noticed at once, and replaced.
func pageCrashes(t *testing.T, p *pipetest.Pipe) {
	t.Helper()
	p.Call("nav", []any{"/login"})
	p.Call("new-page", []any{"c1"})
	p.Call("nav", []any{"/form"}, "page", "p2")
	p.Request("nav", []any{"chrome://crash"}, "page", "p2")
	if r := p.Reply(); !strings.Contains(r.Error, "crash") {
		t.Errorf("nav: %+v", r)
	}
	if e := p.Fail("title", nil, "page", "p2"); !strings.Contains(e, "page p2 is gone: it crashed") {
		t.Errorf("got %q", e)
	}
}

// TestHungPage: an endless script is stopped at the deadline, and its page works again.
// Requests on other pages go on meanwhile.
func TestHungPage(t *testing.T) {
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"/hang"})
	p.Call("new-page", []any{"c1"})
	p.Call("nav", []any{"/login"}, "page", "p2")
	slow := strconv.Itoa(p.Request("eval", []any{"for (;;);"}, "timeout", 1, "page", "p1"))
	beside := strconv.Itoa(p.Request("txt", []any{"h1"}, "page", "p2", "timeout", 60))
	for range 2 {
		switch r := p.Reply(); {
		case string(r.ID) == slow && strings.Contains(r.Error, "eval: no answer after 1 s on p1"):
		case string(r.ID) == beside && string(r.Result) == `"Sign in"`:
		default:
			t.Errorf("got %+v", r)
		}
	}
	if got := p.Call("eval", []any{"6*7"}); got != "42" {
		t.Errorf("after: %s", got)
	}
	if !pipetest.Thorough() {
		return
	}
	// Again, with the evaluator already in the page.
	p.Fail("eval", []any{"for (;;);"}, "timeout", 0.4)
	if got := p.Call("eval", []any{"6*7"}); got != "42" {
		t.Errorf("after the second: %s", got)
	}
	// A script of the page, started by a click that itself succeeds.
	p.Try("click", []any{"#hang"}, "timeout", 0.7)
	p.Try("title", nil, "timeout", 0.4)
	if got := p.Call("eval", []any{"6*7"}); got != "42" {
		t.Errorf("after the page's own: %s", got)
	}
}

// TestSignals: SIGINT and SIGTERM close the browser and end the process. A page that crashed before does not.
func TestSignals(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	for _, sig := range pipetest.Some([]syscall.Signal{syscall.SIGTERM, syscall.SIGINT}, 2) {
		t.Run(sig.String(), func(t *testing.T) {
			p := pipetest.StartSite(t, "--allow-file") // allows chrome://crash, one of the browser's own pages
			pageCrashes(t, p)
			p.Request("wait", []any{"#never"}, "page", "p1")
			before := pipetest.Descendants(t, p.Cmd.Process.Pid)
			if err := p.Cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if _, status := p.Wait(); status != 128+int(sig) {
				t.Errorf("status %d", status)
			}
			allGone(t, before)
		})
	}
}

// TestKillNine: kill -9 leaves no browser and no Node process, nor while these start.
func TestKillNine(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	for name, least := range map[string]int{"at its first process": 1, "when all have started": 3} {
		t.Run(name, func(t *testing.T) {
			p := pipetest.StartSite(t)
			if least > 1 {
				mcpCancel(t, p)
			}
			p.Request("nav", []any{"/login"})
			var before map[int]string
			pipetest.Eventually(t, "its processes run", func() bool {
				before = pipetest.Descendants(t, p.Cmd.Process.Pid)
				return len(before) >= least
			})
			if err := p.Cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			p.Wait()
			allGone(t, before)
		})
	}
}

// TestParentGone: if the reader of stdout is gone, pwpipe ends with its browser, even if
// stdin stays open.
func TestParentGone(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(pipetest.Binary(t), "--base-url", pipetest.Site(t))
	cmd.Stdout = out
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	fmt.Fprintln(stdin, `{"id":1,"method":"nav","params":["/login"]}`)
	buf := make([]byte, 100)
	if n, _ := in.Read(buf); !strings.HasPrefix(string(buf[:n]), `{"id":1,"result":null}`) {
		t.Fatalf("got %q", buf[:n])
	}
	before := pipetest.Descendants(t, cmd.Process.Pid)
	fmt.Fprintln(stdin, `{"id":2,"method":"wait","params":["#never"],"timeout":3600}`)
	in.Close()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(pipetest.Patience):
		_ = cmd.Process.Kill()
		t.Fatal("pwpipe goes on without a reader")
	}
	allGone(t, before)
}

// TestEnvironment: whatever it contains, stdout has only replies, and neither the driver
// nor the browser sees the caller's secrets.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(pipetest.Binary(t), "--base-url", pipetest.Site(t))
	cmd.Env = append(os.Environ(), "DEBUGP=1", "DEBUG=pw:*", "PWDEBUG=1", "NODE_OPTIONS=--trace-warnings --title=secret-title",
		"API_KEY=s3cr3t-value", "AWS_SECRET_ACCESS_KEY=s3cr3t-value", "PWPIPE_LOG_LEVEL=debug", "NODE_DEBUG=net,stream", "PLAYWRIGHT_DRIVER_PATH=/nowhere")
	p := pipetest.StartCmd(t, cmd)
	p.Call("nav", []any{"/login"})
	own, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", cmd.Process.Pid))
	for pid, cmdline := range pipetest.Descendants(t, cmd.Process.Pid) {
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if now, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err != nil || string(now) == string(own) {
			continue // it has ended, or is a copy of pwpipe that is just becoming another program
		}
		for _, bad := range []string{"s3cr3t", "NODE_OPTIONS", "PWDEBUG", "DEBUG="} {
			if strings.Contains(string(env), bad) {
				t.Errorf("%.60s has %s in its environment", cmdline, bad)
			}
		}
	}
	rest, status := p.Close()
	if said := p.Stderr(); rest != "" || status != 0 || strings.Contains(said, "SEND>") {
		t.Errorf("left on stdout: %q, status %d, stderr %.200s", rest, status, said)
	}
}

// TestEndOfInput: every request that was read is answered, whatever the browser's state.
// The status is 0 even if requests failed.
func TestEndOfInput(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	site := pipetest.Site(t)
	var in strings.Builder
	for i := range 30 {
		switch i % 3 {
		case 0:
			fmt.Fprintf(&in, `{"id":%d,"method":"nav","params":["/login"]}`+"\n", i)
		case 1:
			fmt.Fprintf(&in, `{"id":%d,"method":"txt","params":["h1"]}`+"\n", i)
		default:
			fmt.Fprintf(&in, `{"id":%d,"method":"nope"}`+"\n", i)
		}
	}
	stdout, _, status := pipetest.Run(t, strings.TrimSuffix(in.String(), "\n"), "--base-url", site)
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if len(lines) != 30 || status != 0 {
		t.Fatalf("%d lines, status %d", len(lines), status)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, fmt.Sprintf(`{"id":%d,`, i)) {
			t.Errorf("line %d: %s", i, line)
		}
	}
	stdout, _, status = pipetest.Run(t, in.String(), "--base-url", site, "--strict")
	if want := "{\"id\":0,\"result\":null}\n{\"id\":1,\"result\":\"Sign in\"}\n{\"id\":2,\"error\":\"unknown method: nope\"}\n"; stdout != want || status != 1 {
		t.Errorf("strict: status %d, %q", status, stdout)
	}
}

// TestCancelledClickDoesNotHappen: a cancelled action does not happen later.
func TestCancelledClickDoesNotHappen(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"/form"})
	p.Call("eval", []any{"document.addEventListener('click', e => { if (e.target.id === 'soon') window.clicked = true }); window.clicked = false"})
	id := p.Request("click", []any{"#soon"})
	time.Sleep(300 * time.Millisecond)
	cancel := p.Request("cancel", map[string]any{"id": id})
	for range 2 {
		r := p.Reply()
		switch string(r.ID) {
		case strconv.Itoa(id):
			if r.Error != "click: cancelled" {
				t.Errorf("got %+v", r)
			}
		case strconv.Itoa(cancel):
			if string(r.Result) != "true" {
				t.Errorf("got %+v", r)
			}
		}
	}
	p.Call("eval", []any{"document.body.insertAdjacentHTML('afterbegin', '<button id=soon>soon</button>')"})
	p.Call("eval", []any{"new Promise(r => setTimeout(r, 1500))"})
	if got := p.Call("eval", []any{"window.clicked"}); got != "false" {
		t.Error("the cancelled click happened")
	}
}

// TestPagesBesideEachOther: waiting on one page does not block another, and a cancelled
// navigation leaves its page usable.
func TestPagesBesideEachOther(t *testing.T) {
	pipetest.UnderRace(t)
	t.Parallel()
	p := pipetest.Shared(t)
	p.Call("nav", []any{"/login"})
	p.Call("new-page", []any{"c1"})
	waiting := p.Request("nav", []any{"/never/doc"}, "page", "p2")
	for range 3 {
		p.Call("title", nil, "page", "p1")
	}
	p.Request("cancel", []any{waiting})
	var ids []string
	for range 2 {
		ids = append(ids, string(p.Reply().ID))
	}
	if !strings.Contains(strings.Join(ids, " "), strconv.Itoa(waiting)) {
		t.Errorf("answered %v", ids)
	}
	p.Call("nav", []any{"/form"}, "page", "p2")
	if got := p.Text("url", nil, "page", "p2"); !strings.HasSuffix(got, "/form") {
		t.Errorf("got %s", got)
	}
}

// TestLargeReplies: megabytes arrive complete in both directions.
func TestLargeReplies(t *testing.T) {
	pipetest.InCI(t, "it waits for megabytes")
	t.Parallel()
	p := pipetest.Shared(t)
	text := strings.Repeat("ü<&>\"\\ ", 500_000)
	raw, _ := json.Marshal("() => " + strconv.Quote("x") + "; " + mustJSON(text))
	var got string
	if err := json.Unmarshal([]byte(p.Call("eval", []any{json.RawMessage(raw)}, "timeout", pipetest.Patience.Seconds())), &got); err != nil || got != text {
		t.Errorf("%d bytes came back, %d went: %v", len(got), len(text), err)
	}
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
