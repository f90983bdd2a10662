package main

import (
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestOriginsThatAreNone: a list of origins that is separated otherwise, or has what is no origin, is refused. It
// blocked another host, such as "http", and what was meant was reached.
func TestOriginsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"http://a.example,http://b.example", "http:/a.example", "http:a.example", "https://", ":80",
		"a.example/path", "https://a.example/path", "a.example;file:///tmp"} {
		for _, flag := range []string{"--blocked-origins", "--allowed-origins"} {
			if _, stderr, status := pipetest.Run(t, "", "mcp", flag, list); status == 0 || !strings.Contains(stderr, "is neither an origin") {
				t.Errorf("%s %s: status %d, %s", flag, list, status, stderr)
			}
		}
	}
	if _, stderr, status := pipetest.Run(t, "", "mcp", "--blocked-origins", "HTTPS://a.example:8443;b.example:*;[::1]:80;//c"); status == 0 ||
		!strings.Contains(stderr, `"//c" is neither`) {
		t.Errorf("status %d, %s", status, stderr)
	}
}
