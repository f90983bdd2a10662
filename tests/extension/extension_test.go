package extension

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// A person lends tabs with the extension, one by one, and takes them back.
func TestExtension(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestWorkInALentTab of tests/reach is quick")
	t.Parallel()
	site := pipetest.Site(t)
	h := startPerson(t)
	h.open(site + "/form")
	h.open(site + "/shadow?private")
	h.click(site + "/form")
	p := h.pwpipe("--base-url", site, "--profile", "agent")
	list := p.Call("pages", nil)
	pipetest.Has(t, list, site+"/form")
	pipetest.Lacks(t, list, "private", "about:blank")
	pipetest.Has(t, h.badge(), "on")
	if got := h.debugged(); got != "1" {
		t.Errorf("%s tabs are debugged", got)
	}
	pipetest.Has(t, h.groups(), "lent to pwpipe: "+site+"/form;")
	if got := p.Text("txt", []any{"h1"}); got != "Form" {
		t.Error(got)
	}
	p.Call("eval", []any{"document.body.prepend(globalThis.field = document.createElement('textarea')); field.value = 'written'; field.select(); 1"})
	p.Call("press", []any{"Control+X"})
	p.Call("press", []any{"Control+V"})
	if got := p.Text("eval", []any{"field.value"}) + p.Text("clip", nil); got != "writtenwritten" {
		t.Errorf("the session's own clipboard: %q", got)
	}
	p.Call("nav", []any{"/frames"})
	if got := p.Text("txt", []any{"h1"}); got != "Frames" {
		t.Error(got)
	}
	p.Call("nav", []any{"/form"})
	picture := filepath.Join(t.TempDir(), "shot.png")
	p.Call("shot", []any{picture})
	if info, err := os.Stat(picture); err != nil || info.Size() < 1000 {
		t.Errorf("shot: %v, %v", info, err)
	}
	p.Call("nav", []any{"/frames"})
	pipetest.Has(t, p.Call("snapshot", nil), "Frames")
	pipetest.Has(t, h.badge(), "on") // after a navigation, too

	pipetest.Has(t, p.Fail("new-ctx", nil), "lends single tabs")

	h.click(site + "/frames") // takes it back
	pipetest.Has(t, p.Fail("txt", []any{"h1"}, "page", "p1"), "page p1 is gone: the person took it back")
	h.waitFor("a badge that is empty", func() bool { return !strings.Contains(h.badge(), "on") })
	h.waitFor("a tab without a group", func() bool { return h.groups() == "" })
	if h.tab(site+"/frames") == "" {
		t.Error("the tab is gone")
	}

	h.click(site + "/shadow?private")
	h.waitFor("the other tab", func() bool { return strings.Contains(p.Call("pages", nil), "private") })
	if _, status := p.Close(); status != 0 {
		t.Errorf("status %d", status)
	}
	h.waitFor("a badge that is empty", func() bool { return !strings.Contains(h.badge(), "on") })
	if h.tab(site+"/shadow?private") == "" {
		t.Error("the tab is gone")
	}
	h.waitFor("a browser without a debugger", func() bool { return h.debugged() == "0" })
}

// Two tabs are used at once, one of them with a frame of another site. A tab that pwpipe
// opens is closed at the end.
func TestTabs(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestWorkInALentTab of tests/reach is quick")
	t.Parallel()
	site := pipetest.Site(t)
	other := otherSite(t)
	h := startPerson(t)
	h.open(site + "/form")
	h.open(site + "/shadow")
	p := h.pwpipe("--base-url", site)
	id := p.Request("pages", nil) // waits for a tab
	h.click(site + "/form")
	if r := p.Reply(); r.Error != "" {
		t.Fatal(id, r.Error)
	}
	h.click(site + "/shadow")
	h.waitFor("the second tab", func() bool { return strings.Contains(p.Call("pages", nil), "/shadow") })
	p.Call("eval", []any{"document.body.innerHTML = '<iframe src=\"" + other + "\"></iframe>'"}, "page", "p2")
	p.Call("nav", []any{"/frames"}, "page", "p1")
	p.Call("wait", []any{"iframe >> internal:control=enter-frame >> button"}, "page", "p2")
	p.Call("click", []any{"iframe >> internal:control=enter-frame >> button"}, "page", "p2")
	if got := p.Text("txt", []any{"iframe >> internal:control=enter-frame >> button"}, "page", "p2"); got != "clicked" {
		t.Error(got)
	}
	if got := p.Text("txt", []any{"h1"}, "page", "p1"); got != "Frames" {
		t.Error(got)
	}
	seen := h.active()
	if got := p.Text("new-page", []any{"c1"}); got != "p3" {
		t.Error(got)
	}
	p.Call("nav", []any{"/form?ours"}, "page", "p3")
	p.Call("click", []any{"#email"}, "page", "p3")
	if now := h.active(); now != seen {
		t.Errorf("the person saw tab %s, and now %s", seen, now)
	}
	if h.tab(site+"/form?ours") == "" {
		t.Error("no tab of ours")
	}
	long := strings.Repeat("é", 1<<20)
	p.Call("eval", []any{"window.long = '" + long + "'"}, "page", "p1")
	if got := p.Text("eval", []any{"window.long"}, "page", "p1"); got != long {
		t.Errorf("%d bytes came back", len(got))
	}
	_, _ = p.Close()
	h.waitFor("the end of our tab", func() bool { return h.tab(site+"/form?ours") == "" })
	if h.tab(site+"/frames") == "" || h.tab(site+"/shadow") == "" {
		t.Error("a lent tab is gone")
	}
}

// otherSite serves a page with a button, on another address of this machine.
func otherSite(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<button onclick="this.textContent = 'clicked'">button</button>`))
	})}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return "http://" + l.Addr().String()
}

// The browser's end, and that of the native messaging host, end the tabs. The tool says so.
func TestEnds(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestWorkInALentTab of tests/reach is quick")
	t.Parallel()
	site := pipetest.Site(t)
	h := startPerson(t)
	h.open(site + "/form")
	h.click(site + "/form")
	p := h.pwpipe()
	pipetest.Has(t, p.Call("pages", nil), "/form")
	h.killHost()
	h.waitFor("a badge that is empty", func() bool { return !strings.Contains(h.badge(), "on") })
	h.click(site + "/form")
	pipetest.Has(t, p.Fail("txt", []any{"h1"}), "the browser at extension went away")
	pipetest.Has(t, p.Call("pages", nil), "/form")
	p.Request("wait", []any{"#never"}, "timeout", 60)
	h.quit()
	pipetest.Has(t, p.Reply().Error, "the browser at extension went away")
}
