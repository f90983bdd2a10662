package extension

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// Whatever is of the whole browser is refused, with a reason. The cookies belong to the
// lent tab's page. A closed page is given back.
func TestBounds(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestWorkInALentTab of tests/reach is quick")
	t.Parallel()
	site, other := pipetest.Site(t), otherSite(t)
	h := startPerson(t)
	h.open(other + "/?c=theirs")
	h.open(site + "/form")
	h.click(site + "/form")
	_, stderr, status := pipetest.Run(t, "", "--cdp", "extension", "--allowed-domains", "127.0.0.1")
	if pipetest.Has(t, stderr, "can't be enforced"); status != 2 {
		t.Errorf("status %d", status)
	}
	p := h.pwpipe("--base-url", site, "--profile", "agent")
	pipetest.Has(t, p.Fail("execute", []any{"1"}), "the extension lends single tabs")
	pipetest.Has(t, p.Fail("session.cdp", nil), "the extension lends single tabs")
	p.Call("eval", []any{"document.cookie = 'mine=1'"})
	cookies := p.Call("cookies", nil)
	pipetest.Has(t, cookies, "mine")
	pipetest.Lacks(t, cookies, "theirs", "127.0.0.2")
	p.Call("close-page", []any{"p1"})
	h.waitFor("a badge that is empty", func() bool { return !strings.Contains(h.badge(), "on") })
	if h.tab(site+"/form") == "" {
		t.Error("the lent tab was closed")
	}
	pipetest.Has(t, p.Fail("txt", []any{"h1"}, "page", "p1"), "page p1 is gone: pwpipe gave it back")
}

// The commands of a shell work in a lent tab. While their service has the tabs, another
// pwpipe and another browser say so.
func TestService(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestWorkInALentTab of tests/reach is quick")
	t.Parallel()
	site := pipetest.Site(t)
	h := startPerson(t)
	h.open(site + "/form")
	h.click(site + "/form")
	run := func(words ...string) string {
		cmd := exec.Command(pipetest.Binary(t), words...)
		cmd.Env = append(h.env, "PWPIPE_CDP=extension")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v: %s", words, err, out)
		}
		return string(out)
	}
	t.Cleanup(func() { run("close", "--all") })
	run("open")
	pipetest.Has(t, run("pages"), "/form")
	pipetest.Has(t, run("txt", "h1"), "Form")
	pipetest.Has(t, h.pwpipe().Fail("pages", nil), "another pwpipe of this user has the lent tabs")
}

// The native messaging host serves pwpipe's extension, and those that were added.
func TestOrigins(t *testing.T) {
	t.Parallel()
	home := pipetest.ProfileDir(t)
	env := append(os.Environ(), "XDG_CONFIG_HOME="+filepath.Join(home, "config"), "XDG_RUNTIME_DIR="+home)
	const another = "abcdefghijklmnopabcdefghijklmnop"
	host := func(origin string) (string, error) {
		cmd := exec.Command(pipetest.Binary(t), origin)
		cmd.Env, cmd.Stdin = env, strings.NewReader("") // its end comes at once
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, origin := range []string{"chrome-extension://" + another + "/", "chrome-extension://", "chrome-extension://" + extensionID,
		"chrome-extension://" + extensionID + "/x", "chrome-extension://" + extensionID + "@" + another + "/"} {
		if out, err := host(origin); err == nil || !strings.Contains(out, "is not pwpipe's extension") {
			t.Errorf("%s: %v, %s", origin, err, out)
		}
	}
	if out, err := host("chrome-extension://" + extensionID + "/"); err != nil {
		t.Errorf("%v, %s", err, out)
	}
	install := exec.Command(pipetest.Binary(t), "extension", "install", "--browser", "chromium", "--id", another)
	install.Env = env
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	if out, err := host("chrome-extension://" + another + "/"); err != nil {
		t.Errorf("%v, %s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(home, "config", "chromium", "NativeMessagingHosts", "pwpipe.tabs.json"))
	if err != nil {
		t.Fatal(err)
	}
	pipetest.Has(t, string(text), another, extensionID, pipetest.Binary(t))
}

// Whoever says nonsense in place of the extension is sent away, and pwpipe goes on.
func TestNonsense(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestWorkInALentTab of tests/reach is quick")
	t.Parallel()
	site := pipetest.Site(t)
	h := startPerson(t)
	p := h.pwpipe()
	p.Request("pages", nil)
	for _, said := range []string{"", "nonsense", frame(`{"type":"lent","tab":1}`), frame(`{"type":"hello","agent":"x","more":1}`),
		frame(`{"Type":"hello"}`), "\xff\xff\xff\xff", frame(`{"type":"hello","agent":"x"}`)} {
		cmd := exec.Command(pipetest.Binary(t), "chrome-extension://"+extensionID+"/")
		cmd.Env, cmd.Stdin = h.env, strings.NewReader(said)
		_ = cmd.Run()
	}
	h.open(site + "/form")
	h.click(site + "/form")
	pipetest.Has(t, string(p.Reply().Result), site+"/form")
}

func frame(text string) string {
	return string(binary.NativeEndian.AppendUint32(nil, uint32(len(text)))) + text
}
