package policy

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// seed is the default pattern.
const seed = `^https?://(localhost|127\.0\.0\.1)(:\d+)?/`

func withPattern(t *testing.T, re string) *Policy {
	t.Helper()
	return mustNew(t, Options{Pattern: regexp.MustCompile(re)})
}

func TestPattern(t *testing.T) {
	for line := range rowsOf(t, "testdata/patterns.txt") { // a pattern, a URL, and whether it may be reached
		var re, raw string
		var want bool
		if _, err := fmt.Sscanf(line, "%q %q %t", &re, &raw, &want); err != nil {
			t.Fatal(line, err)
		}
		p := withPattern(t, re)
		judge := func(raw string) error { return p.Navigate(raw, "") }
		if strings.HasPrefix(raw, "ws") || strings.HasPrefix(re, "^ftp") { // what pages request, and never go to
			judge = p.Request
		}
		if err := judge(raw); (err == nil) != want {
			t.Errorf("%s: %q: allowed = %v, want %v (%v)", re, raw, err == nil, want, err)
		}
	}
}

// The other checks give the same results.
func TestPatternOnEveryRoad(t *testing.T) {
	p := withPattern(t, seed)
	if !p.Guards() {
		t.Error("a pattern needs no proxy")
	}
	for raw, want := range map[string]bool{"http://localhost:8080/x": true, "http://evil.com/": false, "ws://localhost/x": true, "ws://evil.com/": false, "https://evil.com/": false} {
		page := want && !strings.HasPrefix(raw, "ws")
		if (p.At(raw) == nil) != page || (p.Request(raw) == nil) != want {
			t.Errorf("%s: At %v, Request %v", raw, p.At(raw), p.Request(raw))
		}
	}
	for _, raw := range []string{"", "about:blank", "chrome-error://chromewebdata/", "about:srcdoc"} {
		if err := p.At(raw); err != nil {
			t.Errorf("%q: %v", raw, err)
		}
	}
	for _, raw := range []string{"data:image/gif;base64,x", "blob:http://localhost/1"} {
		if err := p.Request(raw); err != nil {
			t.Errorf("%q: %v", raw, err)
		}
	}
	if err := p.Navigate("/x", "http://localhost:8080"); err != nil {
		t.Error(err)
	}
	if p.Navigate("//evil.com/x", "http://localhost:8080") == nil || p.Navigate("http://", "") == nil {
		t.Error("passed")
	}
}

// Pattern, lists and the other options all apply.
func TestPatternBesideLists(t *testing.T) {
	p := mustNew(t, Options{Pattern: regexp.MustCompile(`^https?://`), Allowed: []string{"a.com"}})
	if p.Navigate("https://a.com", "") != nil || p.Navigate("https://b.com", "") == nil || p.Navigate("data:text/html,x", "") == nil {
		t.Error("the list does not hold")
	}
	p = mustNew(t, Options{Pattern: regexp.MustCompile(`^https://`), Allowed: []string{"a.com"}})
	if p.Navigate("http://a.com", "") == nil {
		t.Error("the pattern does not hold")
	}
	p = mustNew(t, Options{Pattern: regexp.MustCompile(seed), AllowFile: true})
	if p.Navigate("file:///etc/passwd", "") == nil {
		t.Error("the pattern does not hold for files")
	}
	p = mustNew(t, Options{Pattern: regexp.MustCompile("."), AllowFile: false})
	if p.Navigate("file:///etc/passwd", "") == nil {
		t.Error("a pattern allowed files")
	}
	for _, all := range []string{"", ".*", "^", "^.*", "(a|)", "x*", `(?i)^(https?://.*)?`} {
		if p := withPattern(t, all); p.Guards() {
			t.Errorf("%q restricts something", all)
		}
	}
}

func TestConnect(t *testing.T) {
	for line := range rowsOf(t, "testdata/connects.txt") { // a pattern, a connection, and how much may be reached there
		var re, ask string
		var want Reach
		if _, err := fmt.Sscanf(line, "%q %q %d", &re, &ask, &want); err != nil {
			t.Fatal(line, err)
		}
		f := strings.Split(ask, " ")
		got, err := withPattern(t, re).Connect(f[0], f[1], f[2])
		if got != want || (err == nil) != (want != Nothing) {
			t.Errorf("%s: %s: %v, %v; want %v", re, ask, got, err, want)
		}
	}
	p := mustNew(t, Options{Allowed: []string{"a.com"}})
	if r, err := p.Connect("https", "a.com", "443"); r != Everything || err != nil {
		t.Error(r, err)
	}
	if _, err := p.Connect("https", "b.com", "443"); err == nil {
		t.Error("the list does not hold")
	}
}

func TestHostsDecide(t *testing.T) {
	for re, want := range map[string]bool{
		seed: true, `^https://([a-z]+\.)?example\.com/`: true, `^https?://`: true, `^http://localhost/x`: true, `^https?://localhost`: true, `^https://[^/]+\.example\.com/`: true,
		`^https://example\.com/app/`: false, `example\.com/`: false, `^https://example\.com/$`: false, `^https://.*\.example\.com/`: false, `^https?://[^/]*/x`: false,
		`^https://a\.com/|^https://b\.com/x`: false, `^https://[^/]*[ab][^/]{12}\.com/`: false, // too large to decide
	} {
		if got := withPattern(t, re).HostsDecide(); got != want {
			t.Errorf("%s: %v", re, got)
		}
	}
	if !mustNew(t, Options{}).HostsDecide() {
		t.Error("no pattern")
	}
}
