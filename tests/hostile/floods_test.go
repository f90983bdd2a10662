//go:build evidence

package hostile

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"pwpipe/internal/pipetest"
)

// floods are scripts that go on by themselves. They call done once it is a flood, unless their page
// was closed before. Of some it always is, as the browser would do nothing else. What the page calls
// as told is a function that a script of its session has exposed.
var floods = []struct {
	name, script string
	closes       bool
}{
	{"calls of a function", `setInterval(() => { for (let i = 0; i < 2000; i++) told('x') }, 0)`, true},
	{"long calls of a function", `const t = 'x'.repeat(1 << 20); setInterval(() => { for (let i = 0; i < 20; i++) told(t) }, 0)`, true},
	{"addresses of documents", `let n = 0; setInterval(() => { for (let i = 0; i < 150; i++) history.pushState(0, '', '?' + n++) }, 0)`, true},
	{"copies", `let n = 0; const detail = 'x'.repeat(1 << 20);
		setInterval(() => { for (let i = 0; i < 50; i++) dispatchEvent(new CustomEvent('pwpipecopied', {detail})); ++n == 100 && done() }, 0)`, false},
	{"frames of long addresses", `const t = 'data:text/html,' + 'x'.repeat(2 << 20); let n = 0; setInterval(() => {
		if (++n > 100) return done();
		const f = document.createElement('iframe'); f.src = t; document.body.append(f);
		if (document.querySelectorAll('iframe').length > 20) document.querySelector('iframe').remove() }, 5)`, false},
	{"short lines", `setInterval(() => { for (let i = 0; i < 2000; i++) console.log(i) }, 0)`, true},
	{"lines of workers", `const b = URL.createObjectURL(new Blob(['setInterval(() => { for (let i = 0; i < 2000; i++) console.log(i) }, 0)']));
		for (let i = 0; i < 4; i++) new Worker(b)`, true},
	{"posts", `let n = 0; setInterval(() => { fetch('/sink', {method: 'POST', body: 'x'.repeat(900000)}).then(() => ++n == 60 && done()) }, 5)`, false},
	{"refused requests", `let n = 0; setInterval(() => {
		for (let i = 0; i < 20; i++) fetch('http://127.0.0.1:9/' + 'q'.repeat(50000) + i).catch(() => ++n == 1000 && done()) }, 5)`, false},
	{"names of frames", `let n = 0; setInterval(() => { if (++n > 20) return done();
		const f = document.createElement('iframe'); f.name = 'n'.repeat(2 << 20) + n; document.body.append(f) }, 10)`, false},
	{"sent messages", `const w = new WebSocket('ws://' + location.host + '/ws'); let n = 0;
		w.onopen = () => setInterval(() => { if (w.bufferedAmount < 30e6) w.send('m'.repeat(1 << 20)), ++n == 200 && done() }, 1)`, false},
	{"downloads", `for (let i = 0; i < 3; i++) { const a = document.createElement('a');
		a.href = 'data:application/octet-stream,' + 'x'.repeat(30 << 20); a.download = 'f' + i; a.click() } setTimeout(done, 1000)`, false},
}

// TestFloodsCostTheirSession: whatever a page makes the browser send, another session reads its
// page all the time, the browser stays, and pwpipe and the driver stay within bounds. A page that
// sends more than can be handled is closed, and its session hears why.
func TestFloodsCostTheirSession(t *testing.T) {
	pipetest.InCI(t, "the step hostile runs it, with nothing beside it")
	s := pipetest.StartService(t)
	var done atomic.Value // the path by which the last flood said so
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ws" {
			swallow(w, r)
			return
		}
		if strings.HasPrefix(r.URL.Path, "/done/") {
			done.Store(r.URL.Path)
		}
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>flood</title><body><p>calm"))
	}))
	t.Cleanup(server.Close)
	calm := s.Open(nil)
	calm.On("nav", map[string]any{"url": server.URL + "/"})
	calm.On("eval", map[string]any{"code": "window.mark = 7"})
	driver := pipetest.Processes(t, s.PID(), "run-driver", "")[0]
	for i, f := range floods {
		path := fmt.Sprint("/done/", i) // a flood that has been closed may still have said that it is done
		isDone := func() bool { return done.Load() == path }
		t.Run(f.name, func(t *testing.T) {
			reset(s.PID())
			reset(driver)
			own := s.Open(nil)
			own.On("nav", map[string]any{"url": server.URL + "/"})
			if strings.Contains(f.script, "told(") {
				own.Execute("await page.exposeFunction('told', () => 1)", new(any))
			}
			own.On("eval", map[string]any{"code": "const done = () => fetch('" + path + "'); setTimeout(() => {" + f.script + "}) && 1"})
			pipetest.Eventually(t, "the flood does what it does", func() bool {
				for range 20 {
					if got := calm.On("txt", map[string]any{"sel": "p", "timeout": 60}); got != `"calm"` {
						t.Errorf("another session reads %s", got)
					}
				}
				if isDone() {
					return !f.closes
				}
				r := own.Try("txt", own.With(map[string]any{"sel": "p", "timeout": 60}))
				return r.Error != nil && strings.Contains(r.Error.Message, "more (console lines, requests, …) than can be handled")
			})
			if !isDone() {
				own.On("nav", map[string]any{"url": server.URL + "/", "timeout": 60}) // the session goes on
			}
			s.Call("session.close", own.With(nil))
			if got := calm.On("eval", map[string]any{"code": "window.mark", "timeout": 60}); got != "7" {
				t.Errorf("the other session's page is another: %s", got)
			}
			took, drivers := peak(s.PID()), peak(driver)
			t.Logf("%.0f MiB, the driver %.0f", took, drivers)
			if took > maxOwn && !pipetest.Race || drivers == 0 || drivers > maxDriver {
				t.Errorf("%.0f MiB, want %d at most; the driver %.0f, want %d at most", took, maxOwn, drivers, maxDriver)
			}
		})
	}
}
