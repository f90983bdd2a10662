package cdpview

import (
	"fmt"
	"strings"
	"testing"
)

// A Chromium with windows keeps parts of them in tabs of the client's context. A
// client that waits until each tab has its page must not wait for those. One with a
// known URL never appears; one without disappears once it is recognised.
func TestTabsOfTheBrowsersOwn(t *testing.T) {
	t.Parallel()
	root, b := startChromium(t)
	s, left := stay(root, strict())
	tell := func(what string) {
		t.Helper()
		s.mu.Lock()
		defer s.mu.Unlock()
		for !strings.Contains(s.heard.String(), what) {
			s.change.Wait()
		}
	}
	s.add(`{"id":2,"method":"Target.setDiscoverTargets","params":{"discover":true}}`)
	tell(`{"id":2`)
	on := b.first("Target.setDiscoverTargets").Session
	comes := func(of, session, id, kind, url string) {
		info := fmt.Sprintf(`{"targetInfo":{"targetId":"%s","type":"%s","url":"%s","browserContextId":"MINE"}`, id, kind, url)
		b.says <- fmt.Sprintf(`{"method":"Target.targetCreated","params":%s},"sessionId":"%s"}`, info, on)
		b.says <- fmt.Sprintf(`{"method":"Target.attachedToTarget","params":%s,"sessionId":"%s"},"sessionId":"%s"}`, info, session, of)
	}
	const window = "chrome://omnibox-popup.top-chrome/"
	comes(on, "SAID", "SAID-T", "tab", window)
	comes(on, "LATE", "LATE-T", "tab", "")
	comes("LATE", "WINDOW", "WINDOW-T", "browser_ui", window)
	tell(`"Target.targetDestroyed","params":{"targetId":"LATE-T"}`)
	comes(on, "TAB", "TAB-T", "tab", "about:blank")
	comes("TAB", "PAGE", "PAGE-T", "page", "about:blank")
	tell(`"sessionId":"PAGE"`)
	s.add(`{"id":3,"method":"Target.closeTarget","params":{"targetId":"LATE-T"}}`)
	tell(`{"id":3,"error"`)
	s.end()
	if err := <-left; err != nil {
		t.Error(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if heard := s.heard.String(); strings.Contains(heard, "SAID") || strings.Contains(heard, "WINDOW") {
		t.Errorf("the client heard of the browser's own:\n%s", heard)
	}
	if asked := b.first("Target.detachFromTarget"); !strings.Contains(asked.text, `"SAID"`) {
		t.Errorf("what never came was held: %s", asked.text)
	}
}
