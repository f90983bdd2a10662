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
	list, err := os.ReadFile("testdata/flags.txt")
	for row := range strings.Lines(strings.ReplaceAll(string(list), "PAC", pac)) {
		line, want, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "=>")
		want = strings.TrimSpace(want)
		o, f := Options{Program: &Program{}}, pflag.NewFlagSet("", pflag.ContinueOnError)
		o.Register(ofPipe, f)
		if err == nil {
			err = f.Parse(strings.Fields(line))
		}
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
		err = nil
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
		{"a.example:5", ""}: "a.example:5 false", {"a:65536", ""}: "--addr: expected a port",
		{"", "65536"}: "PORT: expected",
		{"a:b", ""}:   "--addr: expected a port",
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
