//go:build evidence

// Package hostile lets pages try to make pwpipe grow: the real binary and a real browser,
// with bounds on the memory of pwpipe and the driver.
package hostile

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// Bounds on a process's peak memory, in MiB. Without a hostile page the peaks are about 40
// and 60. Before there were budgets these attacks took 4,300 and 1,500. The peaks vary with
// the times of garbage collections: 40 to 240 and 60 to 270 when last measured.
const (
	maxOwn    = 350
	maxDriver = 450
)

// attacks are bodies of async functions. N is the number of repetitions.
var attacks = []struct{ name, script string }{
	{"large bodies", `for (let i = 0; i < N / 5; i++) await fetch('/sink', {method: 'POST', body: 'x'.repeat(30 << 20)})`},
	{"many bodies", `for (let i = 0; i < N; i++) await fetch('/sink', {method: 'POST', body: 'x'.repeat(1 << 20)})`},
	{"console", `for (let i = 0; i < N; i++) { console.log('y'.repeat(2 << 20) + i); await new Promise(f => setTimeout(f)) }`},
	{"console at once", `const s = 'y'.repeat(2 << 20); for (let i = 0; i < N; i++) console.warn(s, i)`},
	{"objects", `for (let i = 0; i < 50 * N; i++) console.log({a: 'z'.repeat(1000), i}, [i])`},
	{"errors", `for (let i = 0; i < N; i++) { setTimeout(() => { throw new Error('e'.repeat(2 << 20)) }); await new Promise(f => setTimeout(f)) }`},
	{"frames", `const w = new WebSocket('ws://' + location.host + '/ws');
		await new Promise(f => w.onopen = f);
		for (let i = 0; i < N / 4; i++) { w.send('f'.repeat(10 << 20)); while (w.bufferedAmount) await new Promise(f => setTimeout(f, 5)) }
		w.close()`},
	{"answers", `for (let i = 0; i < N; i++) await (await fetch('/large?' + i)).text()`},
	{"addresses", `for (let i = 0; i < N; i++) await fetch('/sink?' + 'q'.repeat(1 << 20)).catch(() => {})`},
}

// TestPagesCannotGrow: whatever a page sends, pwpipe and the driver stay within bounds,
// the browser stays, and the next request is answered.
func TestPagesCannotGrow(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestTooLongMessages of internal/browser/cdp is quick")
	p, driver := start(t)
	browser := p.Browser()
	n := 20
	if pipetest.Thorough() {
		n = 80
	}
	for _, a := range attacks {
		watched(p, driver, a.name, func() {
			p.Call("eval", pipetest.List(fmt.Sprintf("(async () => { const N = %d; %s })()", n, a.script)), "timeout", 200)
			p.Call("eval", pipetest.List("1 + 1"), "timeout", 30)
		})
		if p.Browser() != browser {
			t.Fatalf("%s: the browser was replaced", a.name)
		}
	}
}

// TestLargeValues: a value that is too large is an error that names the bound. No process
// holds it, however the page returns it.
func TestLargeValues(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestTooLongMessages of internal/browser/cdp is quick")
	p, driver := start(t)
	const limit = "33554432 characters"
	for _, c := range []struct{ method, param, says string }{
		{"eval", `'v'.repeat(300e6)`, limit},
		{"eval", `Array(30).fill('v'.repeat(1e7))`, limit},
		{"eval", `Array(300).fill({['k'.repeat(1e6)]: 1})`, limit},
		{"eval", `'"'.repeat(30e6)`, limit},
		{"eval", `Promise.resolve({a: {b: ['v'.repeat(300e6)]}})`, limit},
		{"eval", `(JSON.stringify = null, '\u0001'.repeat(12e6))`, limit},
		{"eval", `(() => { throw new Error('v'.repeat(150e6)) })()`, "a message of "},
	} {
		watched(p, driver, c.param, func() { p.Complains(c.says, c.method, pipetest.List(c.param), "timeout", 60) })
	}
	if got := len(p.Text("eval", pipetest.List(`'v'.repeat(30e6)`), "timeout", 60)); got != 30e6 {
		t.Errorf("a value within the bound has %d characters", got)
	}
}

// TestGlobs: a page's URLs hang nobody who matches them against a user's pattern.
func TestGlobs(t *testing.T) {
	pipetest.InCI(t, "it is long, and the tests of internal/policy/urlglob are quick")
	p, driver := start(t)
	p.Call("route", pipetest.List(strings.Repeat("**/", 14)+"zz", `{"status": 404}`))
	watched(p, driver, "globs", func() {
		got := p.Call("eval", pipetest.List(`(async () => {
			let n = 0;
			for (let i = 0; i < 20; i++) n += (await fetch('/sink' + '/'.repeat(60 + i))).status;
			return n;
		})()`), "timeout", 60)
		if got != "4000" {
			t.Errorf("the statuses come to %s", got)
		}
	})
}

// TestWhatIsKept: the bounds leave what people need: 5,000 console lines of a page,
// whatever else happens, and bodies of a usual size.
func TestWhatIsKept(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestTooLongMessages of internal/browser/cdp is quick")
	p, _ := start(t)
	p.Call("eval", pipetest.List(`(async () => {
		for (let i = 0; i < 6000; i++) console.log('line', i, {i});
		for (let i = 0; i < 1200; i++) await fetch('/sink');
		await fetch('/sink?small', {method: 'POST', body: 'b'.repeat(100000)});
		await fetch('/sink?huge', {method: 'POST', body: 'b'.repeat(5 << 20)});
	})()`), "timeout", 60)
	got := pipetest.Execute(p, `const l = await getLatestLogs({count: 10000}); [l.length, l[0], l.at(-1)]`)
	if want := `[5000,"[log] line 1000 {i: 1000}","[log] line 5999 {i: 5999}"]`; got != want {
		t.Errorf("the console: %s, want %s", got, want)
	}
	for url, want := range map[string]int{"?small": 100000, "?huge": 0} {
		list := pipetest.Get[[]struct{ Request int }](p, "requests", pipetest.Object{"url": url})
		if len(list) != 1 {
			t.Fatalf("%s: %v", url, list)
		}
		d := pipetest.Get[struct{ Body, NoBody string }](p, "request", pipetest.List(list[0].Request))
		if len(d.Body) != want || (d.NoBody == "") != (want > 0) {
			t.Errorf("%s: a body of %d, want %d; %q", url, len(d.Body), want, d.NoBody)
		}
	}
}

// watched runs an attack and measures its memory.
func watched(p *pipetest.Pipe, driver int, name string, do func()) {
	p.T.Helper()
	own := p.Cmd.Process.Pid
	reset(own)
	reset(driver)
	do()
	took, drivers := peak(own), peak(driver)
	p.T.Logf("%.60s: %.0f MiB, the driver %.0f", name, took, drivers)
	if took > maxOwn && !pipetest.Race {
		p.T.Errorf("%.60s: pwpipe took %.0f MiB, want %d at most", name, took, maxOwn)
	}
	if drivers == 0 || drivers > maxDriver {
		p.T.Errorf("%.60s: the driver took %.0f MiB, want %d at most", name, drivers, maxDriver)
	}
}

// start starts a pwpipe with a page of a server that accepts any data, and returns the
// driver's process.
func start(t *testing.T) (*pipetest.Pipe, int) {
	large := strings.Repeat("l", 5<<20)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ws":
			swallow(w, r)
		case "/large":
			_, _ = io.WriteString(w, large)
		default:
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<!doctype html><title>hostile</title><body>here")
		}
	}))
	t.Cleanup(server.Close)
	p := pipetest.Start(t)
	p.Call("nav", pipetest.List(server.URL+"/"))
	return p, pipetest.Processes(t, p.Cmd.Process.Pid, "run-driver", "")[0]
}

// swallow reads the messages of a WebSocket.
func swallow(w http.ResponseWriter, r *http.Request) {
	c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer c.Close()
	for {
		if _, _, err := c.ReadMessage(); err != nil {
			return
		}
	}
}

// reset makes the kernel forget a process's peak memory.
func reset(pid int) { _ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0) }

// peak is a process's peak memory, in MiB.
func peak(pid int) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmHWM:" {
			kib, _ := strconv.ParseFloat(f[1], 64)
			return kib / 1024
		}
	}
	return 0
}
