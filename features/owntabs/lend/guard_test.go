package lend

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gorilla/websocket"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/pipetest"
)

// TestNoCodeInThePersonsPages: what an agent has set up in its tab does not work in a page that is
// the person's, and the agent does not hear where that is. history.back() takes a lent tab there.
func TestNoCodeInThePersonsPages(t *testing.T) {
	t.Parallel()
	noCode(t, func(p *person) *Lender { return p.lender() }, func(p *person, a *agent, hands *cdp.Session, lent string) {
		pipetest.Lacks(t, a.all(), "SECRET", "secret.html")
		p.goes(hands, p.site+"/form?back")
		pipetest.Eventually(t, "the agent has the tab again", func() bool {
			return strings.Contains(a.ask("", "Target.getTargets", "{}"), lent)
		})
		pipetest.Has(t, a.does(a.attach(lent), "location.href"), "?back")
	})
}

// TestBarrierOfScripts: the same where the guard comes too late, so that only what stands before
// each script of the agent's keeps it out. The guard's connection is one that it hears nothing on.
func TestBarrierOfScripts(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestNothingButLentTabs is quick")
	t.Parallel()
	var fake *deaf
	noCode(t, func(p *person) *Lender {
		return &Lender{Dial: func(ctx context.Context) (*cdp.Conn, error) {
			ws, _, err := websocket.DefaultDialer.DialContext(ctx, p.endpoint(), nil)
			if err != nil {
				return nil, err
			}
			fake = &deaf{ws: ws}
			return cdp.New(fake, fake), nil
		}}
	}, func(*person, *agent, *cdp.Session, string) {
		if fake.left.Load() < 2 {
			t.Error("the guard was not deaf")
		}
	})
}

// endpoint is the address of the browser's WebSocket.
func (p *person) endpoint() string {
	p.t.Helper()
	r, err := http.NewRequest(http.MethodGet, "http://"+p.addr+"/json/version", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	var got struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	p.read(r, &got)
	return got.URL
}

// deaf is a connection to a browser that leaves out what the first guard asks for: so it hears of no
// navigation, and holds no file. A guard is the first to ask its tab for events. Sessions that the
// lender ends stay, with the agent's scripts: the barrier alone keeps these out of documents.
type deaf struct {
	ws    *websocket.Conn
	guard string // its session; "" before
	rest  []byte
	left  atomic.Int32 // commands that were left out
}

func (d *deaf) Read(p []byte) (int, error) {
	if len(d.rest) == 0 {
		_, m, err := d.ws.ReadMessage()
		if err != nil {
			return 0, err
		}
		d.rest = append(m, 0)
	}
	n := copy(p, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}

// Write is called for one message at a time.
func (d *deaf) Write(m []byte) (int, error) {
	var c struct {
		Method  string
		Session string `json:"sessionId"`
	}
	if err := json.Unmarshal(bytes.TrimSuffix(m, []byte{0}), &c); err != nil {
		return 0, err
	}
	if d.guard == "" && c.Method == "Page.enable" {
		d.guard = c.Session
	}
	switch {
	case d.guard != "" && c.Session == d.guard:
		d.left.Add(1)
		return len(m), nil
	case d.guard != "" && c.Method == "Target.detachFromTarget":
		return len(m), nil
	}
	return len(m), d.ws.WriteMessage(websocket.TextMessage, bytes.TrimSuffix(m, []byte{0}))
}

func (d *deaf) Close() error { return d.ws.Close() }

// noCode has an agent set up code in its tab, which then goes to a file of the person's.
func noCode(t *testing.T, lender func(*person) *Lender, then func(p *person, a *agent, hands *cdp.Session, lent string)) {
	t.Helper()
	p := newPerson(t)
	file := filepath.Join(t.TempDir(), "secret.html")
	const text = "<title>SECRET</title><script>addEventListener('load', () => 1)</script>" +
		"<iframe></iframe><iframe srcdoc='x'></iframe>"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	lent := p.tab("file://" + file)
	hands := p.hands(lent)
	p.waitsFor(hands, file)
	p.goes(hands, p.site+"/form?lent")
	a := newAgent(t, lender(p), "?lent")
	session := a.attach(lent)
	for _, domain := range []string{"Page", "Network", "Runtime", "DOM"} {
		a.works(session, domain+".enable", "{}", nil)
	}
	a.works(session, "Runtime.addBinding", `{"name":"tell"}`, nil)
	const does = `(top.code ||= []).push(location.href); tell(document.title);`
	for _, source := range []string{does, "} " + does + " if (0) {", "}} " + does + " {{", "function origin() {} " + does,
		"function Array() {} function RegExp() {} " + does, "function location() {} " + does, "*/ " + does, "\n" + does,
		"function addEventListener() { " + does + " }", "'use strict'; function onload() { " + does + " } " + does} {
		for _, rest := range []string{"", `,"worldName":"own"`, `,"Source":""`} {
			a.works(session, "Page.addScriptToEvaluateOnNewDocument", fmt.Sprintf(`{"source":%q%s}`, source, rest), nil)
		}
	}
	a.works(session, "Page.addScriptToEvaluateOnLoad", fmt.Sprintf(`{"scriptSource":%q}`, does), nil)
	for id := range 100 { // those of ours among them
		one := fmt.Sprintf(`"identifier":"%d"`, id)
		if !strings.Contains(a.all(), one) {
			a.refuses(session, "Page.removeScriptToEvaluateOnNewDocument", "{"+one+"}")
		}
	}
	p.goes(hands, p.site+"/form?again")
	pipetest.Has(t, p.sees(hands, "JSON.stringify(top.code)"), "?again")
	a.ask(session, "Runtime.evaluate", `{"expression":"history.go(-2)","userGesture":true}`)
	p.waitsFor(hands, file)
	if got := p.sees(hands, "String(top.code) + frames.length"); got != "undefined2" {
		t.Errorf("code of the agent's ran in %s", got)
	}
	then(p, a, hands, lent)
}
