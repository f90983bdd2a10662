//go:build evidence

package main

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestPeerPageTools: a page offers tools with --page-tools, unless --no-webmcp is given too.
func TestPeerPageTools(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPageTools of tests/eachtool is quick")
	t.Parallel()
	for flag, want := range map[string]string{"--page-tools": "", "--no-webmcp": "start pwpipe with --page-tools"} {
		s, _ := startPeer(t, nil, "--headless", "--page-tools", flag)
		callTool(t, s, "browser_navigate", map[string]any{"url": "about:blank"})
		if got, failed := callTool(t, s, "page-tools", nil); failed != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s: %s", flag, got)
		}
	}
}

// TestPeerTestIDs: code in answers finds elements by the attribute of --test-id-attribute, in the
// page and in its frames, and calls with such code find them.
func TestPeerTestIDs(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestPeerTools is quick")
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<button data-testid="other" data-tid="submit">Submit</button>
			<iframe srcdoc='<button data-tid="inner">Inner</button>'></iframe>`))
	}))
	t.Cleanup(site.Close)
	s, _ := startPeer(t, nil, "--headless", "--test-id-attribute", "data-tid")
	got, _ := callTool(t, s, "browser_navigate", map[string]any{"url": site.URL})
	snapshot, _ := callTool(t, s, "browser_snapshot", map[string]any{})
	for name, code := range map[string]string{"Submit": "page.getByTestId('submit')", "Inner": ".contentFrame().getByTestId('inner')"} {
		ref := regexp.MustCompile(`button "` + name + `" (?:\[active\] )?\[ref=(\w+)\]`).FindStringSubmatch(snapshot)
		if ref == nil {
			t.Fatalf("no ref of %s in %s, after %s", name, snapshot, got)
		}
		if got, _ := callTool(t, s, "browser_click", map[string]any{"target": ref[1]}); !strings.Contains(got, code+".click();") {
			t.Errorf("%s: got %s", name, got)
		}
	}
	got, _ = callTool(t, s, "browser_click", map[string]any{"target": "getByTestId('submit')"})
	if !strings.Contains(got, "page.getByTestId('submit').click();") {
		t.Errorf("by its test id: got %s", got)
	}
}
