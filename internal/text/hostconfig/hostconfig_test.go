package hostconfig

import (
	"strings"
	"testing"
)

var (
	plain = Form{Section: "mcpServers"}
	typed = Form{Section: "servers", Typed: true}
	codex = Form{Section: "mcp_servers", TOML: true}
	ours  = Server{Name: "pwpipe", Command: "pwpipe", Args: []string{"mcp", "--isolated"}}
)

// TestAdd: a text keeps all its bytes, with comments, order, indents and line ends. A second
// call changes nothing.
func TestAdd(t *testing.T) {
	for name, c := range map[string]struct {
		form      Form
		was, want string
	}{
		"nothing": {plain, "", "{\n  \"mcpServers\": {\n    \"pwpipe\": {\n      \"command\": \"pwpipe\",\n" +
			"      \"args\": [\"mcp\", \"--isolated\"]\n    }\n  }\n}\n"},
		"empty object": {plain, "{}", "{\n  \"mcpServers\": {\n    \"pwpipe\": {\n      \"command\": \"pwpipe\",\n" +
			"      \"args\": [\"mcp\", \"--isolated\"]\n    }\n  }\n}"},
		"typed, tabs, no section": {
			typed,
			"// mine\n{\n\t\"inputs\": [1.50, 1e400] // two\n\t// the end\n}\n// after\n",
			"// mine\n{\n\t\"inputs\": [1.50, 1e400], // two\n\t// the end\n\t\"servers\": {\n\t\t\"pwpipe\": {\n" +
				"\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"pwpipe\",\n\t\t\t\"args\": [\"mcp\", \"--isolated\"]\n" +
				"\t\t}\n\t}\n}\n// after\n",
		},
		"behind the others, with a comma at the end": {
			plain,
			"{\"z\":1,\n    \"mcpServers\": {\n        \"b\": {\"command\": \"b\"}, /* last */\n    }, \"a\": \"<\\u0041>\"}",
			"{\"z\":1,\n    \"mcpServers\": {\n        \"b\": {\"command\": \"b\"}, /* last */\n        \"pwpipe\": {\n" +
				"          \"command\": \"pwpipe\",\n          \"args\": [\"mcp\", \"--isolated\"]\n        }\n" +
				"    }, \"a\": \"<\\u0041>\"}",
		},
		"one line": {
			plain, `{ "mcpServers": {"a": {"command": "x"}} }`,
			"{ \"mcpServers\": {\"a\": {\"command\": \"x\"},\n  \"pwpipe\": {\n    \"command\": \"pwpipe\",\n" +
				"    \"args\": [\"mcp\", \"--isolated\"]\n  }\n} }",
		},
		"Windows": {
			plain, "\ufeff{\r\n  \"mcpServers\": {\r\n    // none\r\n  }\r\n}\r\n",
			"\ufeff{\r\n  \"mcpServers\": {\r\n    // none\r\n    \"pwpipe\": {\r\n      \"command\": \"pwpipe\",\r\n" +
				"      \"args\": [\"mcp\", \"--isolated\"]\r\n    }\r\n  }\r\n}\r\n",
		},
		"TOML, nothing": {codex, "", "[mcp_servers.pwpipe]\ncommand = 'pwpipe'\nargs = ['mcp', '--isolated']\n"},
		"TOML": {
			codex,
			"model = \"o\" # mine\n\n[mcp_servers.a] # first\ncommand = 'x'\n[mcp_servers.a.env]\nK = 1979-05-27T07:32:00Z",
			"model = \"o\" # mine\n\n[mcp_servers.a] # first\ncommand = 'x'\n[mcp_servers.a.env]\nK = 1979-05-27T07:32:00Z" +
				"\n\n[mcp_servers.pwpipe]\ncommand = 'pwpipe'\nargs = ['mcp', '--isolated']\n",
		},
		"TOML, Windows": {
			codex, "mcp_servers.a.command = 'x'\r\n",
			"mcp_servers.a.command = 'x'\r\n\r\n[mcp_servers.pwpipe]\r\ncommand = 'pwpipe'\r\nargs = ['mcp', '--isolated']\r\n",
		},
	} {
		r, err := c.form.Add([]byte(c.was), ours)
		if err != nil || r.There || string(r.Text) != c.want {
			t.Errorf("%s: got %v, there %v\n%s\nwant\n%s", name, err, r.There, r.Text, c.want)
			continue
		}
		again, err := c.form.Add(r.Text, ours)
		if err != nil || !again.There || string(again.Text) != c.want {
			t.Errorf("%s, again: got %v, there %v\n%s", name, err, again.There, again.Text)
		}
	}
}

// TestRefused: a text that can't be read, or would change its meaning, is an error.
func TestRefused(t *testing.T) {
	for was, want := range map[string]string{
		`{"mcpServers": {`:                     "EOF",
		"// nothing":                           "EOF",
		`[]`:                                   "no JSON object",
		`null`:                                 "no JSON object",
		`{"mcpServers": []}`:                   `"mcpServers" is no table`,
		`{"mcpServers": null}`:                 `"mcpServers" is no table`,
		`{"mcpServers": {}, "mcpServers": {}}`: `the key "mcpServers" twice`,
		`{"mcpServers": {"pwpipe": {"command": "pwpipe", "args": ["--profile", "agent"]}}}`: `another server "pwpipe"`,
		`{"mcpServers": {"pwpipe": {"url": "http://127.0.0.1:1/mcp"}}}`:                     `another server "pwpipe"`,
	} {
		checkRefused(t, plain, was, want)
	}
	for was, want := range map[string]string{
		"a = ":                          "line 1",
		"mcp_servers = 1":               `"mcp_servers" is no table`,
		"mcp_servers = {a = {}}":        "add this yourself:\n[mcp_servers.pwpipe]",
		"[[mcp_servers]]\ncommand = ''": `"mcp_servers" is no table`,
		"[mcp_servers.pwpipe]\nurl = 1": `another server "pwpipe"`,
	} {
		checkRefused(t, codex, was, want)
	}
}

func checkRefused(t *testing.T, form Form, was, want string) {
	t.Helper()
	r, err := form.Add([]byte(was), ours)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: got %v, %s, want %q", was, err, r.Text, want)
	}
}

// TestPeers: entries of other programs for browsers are recognised, whatever starts them.
func TestPeers(t *testing.T) {
	r, err := plain.Add([]byte(`{"mcpServers": {
		"p": {"command": "npx", "args": ["-y", "@playwright/mcp@latest"]},
		"d": {"command": "npx", "args": ["-y", "chrome-devtools-mcp@latest"]}, "e": {"command": "agent-browser"},
		"other": {"command": "npx", "args": ["@playwright/test"]},
		"a": {"command": "cmd", "args": ["/c", "npx @playwright/mcp --headless"]}, "b": 1, "c": {"args": [1]}}}`), ours)
	if err != nil || strings.Join(r.Peers, " ") != "a d e p" {
		t.Errorf("got %v, %v", r.Peers, err)
	}
}

// FuzzAdd: an addition removes no byte, and a second one changes nothing.
func FuzzAdd(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "{ /* a */ }", `{"a": 1}`, "{\"mcpServers\": {\"a\": {},\n},}", "a = 1",
		"[mcp_servers]", "[mcp_servers.a]\r\nb.c = 1",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, was string, isTOML bool) {
		form := plain
		if isTOML {
			form = codex
		}
		r, err := form.Add([]byte(was), ours)
		if err != nil {
			return
		}
		rest := string(r.Text)
		for i := 0; i < len(was) && strings.TrimSpace(was) != ""; i++ {
			at := strings.IndexByte(rest, was[i])
			if at < 0 {
				t.Fatalf("%q: byte %d of it is not in %q", was, i, r.Text)
			}
			rest = rest[at+1:]
		}
		if again, err := form.Add(r.Text, ours); err != nil || !again.There {
			t.Fatalf("%q: %v after %q", was, err, r.Text)
		}
	})
}
