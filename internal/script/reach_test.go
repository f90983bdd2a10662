package script

import (
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unreachable are the members of Playwright's JavaScript API that scripts can't
// use, and why. TestEveryMemberIsReachable keeps the list true.
var unreachable = map[string]string{
	"Accessibility.snapshot":            "playwright-go has no page.accessibility, which Playwright deprecates; accessibilitySnapshot() is there",
	"Page.accessibility":                "see Accessibility.snapshot",
	"BrowserContext.setHTTPCredentials": "playwright-go lacks it, and Playwright deprecates it; credentials are given when a context is made",
	"Coverage.startCSSCoverage":         noCoverage,
	"Coverage.startJSCoverage":          noCoverage,
	"Coverage.stopCSSCoverage":          noCoverage,
	"Coverage.stopJSCoverage":           noCoverage,
	"Page.coverage":                     noCoverage,
	"Request.serviceWorker":             "playwright-go does not tell which service worker sent a request",
}

const noCoverage = "playwright-go has no coverage; a DevTools session (Profiler, CSS) has"

func TestEveryMemberIsReachable(t *testing.T) {
	r, err := New(Host{Folders: []string{t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	missing := make(chan []string, 1)
	r.loop.post(func() {
		var list []string
		for _, m := range members() {
			p := r.protos[m.class]
			if p == nil {
				list = append(list, m.class+"."+m.name)
				continue
			}
			reached := false
			for o := p; o != nil && !reached; o = o.Prototype() {
				for _, k := range o.GetOwnPropertyNames() {
					reached = reached || k == m.name
				}
			}
			if !reached {
				list = append(list, m.class+"."+m.name)
			}
		}
		missing <- list
	})
	var known []string
	for name, why := range unreachable {
		if strings.TrimSpace(why) == "" {
			t.Errorf("%s has no reason", name)
		}
		known = append(known, name)
	}
	got := <-missing
	sort.Strings(known)
	sort.Strings(got)
	if d := cmp.Diff(known, got); d != "" {
		t.Errorf("unreachable members (-listed +found):\n%s", d)
	}
}
