package policy

import (
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
	for re, urls := range map[string]map[string]bool{
		seed: {
			"http://localhost:8080": true, "http://localhost:8080/": true, "HTTP://LOCALHOST:8080/": true, "https://localhost": true,
			"http://localhost?x": true, "http://localhost#x": true, " http://localhost:8080/x\n": true, "http:\\\\localhost\\x": true,
			"http://user:pass@localhost/": true, "http://127.1/": true, "http://0x7f.0.0.1:80/": true, "http://2130706433/": true,
			"http://loc%61lhost/": true, "http:localhost": true, "ws://localhost:8080/ws": true, "wss://LOCALHOST/ws": true,
			"blob:http://localhost:8080/0123": true, "about:blank": true, "http://localhost:08080/": true,
			"http://localhost.evil.com/": false, "http://localhost@evil.com/": false, "http://localhost:80@evil.com/": false,
			"http://localhost:80%2f@evil.com/": false, "http://localhost%2f@evil.com/": false, "http://localhost%2fevil.com/": false,
			"http://evil.com/http://localhost/": false, "http://evil.com/?http://localhost/": false, "http://evil.com#http://localhost/": false,
			"http://evil.com\\@localhost/": false, "http://notlocalhost/": false, "http://127.0.0.2/": false, "http://127.0.0.1.evil.com/": false,
			"http://[::1]/": false, "http://localhost.:8080/": false, "ftp://localhost/": false, "file://localhost/etc/passwd": false, "file:///etc/passwd": false,
			"data:text/html,http://localhost/": false, "javascript:fetch('http://localhost/')": false, "blob:http://evil.com/http://localhost/": false,
			"blob:blob:http://localhost/": false, "view-source:http://localhost/": false, "http:/\t/evil.com/": false, "//evil.com/": false,
			"chrome://version/": false, "http://evil。com/": false, "http://ⓛocalhost/": true, "http://localhost\u00ad/": true, "http://localhost:99999/": false,
		},
		`^https://([a-z]+\.)?example\.com/`: {
			"https://example.com": true, "https://WWW.EXAMPLE.COM/x": true, "https://example.com:443/": true, "wss://www.example.com/": true,
			"https://example.com:8443/": false, "http://example.com/": false, "https://example.com.evil.com/": false, "https://a.b.example.com/": false,
			"https://exampleXcom/": false, "https://www.example.com@evil.com/": false, "ws://example.com/": false,
		},
		`^https?://app\.example(:\d+)?/shop(/|$)`: {
			"http://app.example/shop": true, "http://app.example/shop/x": true, "http://app.example/shop#x": true, "http://app.example/shop?x": false,
			"http://app.example/shopping": false, "http://app.example/x/../shop": true, "http://app.example/shop/../admin": false, "http://app.example/shop/%2e%2e/admin": false,
		},
		// An unanchored pattern matches anywhere, but not in user info or fragments.
		`localhost:8080/`: {
			"http://localhost:8080": true, "http://evil.com/?localhost:8080/": true, "http://localhost:8080@evil.com/": false, "http://evil.com/#localhost:8080/": false,
			"http://u:localhost:8080%2f@evil.com/": false,
		},
		`^data:|^https?://localhost/`: {"data:text/html,x": true, "http://localhost": true, "http://evil.com/": false},
		`^blob:https://a\.com/`:       {"blob:https://a.com/1": true, "blob:https://a.com.evil.com/1": false, "https://a.com/": false},
		`^ftp://a\.com/`:              {"ftp://a.com/x": true, "ftp://u:p@a.com/x": true, "ftp://a.com@evil.com/": false},
		`^wss://`:                     {"wss://a.com/": true, "https://a.com/": false, "ws://a.com/": false},
	} {
		p := withPattern(t, re)
		for raw, want := range urls {
			judge := func(raw string) error { return p.Navigate(raw, "") }
			if strings.HasPrefix(raw, "ws") || strings.HasPrefix(re, "^ftp") { // what pages request, and never go to
				judge = p.Request
			}
			if err := judge(raw); (err == nil) != want {
				t.Errorf("%s: %q: allowed = %v, want %v (%v)", re, raw, err == nil, want, err)
			}
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
	for re, asks := range map[string]map[string]Reach{
		seed: {
			"https localhost 443": Everything, "http localhost 80": Everything, "http 127.0.0.1 8080": Everything, "https 2130706433 1": Everything, "https LOCALHOST 1": Everything,
			"https evil.com 443": Nothing, "http localhost.evil.com 80": Nothing, "http ::1 80": Nothing, "https localhost. 443": Nothing, "http 127.0.0.2 80": Nothing,
		},
		`^https://([a-z]+\.)?example\.com/`: {
			"https example.com 443": Everything, "https www.example.com 443": Everything, "https example.com 8443": Nothing, "http example.com 80": Nothing,
			"https evil.com 443": Nothing, "https example.com.evil.com 443": Nothing,
		},
		`^https?://app\.example/shop`:      {"https app.example 443": Something, "http app.example 80": Something, "https evil.com 443": Nothing},
		`^https?://app\.example/$`:         {"https app.example 443": Something, "https evil.com 443": Nothing},
		`^https?://app\.example/\b`:        {"https app.example 443": Something},
		`^https?://app\.example/(?m:$)`:    {"https app.example 443": Something},
		`^https?://app\.example`:           {"https app.example 443": Everything, "https app.example.evil.com 443": Everything, "https evil.com 443": Nothing},
		`example\.com/`:                    {"https example.com 443": Everything, "https evil.com 443": Something},
		`^wss?://app\.example/live`:        {"https app.example 443": Something, "http app.example 80": Something, "https evil.com 443": Nothing},
		`^wss://app\.example/`:             {"https app.example 443": Something, "http app.example 80": Nothing},
		`(?i)^HTTPS://APP\.EXAMPLE/`:       {"https app.example 443": Everything},
		`^https://\[::1\]:8443/`:           {"https ::1 8443": Everything, "https [::1] 8443": Everything, "https ::1 443": Nothing},
		`^https://[^/]*\.example\.com/[a]`: {"https a.example.com 443": Something, "https a.example.org 443": Nothing},
		`^data:`:                           {"https a.com 443": Nothing},
	} {
		p := withPattern(t, re)
		for ask, want := range asks {
			f := regexp.MustCompile(" ").Split(ask, 3)
			got, err := p.Connect(f[0], f[1], f[2])
			if got != want || (err == nil) != (want != Nothing) {
				t.Errorf("%s: %s: %v, %v; want %v", re, ask, got, err, want)
			}
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
