package policy

import (
	"fmt"
	"iter"
	"net/netip"
	"os"
	"strings"
	"testing"
)

func mustNew(t *testing.T, o Options) *Policy {
	t.Helper()
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// rowsOf are the lines of a table.
func rowsOf(t *testing.T, file string) iter.Seq[string] {
	t.Helper()
	table, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Lines(string(table))
}

func TestNavigateWithAList(t *testing.T) {
	p := mustNew(t, Options{Allowed: Split("a.com, B.Org,bücher.example,127.0.0.1,[::1]"), Blocked: Split("bad.a.com")})
	for line := range rowsOf(t, "testdata/navigate.txt") { // a URL, and whether a page may go there
		var raw string
		var want bool
		if _, err := fmt.Sscanf(line, "%q %t", &raw, &want); err != nil {
			t.Fatal(line, err)
		}
		if err := p.Navigate(raw, "https://a.com/base/"); (err == nil) != want {
			t.Errorf("%q: allowed = %v, want %v (%v)", raw, err == nil, want, err)
		}
	}
}

func TestEmptyListAllowsNothing(t *testing.T) {
	p := mustNew(t, Options{Allowed: Split("")})
	if p.Navigate("https://a.com", "") == nil || p.Host("127.0.0.1") == nil {
		t.Error("an empty list allowed something")
	}
	if err := p.Navigate("about:blank", ""); err != nil {
		t.Error(err)
	}
}

func TestWithoutAList(t *testing.T) {
	for _, allow := range []bool{false, true} {
		p := mustNew(t, Options{AllowFile: allow})
		for raw, want := range map[string]bool{
			"https://anything.example/": true, "data:text/html,hi": true, "about:blank": true,
			"file:///etc/passwd": allow, "FILE:///x": allow, "chrome://version": allow, "about:version": allow,
			"view-source:https://a.com": allow, "view-source:file:///x": allow, "devtools://x": allow,
		} {
			if err := p.Navigate(raw, ""); (err == nil) != want {
				t.Errorf("allow-file %v: %q: %v", allow, raw, err)
			}
		}
		if p.Guards() || (p.Request("file:///x") == nil) != allow {
			t.Errorf("allow-file %v: nothing restricts hosts, and files are read or not", allow)
		}
	}
}

func TestBlockedWithoutAllowed(t *testing.T) {
	p := mustNew(t, Options{Blocked: Split("evil.com,127.0.0.2")})
	for raw, want := range map[string]bool{
		"https://a.com/": true, "https://evil.com/": false, "https://x.EVIL.com./": false,
		"http://0x7f000002/": false, "http://[::ffff:127.0.0.2]/": false, "http://127.0.0.1/": true,
		"http://[64:ff9b::7f00:2]/": false, "http://[::127.0.0.2]/": false, "http://[2002:7f00:2::]/": false,
	} {
		if err := p.Navigate(raw, ""); (err == nil) != want {
			t.Errorf("%q: %v", raw, err)
		}
		if ftp := "ftp" + raw[strings.Index(raw, ":"):]; (p.Request(ftp) == nil) != want {
			t.Errorf("a request of %s: %v", ftp, !want)
		}
	}
	if p.Addr(netip.MustParseAddr("::ffff:127.0.0.2")) == nil || p.Addr(netip.MustParseAddr("64:ff9b::7f00:2")) == nil {
		t.Error("a name may resolve to the blocked address")
	}
	names := mustNew(t, Options{Blocked: Split("evil.com")})
	if !p.Guards() || !p.Lists() || !p.JudgesAddresses() || !names.Guards() || !names.Lists() ||
		names.JudgesAddresses() {
		t.Error("what a proxy must see to")
	}
}

func TestEntriesThatAreNoHosts(t *testing.T) {
	for _, e := range []string{"https://a.com", "a.com:443", "a.com/x", "*.a.com", ".a.com", "a b", "u@a.com", "[::1]:80", "1.2.3.256", "a.com?x"} {
		if _, err := New(Options{Allowed: []string{e}}); err == nil || !strings.Contains(err.Error(), "allowed domains") {
			t.Errorf("%q: %v", e, err)
		}
	}
	for _, list := range [][]string{{"a.com"}, {}} {
		if _, err := New(Options{Allowed: list, AllowFile: true}); err == nil {
			t.Errorf("%q and allow-file", list)
		}
	}
}

func TestPrivate(t *testing.T) {
	p := mustNew(t, Options{BlockPrivate: true})
	for raw, want := range map[string]bool{
		"127.0.0.1": true, "127.255.1.1": true, "10.1.2.3": true, "172.16.0.1": true, "192.168.1.1": true,
		"169.254.169.254": true, "100.100.100.200": true, "0.0.0.0": true, "255.255.255.255": true, "224.0.0.1": true,
		"::1": true, "::": true, "fe80::1": true, "fd00:ec2::254": true, "::ffff:10.0.0.1": true, "64:ff9b::a00:1": true,
		"2002:7f00:1::": true, "2002:c0a8:101:808::": true, "2002:808:808:c0a8::": false,
		"::7f00:1": true, "fec0::1": true, "198.18.0.1": true, "198.19.255.1": true,
		"::ffff:0:8.8.8.8": true, "168.63.129.16": true, "168.63.129.17": false,
		"8.8.8.8": false, "172.32.0.1": false, "2606:4700::1111": false, "64:ff9b::808:808": false, "100.128.0.1": false,
	} {
		a := netip.MustParseAddr(raw)
		if IsPrivate(a) != want || (p.Addr(a) != nil) != want {
			t.Errorf("%s: private = %v, want %v", raw, IsPrivate(a), want)
		}
	}
	for _, raw := range []string{"http://0x7f.1/", "http://2852039166/", "http://[::ffff:a9fe:a9fe]/"} {
		if p.Navigate(raw, "") == nil {
			t.Errorf("%s passed", raw)
		}
	}
}

func TestPageURLs(t *testing.T) {
	p := mustNew(t, Options{Allowed: []string{"a.com"}})
	for raw, want := range map[string]bool{
		"": true, "about:blank": true, "chrome-error://chromewebdata/": true, "https://a.com/": true,
		"https://evil.com/": false, "blob:https://a.com/1": false, "data:text/html,x": false,
	} {
		if err := p.At(raw); (err == nil) != want {
			t.Errorf("%q: %v", raw, err)
		}
	}
	if p.Navigate("chrome-error://chromewebdata/", "") == nil {
		t.Error("the error page can be asked for")
	}
}

// A blob URL has its page's origin: here of files and of the browser's own pages.
func TestBlobs(t *testing.T) {
	p, files := mustNew(t, Options{}), mustNew(t, Options{AllowFile: true})
	for raw, want := range map[string]bool{
		"blob:https://a.com/1b4f":           true,
		"blob:null/1b4f":                    true,
		"blob:chrome-extension://abcd/1b4f": false,
		"blob:Chrome://settings/1b4f":       false,
		"blob:file:///1b4f":                 false,
	} {
		if err := p.At(raw); (err == nil) != want {
			t.Errorf("%s: %v", raw, err)
		}
		if err := files.At(raw); err != nil {
			t.Errorf("with files %s: %v", raw, err)
		}
	}
}
