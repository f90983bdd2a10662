package scripts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"pwpipe/internal/pipetest"
)

// A page loads although the process of scripts hears of its context only then: the pages that
// the context had before are gone.
func TestContextWhosePagesAreGone(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestBothSidesAgree is quick")
	t.Parallel()
	p := start(t, "/form")
	pipetest.Execute(p, "1") // the process is there
	own := p.Text("new-ctx", nil)
	p.Call("close-page", []string{p.Text("new-page", []string{own})})
	q := p.Text("new-page", []string{own})
	p.Call("nav", []string{"/form"}, "page", q)
	if got := p.Call("execute", pipetest.Object{"code": "await page.title() + context.pages().length"}, "page", q); !strings.Contains(got, "Form | Skerry1") {
		t.Error(got)
	}
}

// Events of a new page are not missed: when a script gets the page, the driver,
// which saves downloads, knows it.
func TestDownloadsOfPagesThatAreNew(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestFilesUpAndDown of handlers/act is quick")
	t.Parallel()
	p := start(t, "/form")
	for range 8 {
		if got := pipetest.Execute(p, `const c = await browser.newContext(), q = await c.newPage(), begun = q.waitForEvent('download');
			await q.evaluate(() => Object.assign(document.createElement('a'), { href: 'data:text/plain,x', download: 'a.txt' }).click());
			const name = (await begun).suggestedFilename(); await c.close(); name`); got != `"a.txt"` {
			t.Fatal(got)
		}
	}
}

// When the browser dies, the running script and the clients end with an error that
// says so. The next ones get a new browser.
func TestBrowserThatDies(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestBrowserKilled of cmd/pwpipe is quick")
	t.Parallel()
	p := startOwn(t, "/form")
	pipetest.Execute(p, "state.n = 1")
	ws := dial(t, p)
	p.Request("execute", pipetest.Object{"code": "await page.evaluate(() => { document.title = 'on'; return new Promise(() => {}) })"}, "timeout", 30)
	b, err := os.FindProcess(p.Browser())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Kill(); err != nil {
		t.Fatal(err)
	}
	if r := p.Reply(); !strings.Contains(r.Error, "the browser died") {
		t.Errorf("it says %s %s", r.Result, r.Error)
	}
	readToEnd(t, ws)
	p.Call("nav", []string{"/form"})
	if got := pipetest.Execute(p, "await page.title()"); got != `"Form | Skerry"` {
		t.Error(got)
	}
	dial(t, p)
}

// A reset disconnects a session's clients. The next ones see the new state.
func TestClientsOfASessionThatIsReset(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestErrorsOfScripts is quick")
	t.Parallel()
	p := start(t, "/form")
	ws := dial(t, p)
	p.Call("reset", nil)
	readToEnd(t, ws)
	dial(t, p)
	p.Call("nav", []string{"/form"})
	if got := pipetest.Execute(p, "await page.title()"); got != `"Form | Skerry"` {
		t.Error(got)
	}
}

// readToEnd reads until pwpipe closes the connection, which must happen in time.
func readToEnd(t *testing.T, ws *websocket.Conn) {
	t.Helper()
	_ = ws.SetReadDeadline(time.Now().Add(pipetest.Patience))
	for {
		if _, _, err := ws.ReadMessage(); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("the connection is still open")
		} else if err != nil {
			return
		}
	}
}

// dial connects a DevTools client to a pipe's session.
func dial(t *testing.T, p *pipetest.Pipe) *websocket.Conn {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(pipetest.Get[struct{ URL string }](p, "session.cdp", nil).URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	if err := ws.WriteJSON(pipetest.Object{"id": 1, "method": "Browser.getVersion"}); err != nil {
		t.Fatal(err)
	}
	if _, m, err := ws.ReadMessage(); err != nil || !strings.Contains(string(m), "Chrome") {
		t.Fatalf("%s %v", m, err)
	}
	return ws
}

// Closing a session waits its turn. A script before it ends when its client
// disconnects.
func TestScriptWhoseCallerHangsUp(t *testing.T) {
	pipetest.InCIAndRace(t, "it is long, and TestErrorsOfScripts is quick")
	t.Parallel()
	dir := t.TempDir()
	svc := pipetest.StartService(t, "--allow-dir="+dir, "ALLOW_HOST_REGEX=^http://127\\.0\\.0\\.1:")
	s := svc.Open(nil)
	ctx, hangUp := context.WithCancel(t.Context())
	body, _ := json.Marshal(pipetest.Object{"jsonrpc": "2.0", "id": 1, "method": "execute", "params": s.With(pipetest.Object{"code": "require('fs').writeFileSync('" + dir + "/on', ''); for (;;);", "timeout": 600})})
	ask, err := http.NewRequestWithContext(ctx, "POST", svc.URL+"/rpc", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Content-Type", "application/json")
	ask.Header.Set("X-Api-Key", svc.Key)
	ended := make(chan error, 1)
	go func() {
		r, err := http.DefaultClient.Do(ask)
		if err == nil {
			text, _ := io.ReadAll(r.Body)
			err = fmt.Errorf("answered %s", text)
		}
		ended <- err
	}()
	pipetest.Eventually(t, "the script runs", func() bool { _, err := os.Stat(filepath.Join(dir, "on")); return err == nil })
	closed := make(chan string, 1)
	go func() { closed <- svc.Call("session.close", pipetest.Object{"session_id": s.ID}) }()
	pipetest.Eventually(t, "the session waits to be closed", func() bool { return svc.Metric("pwpipe_queue_depth") == "2" })
	hangUp()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := <-closed; got != `{"ok":true}` {
		t.Error(got)
	}
}
