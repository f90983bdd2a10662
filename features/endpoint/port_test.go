package endpoint_test

import (
	"net/http"
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
	svc := pipetest.SharedService(t, append([]string{"ALLOW_HOST_REGEX=^http://127\\.0\\.0\\.1:"}, narrow...)...)
	if r := svc.Open(nil).Refuse(-32602, "session.cdp", map[string]any{"port": true}); !strings.Contains(r, "on a pipe") {
		t.Error(r)
	}
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
