package urlglob

import (
	"strings"
	"testing"
)

// The results are those of Playwright 1.52.
func TestGlobsAreReadAsPlaywrightDoes(t *testing.T) {
	for _, c := range []struct {
		glob, base, url string
		matches         bool
	}{
		{"**/*", "", "http://a.test/x/y?z=1", true},
		{"**/*.js", "", "http://a.test/d/x.js", true},
		{"**/*.js", "", "http://a.test/x.json", false},
		{"*.js", "", "http://a.test/x.js", false},
		{"http://a.test/*.js", "", "http://a.test/x.js", true},
		{"http://a.test/*.js", "", "http://a.test/d/x.js", false},
		{"http://a.test/**/*.js", "", "http://a.test/x.js", true},
		{"http://a.test/**/*.js", "", "http://a.test/d/e/x.js", true},
		{"http://a.test/**", "", "http://a.test/", true},
		{"http://a.test/**", "", "http://a.test/d/e", true},
		{"http://a.test/d**", "", "http://a.test/d/e", false},
		{"http://a.test/d**", "", "http://a.test/de", true},
		{"**/{a,b}", "", "http://a.test/b", true},
		{"**/{a,b}", "", "http://a.test/c", false},
		{"**/*.{png,jpg,jpeg}", "", "http://a.test/i.jpeg", true},
		{"**/*.{png,jpg,jpeg}", "", "http://a.test/i.css", false},
		{"**/api/**", "", "http://a.test/api/", true},
		{"**/api/**", "", "http://a.test/api", false},
		{"**/api/**", "", "http://a.test/v1/api/x/y", true},
		{"**/a?b=c", "", "http://a.test/a?b=c", true},
		{"**/a?b=c", "", "http://a.test/aXb=c", false},
		{"**/a\\?b=c", "", "http://a.test/a?b=c", true},
		{"http://a.test", "", "http://a.test/", true},
		{"http://a.test?x=y", "", "http://a.test/?x=y", true},
		{"h*://a.test", "", "http://a.test/", true},
		{"http://*.a.test?x=y", "", "http://b.a.test/?x=y", true},
		{"http://a.?est", "", "http://a.test/", false},
		{"http://a.test/f??", "", "http://a.test/foo", false},
		{"http://a.test/f??", "", "http://a.test/f??", true},
		{"?x=y", "http://a.test", "http://a.test/?x=y", true},
		{"./bar?x=y", "http://a.test/foo/", "http://a.test/foo/bar?x=y", true},
		{"../bar", "http://a.test/foo/baz/", "http://a.test/foo/bar", true},
		{"/api/*", "http://a.test/foo/", "http://a.test/api/1", true},
		{"/api/*", "http://a.test/foo/", "http://b.test/api/1", false},
		{"**/foo", "http://first.test/", "http://second.test/foo", true},
		{"*//localhost/", "http://a.test/", "http://localhost/", true},
		{"api", "http://a.test/foo", "http://a.test/api", true},
		{"a.test", "", "http://a.test/", false},
		{"\\{a\\}", "http://a.test/", "http://a.test/{a}", true},
		{"**/[a]", "", "http://a.test/[a]", true},
		{"**/a,b", "", "http://a.test/a,b", true},
		{"**/a+b$", "", "http://a.test/a+b$", true},
		{"**/**/**/x", "", "http://a.test/x", true},
		{"**/**/**/x", "", "http://a.test/1/2/3/x", true},
		{"/**/x", "http://a.test/", "http://a.test/q/x", true},
		{"***/x", "", "http://a.test/q/x", true},
		{"**x", "", "http://x", false},
		{"**", "", "http://a.test/anything/at?all", true},
		{"HTTP://A.TEST/*", "", "http://a.test/x", false},
		{"http://a.test:80/*", "", "http://a.test/x", false},
		{"**/ü", "", "http://a.test/%C3%BC", false},
		{"**/{a,b}/{c,d}", "", "http://a.test/b/c", true},
		{"*", "", "http://a.test/x", false},
		{"", "", "http://a.test/", true},
		{"data:*", "", "data:text/html,x", false},
		{"about:blank", "", "about:blank", true},
		{"http*://**/x", "", "https://a.test/d/x", true},
		{"**/{a},b", "", "http://a.test/a,b", true},
		{`http://a.test/a\\?b=c`, "", "http://a.test/a?b=c", true},
		{"http://a.test/x:/*", "", "http://a.test/x:/y", true},
		{strings.Repeat("*", maxGlob), "", "http://a.test/", true},
	} {
		g, err := Compile(c.glob, c.base)
		if err != nil {
			t.Errorf("%q: %v", c.glob, err)
		} else if g.Match(c.url) != c.matches {
			t.Errorf("%q with base %q matches %s: %v", c.glob, c.base, c.url, !c.matches)
		}
	}
}

func TestSocketsHaveTheBaseOfTheirPage(t *testing.T) {
	g, err := CompileSocket("/ws", "https://a.test/x")
	if err != nil || !g.Match("wss://a.test/ws") || g.Match("https://a.test/ws") {
		t.Errorf("%+v, %v", g, err)
	}
}

func TestGlobsThatAreNone(t *testing.T) {
	for _, glob := range []string{"**/{a", "**/a}", strings.Repeat("*", maxGlob+1)} {
		if _, err := Compile(glob, ""); err == nil {
			t.Errorf("%.30q is taken", glob)
		}
	}
}

// FuzzGlobs: every glob terminates, and none panics. A backtracking matcher does not
// terminate on the first of these.
func FuzzGlobs(f *testing.F) {
	deep := "http://a.test" + strings.Repeat("/x", 60)
	f.Add(strings.Repeat("**/", 14)+"zz", "", deep)
	f.Add(strings.Repeat("*/**/", 14)+"zz", "", deep)
	f.Add("**/"+strings.Repeat("{a,aa,*}", 40)+"zz", "", "http://a.test/"+strings.Repeat("a", 60))
	f.Add(`\{?a/../b`, "http://a.test/c/", "http://a.test/b")
	f.Fuzz(func(t *testing.T, glob, base, url string) {
		if g, err := Compile(glob, base); err == nil {
			g.Match(url)
		}
	})
}
