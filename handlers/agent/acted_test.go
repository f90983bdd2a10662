package agent_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// overMCP makes an MCP client of a pipe.
func overMCP(p *pipetest.Pipe) func(tool string, args pipetest.Object) string {
	p.Send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	p.Line()
	p.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	n := 0
	return func(tool string, args pipetest.Object) string {
		p.T.Helper()
		n++
		params, _ := json.Marshal(pipetest.Object{"name": tool, "arguments": args})
		p.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, n, params))
		var r struct {
			Result struct{ Content []struct{ Text string } }
		}
		line := p.Line()
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			p.T.Fatal(err, line)
		}
		var texts []string
		for _, c := range r.Result.Content {
			texts = append(texts, c.Text)
		}
		return strings.Join(texts, "\n")
	}
}

// An act says over MCP what it did; the pipe's own replies stay as they are.
func TestActsSayWhatTheyDid(t *testing.T) {
	t.Parallel()
	p := startOwn(t, "/")
	call := overMCP(p)
	show(p, `<p id=out></p><button id=dead>Dead</button><button id=write onclick="out.textContent='x'">Write</button>
<button id=ask onclick="confirm('Sure?')">Ask</button><button id=open onclick="window.open('about:blank')">Open</button>
<button id=throw onclick="throw new Error('boom')">Throw</button><a id=save download="a.txt" href="data:text/plain,x">Save</a>`)
	for sel, want := range map[string]string{
		"#dead":  "ok\n→ nothing changed in the document",
		"#ask":   "ok\n→ confirm \"Sure?\" was dismissed",
		"#open":  "→ opened p",
		"#throw": "→ error: boom",
		"#save":  "→ a download began: a.txt",
		"#write": "ok",
	} {
		if got := call("click", pipetest.Object{"sel": sel}); !strings.Contains(got, want) || want == "ok" && got != want {
			t.Errorf("%s: %q, want %q", sel, got, want)
		}
	}
	if got := p.Call("click", []string{"#dead"}); got != "null" {
		t.Errorf("the pipe's reply changed: %s", got)
	}
	p.Call("nav", []string{"/"})
	pipetest.Has(t, call("click", pipetest.Object{"sel": "text=Shop"}), "→ went to http://127.0.0.1")
	pipetest.Has(t, call("execute", pipetest.Object{"code": "await page.evaluate(() => fetch('/none')); await page.click('text=Shop'); 7"}), "7\n", "→ request failed", "/none: 404")
}

// A script answers what changed of the outline too: acting and looking are one call.
func TestScriptsAnswerTheOutline(t *testing.T) {
	t.Parallel()
	p := startOwn(t, "/")
	call := overMCP(p)
	show(p, `<button id=add onclick="document.body.append('added words')">Add</button>`)
	code := "await page.click('#add'); 7"
	pipetest.Has(t, call("execute", pipetest.Object{"code": code, "outline": "whole"}), "7\n- button \"Add\"", "added words")
	got := call("execute", pipetest.Object{"code": "await page.evaluate(() => document.body.append('more')); 8", "outline": "diff"})
	pipetest.Has(t, got, "8\n+ ", "more")
	pipetest.Lacks(t, got, "button")
	pipetest.Has(t, call("execute", pipetest.Object{"code": "9", "outline": "diff"}), "9\nno change")
}
