package features_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"pwpipe/cmd/program"
	"pwpipe/provider"
)

// TestBrowsersThatFit: auto is one browser per core and GiB, as far as they are known.
func TestBrowsersThatFit(t *testing.T) {
	for _, c := range []struct {
		memory      int64
		cores, want int
	}{{15 << 30, 4, 4}, {3 << 30, 8, 3}, {2 << 30, 8, 2}, {500 << 20, 8, 1}, {0, 6, 6}, {1 << 30, 6, 1}} {
		if got := program.BrowsersThatFit(c.cores, c.memory); got != c.want {
			t.Errorf("%d cores, %d bytes: %d browsers, want %d", c.cores, c.memory, got, c.want)
		}
	}
}

// An unknown method name is not logged: it may be anything, such as a key.
func TestNamesOfNoToolAreNotLogged(t *testing.T) {
	var out strings.Builder
	spec := provider.Spec{Name: "echo", Title: "Echo", Doc: "Says it again", Profile: "core", Timeout: time.Second, Effect: provider.Reads}
	table := provider.NewTable([]*provider.Tool{provider.Define(spec, func(context.Context, struct{}) (string, error) { return "", nil })}, provider.TableOptions{})
	log := program.Observer(slog.New(slog.NewTextHandler(&out, nil)), table)
	failed := provider.Errorf(provider.KindFailed, "no")
	log(t.Context(), provider.Request{Tool: "echo", Page: "p12"}, time.Second, failed)
	log(t.Context(), provider.Request{Tool: "echo", Page: "key-0123456789abcdef"}, time.Second, failed)
	log(t.Context(), provider.Request{Tool: "key-0123456789abcdef"}, time.Second, failed)
	if got := out.String(); !strings.Contains(got, "tool=echo") || !strings.Contains(got, "page=p12") || !strings.Contains(got, "tool=unknown") || strings.Contains(got, "0123456789") {
		t.Error(got)
	}
}

// TestHowInstalled: pwpipe knows from its folder how it was installed.
func TestHowInstalled(t *testing.T) {
	for path, want := range map[string]string{
		"/opt/homebrew/Cellar/pwpipe/1.2.3/bin/pwpipe":      "brew upgrade",
		`C:\Users\ann\scoop\apps\pwpipe\current\pwpipe.exe`: "scoop update",
		"/usr/bin/pwpipe":  "deb or rpm",
		"/home/ann/pwpipe": "replace this file",
	} {
		if got := program.HowInstalled("", path); !strings.Contains(got, want) {
			t.Errorf("%s: %q", path, got)
		}
	}
}
