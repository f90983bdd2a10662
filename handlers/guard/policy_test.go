package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/pipetest/until"
)

// The three enforcement points, as the seed's verification lists them.
func TestEnforcementPoints(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	p, dir := pipetest.SharedIn(t, listed...)
	p.Call("nav", []any{"/"})

	pipetest.Has(t, p.Fail("nav", []any{v.url("x")}), "nav: blocked: "+v.url("x"), "127.0.0.2 is not an allowed domain", "allowed: 127.0.0.1")
	if at := p.Text("url", nil); !strings.HasSuffix(at, "/") || strings.Contains(at, "127.0.0.2") {
		t.Errorf("a refused navigation moved the page to %s", at)
	}

	pipetest.Has(t, p.Fail("nav", []any{"/redirect?to=" + v.url("x")}), "blocked: "+v.url("x"), "about:blank")
	if at := p.Text("url", nil); at != "about:blank" {
		t.Errorf("after a redirect the page is at %s", at)
	}
	pipetest.Has(t, p.Fail("nav", []any{"/redirect?to=https://" + v.raw["https"] + "/"}), "blocked: https://", "about:blank")
	if at := p.Text("url", nil); at != "about:blank" {
		t.Errorf("after a redirect the page is at %s", at)
	}

	for _, tool := range []struct {
		name   string
		params []any
	}{{"click", []any{"body"}}, {"txt", []any{"body"}}, {"title", nil}, {"shot", []any{filepath.Join(dir, "x.png")}}} {
		p.Call("nav", []any{"/escape/link-page?to=" + v.addr})
		p.Call("new-page", []any{"c1"}) // another page is not affected
		p.Call("eval", []any{"void setTimeout(() => document.querySelector('#go').click(), 100)"})
		pipetest.Has(t, untilBlocked(p, tool.name, tool.params), tool.name+": blocked: ", "127.0.0.2")
	}
	pipetest.Has(t, p.Fail("nav", []any{"data:text/html,x"}), "data: is not allowed")
	pipetest.Has(t, p.Fail("nav", []any{"view-source:" + v.url("x")}), "not allowed")
	pipetest.Has(t, p.Fail("nav", []any{"chrome://version"}), "not allowed")
	p.Call("nav", []any{"about:blank"})
	if names := v.names(); len(names) > 0 {
		t.Errorf("came through: %v", names)
	}
}

// untilBlocked calls a tool until the page is at the forbidden URL. A click may
// return before the navigation that it starts.
func untilBlocked(p *pipetest.Pipe, tool string, params []any) string {
	said := ""
	until.Held(func() bool {
		said = p.Try(tool, params, "timeout", 0.5).Error
		return strings.Contains(said, "blocked")
	})
	return said
}

func TestListsAndTheirSources(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestEnforcementPoints is quick")
	t.Parallel()
	site := pipetest.Site(t)
	for name, c := range map[string]struct {
		args, env []string
		want      string // "" for allowed
	}{
		"empty flag":            {args: []string{"--allowed-domains", ""}, want: "the list is empty"},
		"empty environment":     {env: []string{"ALLOWED_DOMAINS="}, want: "the list is empty"},
		"environment":           {env: []string{"ALLOWED_DOMAINS=a.example, 127.0.0.1"}},
		"flag over environment": {env: []string{"ALLOWED_DOMAINS=127.0.0.1"}, args: []string{"--allowed-domains", "a.example"}, want: "allowed: a.example"},
		"blocked wins":          {args: []string{"--allowed-domains", "127.0.0.1", "--blocked-domains", "127.0.0.1"}, want: "blocked"},
		"private":               {args: []string{"--block-private"}, want: "private, loopback or metadata"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(pipetest.Binary(t), append(c.args, "--base-url", site)...)
			cmd.Env = append(os.Environ(), c.env...)
			p := pipetest.StartCmd(t, cmd)
			r := p.Try("nav", []any{"/"})
			if c.want == "" && r.Error != "" || !strings.Contains(r.Error, c.want) {
				t.Errorf("got %q, want %q", r.Error, c.want)
			}
		})
	}
	for _, args := range [][]string{{"--allowed-domains", "https://a.com"}, {"--blocked-domains", "*.a.com"}, {"--allowed-domains", "a.com", "--allow-file"}} {
		if out, stderr, status := pipetest.Run(t, "", args...); status != 2 || out != "" || !strings.Contains(stderr, "pwpipe: ") {
			t.Errorf("%v: status %d, %q", args, status, stderr)
		}
	}
}

// New contexts are behind the proxy too. TestContentBoundaries has a persistent profile.
func TestEveryContextIsGuarded(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestNothingEscapes is quick")
	t.Parallel()
	v := newVictim(t)
	p, _ := pipetest.SharedIn(t, listed...)
	p.Call("nav", []any{"/"})
	p.Call("new-ctx", nil)
	p.Call("new-page", []any{"c2"})
	p.Call("use-page", []any{"p2"})
	p.Call("nav", []any{"/"})
	pipetest.Has(t, p.Call("eval", []any{"fetch('" + v.url("x") + "').then(r => r.status, () => 'failed')"}), `"failed"`)
	if names := v.names(); len(names) > 0 {
		t.Errorf("came through: %v", names)
	}
}
