package policy

import (
	"regexp"
	"testing"
)

// TestSchemes: a page goes to the schemes of a list and to no other, whatever the policy, and
// however the scheme is written.
func TestSchemes(t *testing.T) {
	policies := map[string]*Policy{
		"none":    mustNew(t, Options{}),
		"file":    mustNew(t, Options{AllowFile: true}),
		"blocked": mustNew(t, Options{Blocked: []string{"evil.com"}}),
		"pattern": mustNew(t, Options{Pattern: regexp.MustCompile("a")}),
		"all":     mustNew(t, Options{Pattern: regexp.MustCompile(".*")}),
		"listed":  mustNew(t, Options{Allowed: []string{"a.com"}}),
	}
	for name, p := range policies {
		for _, base := range []string{"", "https://a.com/"} {
			for _, raw := range []string{
				"javascript:alert(1)", " javascript:alert(1)", "\x00\x1fJavaScript:alert(1)", "java\tscript:alert(1)", "java\r\nscript:\nalert(1)",
				"javascript://a.com/%0aalert(1)", "javascript://[bad/%0aalert(1)",
				"\tjava\nscript://[bad/%0aalert(1)", " \x01javascript://[bad/", "javascript://a:b:c/%0aalert(1)",
				"vbscript:x", "livescript:x", "ws://a.com/", "wss://a.com/", "ftp://a.com/", "mailto:a@a.com", "tel:1", "intent:a",
				"x-a+b.c:1", "blob-x:a", "ms-settings:a", "cid:a", "about", "urn:a", "android-app://a.com/", "content://a/", "externalfile:a",
			} {
				if raw == "about" && (base != "" || name != "listed") {
					continue // relative
				}
				if p.Navigate(raw, base) == nil {
					t.Errorf("%s, base %q: %q passed", name, base, raw)
				}
				if p.At(raw) == nil {
					t.Errorf("%s: a page may be at %q", name, raw)
				}
			}
		}
		if err := p.Navigate("https://a.com/", ""); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, raw := range []string{"http://a.com", "HTTPS://a.com", "about:blank", "data:text/html,x",
		"blob:https://a.com/1", "a.com", "", "http://", "http://[x",
		"chrome://crash", "chrome://crash/"} {
		if err := policies["none"].Navigate(raw, ""); err != nil {
			t.Errorf("%q: %v", raw, err)
		}
	}
}
