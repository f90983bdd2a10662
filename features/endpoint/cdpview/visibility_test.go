package cdpview

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// guest is a session in a lent browser's default context, without what is hidden there,
// and without the browser's own pages.
func guest() Options {
	o := strict()
	o.Shared = &SharedBrowser{Home: "MINE", Shows: func(url string) bool { return !strings.Contains(url, "hidden") && !strings.HasPrefix(url, "chrome") }}
	return o
}

// FuzzGuest: in a lent browser a client neither sees nor reaches a hidden tab. S12 is its
// session with the visible page.
func FuzzGuest(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"method":"Target.closeTarget","params":{"targetId":"HIDDEN-T"}}`, `{"id":1,"method":"Target.attachToTarget","params":{"targetId":"HIDDEN-T"}}`,
		`{"id":1,"method":"Target.getTargetInfo","params":{"targetId":"HIDDEN-T"}}`, `{"id":1,"method":"Browser.getWindowForTarget","params":{"targetId":"HIDDEN-T"}}`,
		`{"id":1,"method":"Target.autoAttachRelated","sessionId":"S12","params":{"targetId":"HIDDEN-T","waitForDebuggerOnStart":false}}`,
		`{"id":1,"method":"Target.setDiscoverTargets","sessionId":"S12","params":{"discover":true}}`, `{"id":1,"method":"Target.getTargets","sessionId":"S12"}`,
		`{"id":1,"method":"Runtime.evaluate","sessionId":"S12","params":{"expression":"1","contextId":2}}`, `{"id":1,"method":"Runtime.callFunctionOn","sessionId":"S12","params":{"objectId":"7.2.1"}}`,
		`{"id":1,"method":"Runtime.evaluate","sessionId":"S12","params":{"uniqueContextId":"U1","uniqueContextId":"U2"}}`, `{"id":1,"method":"DOM.resolveNode","sessionId":"S12","params":{"backendNodeId":1,"executionContextId":2}}`,
		`{"id":1,"method":"Runtime.evaluate","sessionId":"HIDDEN-S9"}`, `{"id":1,"method":"Storage.getCookies","params":{"browserContextId":"MINE"}}`,
		`{"id":1,"method":"Storage.getCookies","params":{"browserContextId":"THEIRS"}}`, `{"id":1,"method":"Target.createTarget","params":{"url":"about:blank","browserContextId":null}}`,
	} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		list, heard := play(t, guest(), `{"id":1,"method":"Target.setDiscoverTargets","params":{"discover":true}}`, `{"id":2,"method":"Target.getTargets"}`,
			`{"id":3,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`, `{"id":4,"method":"Target.setAutoAttach","params":{"autoAttach":true,"waitForDebuggerOnStart":true,"flatten":true}}`, one, two, one)
		for _, q := range list {
			var p map[string]any // as Chromium reads it: by exact names
			_ = json.Unmarshal(q.Params, &p)
			if (strings.Contains(q.Session, hidden) || p["targetId"] == "HIDDEN-T" && judged(q.Method)) && !slices.Contains(harmless, q.Method) {
				t.Errorf("a tab that it may not see was asked %s", q.text)
			}
			if strings.HasPrefix(q.Method, "Storage.") && strings.Contains(string(q.Params), `"browserContextId":"MINE"`) {
				t.Errorf("Chromium knows its own context by no name: %s", q.text)
			}
			names(t, q)
			runs(t, q)
		}
		for line := range strings.Lines(heard) {
			for _, whose := range []string{foreign, hidden} {
				if strings.Contains(line, whose) && !strings.Contains(line, `"error"`) && !strings.Contains(one+two, whose) {
					t.Errorf("the client was told %s", line)
				}
			}
		}
	})
}

// judged reports whether a method always has a rule.
func judged(method string) bool {
	rule, _ := ruleFor(method, false, false)
	return rule != nil
}

// runs fails for a command that runs code outside of the client's worlds.
func runs(t *testing.T, q asked) {
	t.Helper()
	var p map[string]any
	_ = json.Unmarshal(q.Params, &p)
	if q.Method == "Runtime.evaluate" && p["uniqueContextId"] != "U1" || p["uniqueContextId"] == "U2" {
		t.Errorf("it runs code elsewhere: %s", q.text)
	}
	for name, v := range p {
		if id, _ := v.(string); q.Session == "S12" && (name == "objectId" && !strings.Contains(id, ".1.") || name == "executionContextId" && v != 1.0) {
			t.Errorf("it reaches into another world: %s", q.text)
		}
	}
}

// A command without a context is for the session's, and never for the default one.
func TestContextThatIsNotNamed(t *testing.T) {
	t.Parallel()
	ask := func(o Options, params string) (sent, heard string) {
		list, heard := play(t, o, `{"id":1,"method":"Storage.getCookies"`+params+`}`)
		for _, q := range list {
			if q.Method == "Storage.getCookies" {
				return string(q.Params), heard
			}
		}
		return "", heard
	}
	own := guest()
	own.Shared.Home = foreign
	if sent, _ := ask(own, ""); sent != `{"browserContextId":"MINE"}` {
		t.Errorf("sent %s", sent)
	}
	own.Context = "" // of a script, which names its contexts
	for _, params := range []string{"", `,"params":{}`, `,"params":{"browserContextId":null}`, `,"params":{"browserContextId":"THEIRS"}`, `,"params":{"browserContextId":""}`} {
		if sent, heard := ask(own, params); sent != "" || !strings.Contains(heard, `"error"`) {
			t.Errorf("%s: sent %s; %s", params, sent, heard)
		}
	}
	for _, params := range []string{"", `,"params":{"browserContextId":"MINE"}`} {
		if sent, _ := ask(guest(), params); sent != `{}` {
			t.Errorf("%s: sent %s", params, sent)
		}
	}
}

// A page that navigates to a hidden URL disappears for the client. It reappears when it
// comes back.
func TestPageThatStrays(t *testing.T) {
	t.Parallel()
	root, b := startChromium(t)
	s, left := stay(root, guest())
	move := func(url string) {
		b.says <- fmt.Sprintf(`{"method":"Target.targetInfoChanged","params":{"targetInfo":{"targetId":"MINE-T","type":"page","url":"%s","browserContextId":"MINE"}},"sessionId":"%s"}`, url, b.first("Target.setDiscoverTargets").Session)
	}
	tell := func(n int, what string) {
		t.Helper()
		s.mu.Lock()
		defer s.mu.Unlock()
		for strings.Count(s.heard.String(), what) < n {
			s.change.Wait()
		}
	}
	s.add(`{"id":2,"method":"Target.setDiscoverTargets","params":{"discover":true}}`, `{"id":3,"method":"Target.setAutoAttach","params":{"autoAttach":true,"waitForDebuggerOnStart":true,"flatten":true}}`, `{"id":4,"method":"Target.getTargets"}`)
	tell(1, `{"id":4`)
	move("https://hidden.test/")
	tell(1, "Target.targetDestroyed")
	s.add(`{"id":5,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`)
	tell(1, `{"id":5,"error"`)
	move("https://fine.test/")
	tell(1, "https://fine.test/")
	tell(2, "Target.attachedToTarget")
	s.end()
	if err := <-left; err != nil {
		t.Error(err)
	}
}

// In a lent browser a client can see and use only the visible part of a tab's history.
func TestHistoryOfLentTabs(t *testing.T) {
	t.Parallel()
	one, all := `{"id":%d,"method":"Page.navigateToHistoryEntry","sessionId":"S11","params":%s}`, []string{}
	for i, params := range []string{`{"entryId":1}`, `{"entryId":2}`, `{"entryId":7}`, `{}`, `{"entryId":1,"entryId":2}`, `{"entryId":"1"}`, `{"EntryId":1}`, `{"entryId":2,"entryId":1}`} {
		all = append(all, fmt.Sprintf(one, 10+i, params))
	}
	list, heard := play(t, guest(), append([]string{`{"id":2,"method":"Target.getTargets"}`, `{"id":3,"method":"Target.attachToTarget","params":{"targetId":"MINE-T"}}`,
		`{"id":4,"method":"Page.getNavigationHistory","sessionId":"S11"}`}, all...)...)
	gone := 0
	for _, q := range list {
		if q.Method == "Page.navigateToHistoryEntry" {
			gone++
			if string(q.Params) != `{"entryId":1}` {
				t.Errorf("it goes to %s", q.Params)
			}
		}
	}
	if gone != 2 || strings.Count(heard, `"error"`) != 6 {
		t.Errorf("gone to %d: %s", gone, heard)
	}
	if strings.Contains(heard, "SECRET") || strings.Contains(heard, "hidden.test") || !strings.Contains(heard, `"title":"fine"`) || !strings.Contains(heard, `"currentIndex":1`) {
		t.Errorf("it is told %s", heard)
	}
}

// seer is a client of a shared browser.
type seer struct{ lost, shown, moved []string }

func (s *seer) owns(context string) bool               { return context == "MINE" }
func (s *seer) lose(target string)                     { s.lost = append(s.lost, target) }
func (s *seer) relocated(target string)                { s.moved = append(s.moved, target) }
func (s *seer) appears(info Target, _ json.RawMessage) { s.shown = append(s.shown, info.TargetID) }
func (s *seer) is(t *testing.T, lost, shown int, step string) {
	t.Helper()
	if len(s.lost) != lost || len(s.shown) != shown {
		t.Errorf("%s: lost %v, shown %v", step, s.lost, s.shown)
	}
}

// A page is lost once, when it starts for a hidden URL. It stays lost until it is
// elsewhere. Pages that it opens meanwhile are hidden, too.
func TestVisibility(t *testing.T) {
	s := &seer{}
	v := newVisibility(guest().Shared, s)
	at := func(id, url, opener string) Target {
		return Target{TargetID: id, Type: "page", URL: url, Context: "MINE", Opener: opener}
	}
	change := func(info Target) {
		v.targetChanged(json.RawMessage(fmt.Sprintf(`{"targetInfo":{"targetId":%q,"type":%q,"url":%q,"browserContextId":"MINE","openerId":%q}}`,
			info.TargetID, info.Type, info.URL, info.Opener)))
	}
	change(at("P", "https://fine.test/", ""))
	s.is(t, 0, 0, "a page that may be seen")
	if v.leaves("P", "https://fine.test/2") || !v.leaves("P", "https://hidden.test/") {
		t.Error("it leaves for the hidden place only")
	}
	s.is(t, 1, 0, "it has set out")
	if v.shows(at("P", "https://fine.test/", "")) || v.shows(at("POPUP", "about:blank", "P")) {
		t.Error("it is seen on its way, or what it opens")
	}
	change(at("P", "https://hidden.test/", ""))
	s.is(t, 1, 0, "it has arrived")
	change(at("P", "https://fine.test/", ""))
	s.is(t, 1, 1, "it is back")
	if !v.shows(at("P", "https://fine.test/", "")) || v.url("P") != "https://fine.test/" || len(s.moved) != 3 {
		t.Errorf("it is at %s, and has moved %d times", v.url("P"), len(s.moved))
	}
	if v.leaves("UNKNOWN", "https://hidden.test/") {
		t.Error("a frame that is no page leaves")
	}
	change(Target{TargetID: "F", Type: "iframe", URL: "chrome-extension://id/page.html"})
	s.is(t, 2, 1, "a frame of an extension")
	if v.showsPart(Target{TargetID: "F"}) || !v.showsPart(Target{TargetID: "G"}) {
		t.Error("the extension's frame is seen, or another is not")
	}
	v.targetDestroyed(Target{TargetID: "P"})
	if v.url("P") != "" || v.leaves("P", "https://hidden.test/") {
		t.Error("it is remembered")
	}
}
