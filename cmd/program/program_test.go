package program

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"pwpipe/handlers"
)

// TestOptions: the bounds of flags, what goes together, and what does not.
func TestOptions(t *testing.T) {
	pac := filepath.Join(t.TempDir(), "x.pac")
	if err := os.WriteFile(pac, []byte("f"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"": "", "--timeout 3600": "", "--timeout 3600.1": "at most an hour",
		"--max-pages 0": "", "--max-pages -1": "expected a number from 0",
		"--outline-tokens 100": "", "--outline-tokens 99": "from 100 to 100000",
		"--outline-tokens 100000": "", "--outline-tokens 100001": "from 100 to 100000",
		"--max-image 0": "", "--max-image 64": "", "--max-image 63": "from 64 to 16384",
		"--max-image 16384": "", "--max-image 16385": "from 64 to 16384",
		"--lang de": "expected en or zh", "--act-outline all": "expected auto, diff or none",
		"--browser-sandbox maybe": "expected auto, on or off", "--frame-rate fast": "expected screen or unlimited",
		"--frame-rate unlimited": "", "--frame-rate unlimited --browser firefox": "leave it out",
		"--frame-rate unlimited --browser webkit": "leave it out", "--frame-rate unlimited --ws ws://a": "leave it out",
		"--browser-sandbox on --cdp 9222": "leave it out", "--browser-sandbox off --cdp 9222": "",
		"--user-data-dir d --ws ws://a": "leave it out", "--base-url https://a.example/x": "",
		"--base-url ftp://a.example": "expected http://", "--base-url https://": "expected http://",
		"--proxy-bypass a": "belongs to --proxy-server", "--proxy-server http://a:1 --proxy-bypass a": "",
		"--proxy-server http://a:1 --cdp 9222":                     "leave it out",
		"--proxy-server http://a:1 --block-private":                "looks names up by itself",
		"--proxy-server http://a:1 --blocked-domains 10.0.0.1":     "looks names up by itself",
		"--proxy-server http://a:1 --blocked-domains evil.example": "",
		"--proxy-pac " + pac:                                       "name a whole one", "--proxy-pac " + pac + " --browser chrome": "",
		"--proxy-pac " + pac + " --browser chromium":                "name a whole one",
		"--proxy-pac " + pac + " --browser chrome --proxy-bypass a": "give one of",
		"--proxy-pac " + pac + " --browser chrome --cdp 9222":       "leave it out",
		"--proxy-pac " + pac + " --browser chrome --block-private":  "can't be enforced",
		"--proxy-pac " + pac + "none --browser chrome":              "--proxy-pac: ",
		"--proxy-pac http://a/x.pac --browser chrome":               "",
		"--cdp 65535": "", "--cdp 65536": "expected a port", "--cdp :9222": "", "--cdp a:": "expected a port",
	} {
		o, f := Options{Program: &Program{}}, pflag.NewFlagSet("", pflag.ContinueOnError)
		o.Register(ofPipe, f)
		err := f.Parse(strings.Fields(line))
		for _, into := range []func(*handlers.Config) error{
			func(*handlers.Config) error { return o.check() }, o.cdpInto, o.Guard.into, o.Proxy.into,
		} {
			if err == nil {
				err = into(&o.Config)
			}
		}
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// TestAddresses: what --cdp and --addr take for an address, and PORT below --addr. Only loopback needs no key.
func TestAddresses(t *testing.T) {
	for given, want := range map[string]string{
		"9222": "http://127.0.0.1:9222", "a:1": "http://a:1", ":1": "http://127.0.0.1:1", "[::1]:1": "http://[::1]:1",
		"ws://a/b": "ws://a/b", "": "",
	} {
		if got, err := (&Program{}).cdpURL(given); got != want || err != nil {
			t.Errorf("--cdp %s: %s, %v", given, got, err)
		}
	}
	for given, want := range map[[2]string]string{
		{"", ""}: "127.0.0.1:3337 true", {"", "80"}: "127.0.0.1:80 true", {"1.2.3.4:5", "80"}: "1.2.3.4:5 false",
		{"5", "80"}: "127.0.0.1:5 true", {":5", ""}: "127.0.0.1:5 true", {"localhost:5", ""}: "127.0.0.1:5 true",
		{"127.9.9.9:5", ""}: "127.9.9.9:5 true", {"[::1]:5", ""}: "[::1]:5 true", {"[::]:5", ""}: "[::]:5 false",
		{"a.example:5", ""}: "a.example:5 false", {"a:65536", ""}: "--addr: expected a port", {"", "65536"}: "PORT: expected",
		{"a:b", ""}: "--addr: expected a port",
	} {
		t.Setenv("PORT", given[1])
		addr, loopback, err := (&serveOptions{addr: given[0]}).address()
		got := fmt.Sprint(addr, " ", loopback)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("--addr %s with PORT=%s: %s, want %s", given[0], given[1], got, want)
		}
	}
}
