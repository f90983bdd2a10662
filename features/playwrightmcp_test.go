package features_test

import (
	"fmt"
	"strings"
	"testing"

	"pwpipe/features/playwrightmcp"
	"pwpipe/internal/pipetest"
	"pwpipe/internal/policy"
)

// TestDocsOfPeerFlags: docs/playwright-mcp.md says what each flag of Playwright MCP does here.
func TestDocsOfPeerFlags(t *testing.T) {
	table := "\n| flag, or member of the file | variable | here |\n|---|---|---|\n"
	for _, s := range playwrightmcp.Settings() {
		flag, variable := "`--"+s.Name+"`", "`"+s.Variable+"`"
		if s.Name == "" {
			flag = "`" + strings.Join(s.File, "`, `") + "`"
		}
		row := "| " + flag + " | " + variable + " | " + strings.ReplaceAll(s.Here, "|", "\\|") + " |\n"
		table += strings.ReplaceAll(row, "``", "")
	}
	pipetest.GoldenSection(t, "../docs/playwright-mcp.md", "flags", table)
}

// TestPeerFlagVariables: testdata/playwrightmcp.txt has the settings of `pwpipe mcp` as Playwright
// MCP names them: the flag, the variable and the places in a file.
func TestPeerFlagVariables(t *testing.T) {
	var text strings.Builder
	for _, s := range playwrightmcp.Settings() {
		if s.Name == "" {
			continue
		}
		fmt.Fprintf(&text, "--%s (%s)", s.Name, s.Kind)
		if s.Variable != "" {
			fmt.Fprintf(&text, " %s", s.Variable)
		}
		if len(s.File) > 0 {
			fmt.Fprintf(&text, " file: %s", strings.Join(s.File, ", "))
		}
		text.WriteByte('\n')
	}
	pipetest.Golden(t, "testdata/playwrightmcp.txt", text.String())
}

// TestOriginsHaveSchemesAndPorts: a list of origins allows their schemes and ports, with WebSockets. Where one is only
// a host, hosts alone decide.
func TestOriginsHaveSchemesAndPorts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		origins       []string
		allow, refuse []string
	}{
		{[]string{"http://localhost:*"}, []string{"http://localhost/a", "http://localhost:8080/", "ws://localhost:1/x"},
			[]string{"https://localhost:8080/", "wss://localhost/", "http://example.com/"}},
		{[]string{"https://shop.example", "http://Api.example:3000"},
			[]string{"https://shop.example/a?b", "https://eu.shop.example/", "https://shop.example:443/", "wss://shop.example/feed", "http://api.example:3000/", "http://v2.api.example:3000/"},
			[]string{"http://shop.example/", "https://shop.example:8443/", "https://api.example:3000/", "http://api.example/", "https://notshop.example/", "https://shop.example.evil.example/"}},
		{[]string{"https://bücher.example", "http://[::1]:9000"}, []string{"https://xn--bcher-kva.example/", "http://[::1]:9000/"},
			[]string{"http://xn--bcher-kva.example/", "http://[::1]:9001/", "https://[::1]:9000/"}},
		{[]string{"https://shop.example", "api.example:3000"}, []string{"http://shop.example/", "https://api.example/"}, []string{"https://other.example/"}},
	} {
		only, err := playwrightmcp.Origins(c.origins)
		if err != nil {
			t.Fatal(err)
		}
		p, err := policy.New(only)
		if err != nil || !p.HostsDecide() {
			t.Fatalf("%v: %v, or a proxy can't decide by host and port", c.origins, err)
		}
		for _, url := range c.allow {
			if err := p.Request(url); err != nil {
				t.Errorf("%v: %s: %v", c.origins, url, err)
			}
		}
		for _, url := range c.refuse {
			if p.Request(url) == nil {
				t.Errorf("%v: %s is allowed", c.origins, url)
			}
		}
	}
}
