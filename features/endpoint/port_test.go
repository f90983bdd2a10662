package endpoint_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

type ported struct{ URL, Address string }

// A session's own port answers as Chromium's does, for clients that know only a host and a
// port. Web pages are refused.
func TestPortOfASession(t *testing.T) {
	t.Parallel()
	site := pipetest.ServePages(t, pages)
	p := pipetest.Shared(t)
	p.Call("nav", []any{site + "/"})
	got := pipetest.Get[ported](p, "session.cdp", map[string]any{"port": true})
	if again := pipetest.Get[ported](p, "session.cdp", map[string]any{"port": true}); again != got {
		t.Errorf("%v, and then %v", got, again)
	}
	if text := works(t, got.URL, false); text != "first" {
		t.Error(text)
	}
	checkJSON(t, "http://"+got.Address)
	_, body := fetched(t, "http://"+got.Address+"/json/version")
	for _, name := range []string{"Browser", "Protocol-Version", "User-Agent", "V8-Version", "WebKit-Version"} {
		if pipetest.Decode[map[string]string](t, body)[name] == "" {
			t.Errorf("%s is missing: %s", name, body)
		}
	}
	if status, body := fetched(t, "http://"+got.Address+"/json/version", "Host", "127.0.0.1"); status != http.StatusOK {
		t.Errorf("a Host without a port: %d %s", status, body)
	}
	for _, headers := range [][]string{{"Origin", site}, {"Host", "evil.example"}, {"Host", "localhost.evil.example"}} {
		if status, body := fetched(t, "http://"+got.Address+"/json/version", headers...); status != http.StatusForbidden {
			t.Errorf("%v: %d %s", headers, status, body)
		}
	}
	svc := pipetest.SharedService(t, "ALLOW_HOST_REGEX=^http://127\\.0\\.0\\.1:")
	if r := svc.Open(nil).Refuse(-32602, "session.cdp", map[string]any{"port": true}); !strings.Contains(r, "on a pipe") {
		t.Error(r)
	}
}

// chromedriver, if installed, joins a session by its port.
func TestChromedriver(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestPortOfASession is quick")
	t.Parallel()
	program, err := exec.LookPath("chromedriver")
	if err != nil {
		t.Skip("there is no chromedriver: TestPortOfASession asks what it asks")
	}
	base := anyChromedriver(t, program)
	ask := func(method, path string, params any) map[string]any {
		var text []byte
		if params != nil {
			text, _ = json.Marshal(params)
		}
		r, _ := http.NewRequest(method, base+path, bytes.NewReader(text))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		if answer.StatusCode != http.StatusOK {
			t.Fatalf("%s %s: %s", method, path, body)
		}
		return pipetest.Decode[map[string]any](t, string(body))
	}
	p := pipetest.StartSite(t)
	p.Call("nav", []any{"/login"})
	options := map[string]any{"debuggerAddress": pipetest.Get[ported](p, "session.cdp", map[string]any{"port": true}).Address}
	got := ask("POST", "", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{"goog:chromeOptions": options}}})
	in := "/" + got["value"].(map[string]any)["sessionId"].(string)
	if title := ask("GET", in+"/title", nil)["value"]; title != "Sign in | Skerry" {
		t.Errorf("its title is %v", title)
	}
	ask("POST", in+"/execute/sync", map[string]any{"script": "document.querySelector('[name=email]').value = 'ada@mail.example'", "args": []any{}})
	if mail := p.Text("eval", []any{"document.querySelector('[name=email]').value"}); mail != "ada@mail.example" {
		t.Errorf("the tools see %q", mail)
	}
	ask("POST", in+"/window/new", map[string]any{"type": "tab"})
	if handles := ask("GET", in+"/window/handles", nil)["value"].([]any); len(handles) != 2 {
		t.Errorf("the windows are %v", handles)
	}
	ask("DELETE", in, nil)
	p.Call("title", nil)
}

// anyChromedriver starts chromedriver and returns the URL of its sessions. It exits if another
// process took its IPv4 port meanwhile.
func anyChromedriver(t *testing.T, program string) string {
	for range 5 {
		if base := startChromedriver(t, program); base != "" {
			return base
		}
	}
	t.Fatal("chromedriver finds no port")
	return ""
}

// startChromedriver is one try of anyChromedriver; "" if it exited at once.
func startChromedriver(t *testing.T, program string) string {
	cmd := exec.Command(program, "--port=0", "--disable-build-check")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		t.Log(lines.Text())
		if _, port, ok := strings.Cut(lines.Text(), "successfully on port "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return "http://127.0.0.1:" + strings.TrimSuffix(port, ".") + "/session"
		}
	}
	return ""
}

// A page opened as a tab, as chromedriver does, counts like any other.
func TestTabsAreCounted(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestMaxPages of handlers/browser is quick")
	t.Parallel()
	svc := pipetest.StartService(t, "MAX_PAGES=4")
	ours := svc.Open(nil)
	ours.On("nav", map[string]any{"url": "about:blank"})
	c := connect(t, svc, ours)
	for range 3 {
		var made struct{ TargetID string }
		c.get("", "Target.createTarget", map[string]any{"url": "about:blank", "forTab": true}, &made)
		var got struct{ TargetInfo struct{ Type string } }
		if c.get("", "Target.getTargetInfo", map[string]any{"targetId": made.TargetID}, &got); got.TargetInfo.Type != "tab" {
			t.Errorf("%s is a %s", made.TargetID, got.TargetInfo.Type)
		}
	}
	// A page too many is refused, or closed at once if it came too fast.
	pipetest.Eventually(t, "no more are opened", func() bool {
		r := c.ask("", "Target.createTarget", map[string]any{"url": "about:blank", "forTab": true})
		return r.Error != nil && strings.Contains(r.Error.Message, "pages")
	})
	pipetest.Eventually(t, "there are four pages", func() bool {
		var got struct{ TargetInfos []struct{ Type string } }
		c.get("", "Target.getTargets", map[string]any{}, &got)
		n := 0
		for _, info := range got.TargetInfos {
			if info.Type == "page" {
				n++
			}
		}
		return n == 4
	})
	c.refused("", "Target.createTarget", map[string]any{"url": "file:///etc/passwd", "forTab": true}, "blocked")
}
