package lend

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pwpipe/internal/browser/cdp"
	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

// person is a Chromium that a person uses.
type person struct {
	t    *testing.T
	addr string
	site string
}

func newPerson(t *testing.T) *person {
	t.Helper()
	p := &person{t: t, addr: pipetest.SharedChromium(t), site: pipetest.Site(t)}
	if err := p.whole().Call(t.Context(), "Storage.clearCookies", nil, nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// wholePerson is a person with a whole Chromium, which has zoom, warnings and a clipboard. The
// pinned one is a headless shell.
func wholePerson(t *testing.T, page string) *person {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no whole Chromium here (package chromium)")
	}
	p := &person{t: t, site: pipetest.Site(t)}
	profile := pipetest.ProfileDir(t)
	cmd := exec.Command(program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--remote-debugging-port=0", "--user-data-dir="+profile, p.site+page)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pipetest.Kill(cmd) })
	pipetest.Eventually(t, "Chromium listens", func() bool {
		text, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		port, _, whole := strings.Cut(string(text), "\n")
		p.addr = "127.0.0.1:" + port
		return whole
	})
	return p
}

// tab opens a tab, and returns its id.
func (p *person) tab(page string) string {
	p.t.Helper()
	r, err := http.NewRequest(http.MethodPut, "http://"+p.addr+"/json/new?"+url.QueryEscape(page), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	var got struct{ ID string }
	p.read(r, &got)
	pipetest.Eventually(p.t, "the tab is at "+page, func() bool { return p.tabs()[got.ID] == page })
	return got.ID
}

// tabs are the addresses of the open tabs, by id.
func (p *person) tabs() map[string]string {
	p.t.Helper()
	r, err := http.NewRequest(http.MethodGet, "http://"+p.addr+"/json/list", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	var list []struct{ ID, Type, URL string }
	p.read(r, &list)
	tabs := map[string]string{}
	for _, one := range list {
		if one.Type == "page" {
			tabs[one.ID] = one.URL
		}
	}
	return tabs
}

func (p *person) read(r *http.Request, into any) {
	p.t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		p.t.Fatal(err)
	}
}

func (p *person) lender() *Lender {
	return &Lender{Dial: func(ctx context.Context) (*cdp.Conn, error) { return cdp.Dial(ctx, "http://"+p.addr, nil) }}
}

// agent writes messages as it likes.
type agent struct {
	t *testing.T
	w io.WriteCloser

	mu      sync.Mutex
	change  sync.Cond
	last    int
	replies map[int]string
	heard   strings.Builder // all that it ever heard
}

func newAgent(t *testing.T, l *Lender, lent ...string) *agent {
	t.Helper()
	b, err := l.borrow(t.Context(), wants{Lend: lent})
	if err != nil {
		t.Fatal(err)
	}
	b.lendNamed()
	a := &agent{t: t, w: b, replies: map[int]string{}}
	a.change.L = &a.mu
	go a.listen(b.out)
	t.Cleanup(func() { _ = b.Close() })
	return a
}

func (a *agent) listen(r io.Reader) {
	var begun []byte
	piece := make([]byte, 1<<20)
	for {
		n, err := r.Read(piece)
		if err != nil {
			return
		}
		begun = append(begun, piece[:n]...)
		for {
			m, rest, whole := bytes.Cut(begun, []byte{0})
			if !whole {
				break
			}
			a.mu.Lock()
			a.heard.Write(m)
			a.heard.WriteByte('\n')
			var of struct{ ID int }
			if json.Unmarshal(m, &of) == nil && of.ID != 0 {
				a.replies[of.ID] = string(m)
			}
			a.change.Broadcast()
			a.mu.Unlock()
			begun = bytes.Clone(rest)
		}
	}
}

// all is what the agent has heard.
func (a *agent) all() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.heard.String()
}

// ask sends a command with params as they are, and returns the whole reply.
func (a *agent) ask(session, method, params string) string {
	a.t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last++
	id := a.last
	a.mu.Unlock()
	m := fmt.Appendf(nil, "{\"id\":%d,\"method\":%q,\"params\":%s,\"sessionId\":%q}\x00", id, method, params, session)
	_, err := a.w.Write(m)
	a.mu.Lock()
	if err != nil {
		a.t.Fatalf("%s: %v", method, err)
	}
	for a.replies[id] == "" {
		a.change.Wait()
	}
	return a.replies[id]
}

// works is ask for a command that must succeed; it decodes the result.
func (a *agent) works(session, method, params string, into any) {
	a.t.Helper()
	reply := a.ask(session, method, params)
	var got struct{ Result json.RawMessage }
	if json.Unmarshal([]byte(reply), &got) != nil || got.Result == nil {
		a.t.Fatalf("%s: %s", method, reply)
	}
	if into != nil {
		_ = json.Unmarshal(got.Result, into)
	}
}

// open opens a page, and returns its id and a session with it.
func (a *agent) open(page string) (target, session string) {
	a.t.Helper()
	var made struct{ TargetID string }
	a.works("", "Target.createTarget", fmt.Sprintf(`{"url":%q}`, page), &made)
	return made.TargetID, a.attach(made.TargetID)
}

func (a *agent) attach(target string) (session string) {
	a.t.Helper()
	var got struct{ SessionID string }
	a.works("", "Target.attachToTarget", fmt.Sprintf(`{"targetId":%q,"flatten":true}`, target), &got)
	return got.SessionID
}

// does evaluates an expression as if the person had clicked.
func (a *agent) does(session, expression string) string {
	a.t.Helper()
	const params = `{"expression":%q,"userGesture":true,"awaitPromise":true,"returnByValue":true}`
	return a.ask(session, "Runtime.evaluate", fmt.Sprintf(params, expression))
}
