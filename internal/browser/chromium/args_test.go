package chromium

import (
	"slices"
	"strings"
	"testing"
)

var asked = []string{"--headless", "--proxy-server=http://127.0.0.1:4711", "--user-data-dir=/tmp/run/theirs", "--remote-debugging-pipe", "--no-startup-window"}

// A launch that was learned becomes the next one, with its own profile and
// proxy, which is what the driver asks for then.
func TestLearnAndFill(t *testing.T) {
	learned := Learn(asked, Own{Profile: "/tmp/run/ours", Proxy: "http://127.0.0.1:4711"})
	if all := strings.Join(learned, " "); strings.Contains(all, "4711") || strings.Contains(all, "/tmp") {
		t.Errorf("learned %s", all)
	}
	next := slices.Clone(asked)
	next[1], next[2] = "--proxy-server=http://127.0.0.1:4712", "--user-data-dir=/tmp/next/theirs"
	filled := Fill(learned, Own{Profile: "/tmp/next/profile", Proxy: "http://127.0.0.1:4712"})
	if difference(filled, next, "/tmp/next") != "" {
		t.Errorf("%q is not %q", filled, next)
	}
	if kept := Fill(learned, Own{Profile: "/home/me/profile", Proxy: "http://127.0.0.1:4712"}); difference(kept, next, "/tmp/next") == "" {
		t.Errorf("%q is taken for %q", kept, next)
	}
}

func TestSame(t *testing.T) {
	for name, test := range map[string]struct {
		change func([]string) []string
		same   bool
	}{
		"equal":               {func(a []string) []string { return a }, true},
		"profile of the run":  {func(a []string) []string { a[2] = "--user-data-dir=/tmp/run/profile"; return a }, true},
		"profile elsewhere":   {func(a []string) []string { a[2] = "--user-data-dir=/tmp/runs/profile"; return a }, false},
		"no profile":          {func(a []string) []string { return slices.Delete(a, 2, 3) }, false},
		"one more":            {func(a []string) []string { return append(a, "--no-sandbox") }, false},
		"another":             {func(a []string) []string { a[0] = "--no-sandbox"; return a }, false},
		"another order":       {func(a []string) []string { a[0], a[3] = a[3], a[0]; return a }, false},
		"none":                {func([]string) []string { return nil }, false},
		"two where one was":   {func(a []string) []string { return append(a, a[4]) }, false},
		"another proxy":       {func(a []string) []string { a[1] = "--proxy-server=http://127.0.0.1:1"; return a }, false},
		"the temp folder too": {func(a []string) []string { a[0] = "--user-data-dir=/tmp/run/x"; return a }, false},
	} {
		started := test.change(slices.Clone(asked))
		if got := difference(started, asked, "/tmp/run") == ""; got != test.same {
			t.Errorf("%s: %v, %q", name, got, difference(started, asked, "/tmp/run"))
		}
	}
}

// The remembered arguments come from a file that may be damaged.
func TestFillDoubts(t *testing.T) {
	good := Learn(asked, Own{})
	if Fill(good, Own{Profile: "/p"}) == nil {
		t.Fatal("what is good is refused")
	}
	for name, bad := range map[string][]string{
		"nothing": nil, "no profile": slices.DeleteFunc(slices.Clone(good), func(a string) bool { return strings.HasPrefix(a, profileFlag) }),
		"no pipe":   slices.DeleteFunc(slices.Clone(good), func(a string) bool { return a == pipeFlag }),
		"a page":    append(slices.Clone(good), "https://example.com"),
		"NUL":       append(slices.Clone(good), "--a\x00b"),
		"empty":     append(slices.Clone(good), ""),
		"too long":  append(slices.Clone(good), "--"+strings.Repeat("a", longestArg)),
		"too many":  append(slices.Clone(good), slices.Repeat([]string{"--a"}, maxArgs)...),
		"a profile": append(slices.Clone(good), profileFlag+"/home/me"),
		"a port":    append(slices.Clone(good), "--remote-debugging-port=9222"),
	} {
		if got := Fill(bad, Own{Profile: "/p"}); got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}
