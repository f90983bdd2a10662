package iloexamples

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pwpipe/internal/pipetest"
)

// fails runs a program that must fail, and compares its error.
func fails(t *testing.T, program, mcp, want string, args ...string) {
	t.Helper()
	out, errs, status := run(t, program, mcp, args...)
	if status != 1 || out != "" || strings.TrimSuffix(errs, "\n") != "^"+want {
		t.Errorf("status %d, stdout %q, stderr %q, want ^%s", status, out, errs, want)
	}
}

// TestRefused: with wrong input, each program fails with its own text.
func TestRefused(t *testing.T) {
	t.Parallel()
	ilo(t)
	mcp := config(t, pipetest.Site(t))
	fails(t, "login.ilo", mcp, "not signed in: Wrong e-mail or password.", "login", "ada@mail.example", "wrong")
	fails(t, "scrape.ilo", mcp, "expected Projects, got: Sign in", "chk", "/login")
	fails(t, "multi-page.ilo", mcp, "the second page is not signed in: Sign in", "multi", "ada@mail.example", "wrong")
}

// TestMutatedSite: the programs check the pages. Each runs against a site with
// one change, and reports it.
func TestMutatedSite(t *testing.T) {
	t.Parallel()
	ilo(t)
	site := pipetest.Site(t)
	for _, m := range []struct {
		name, program, old, new, want string
	}{
		{"greets another", "login", "Welcome, ada@mail.example", "Welcome, guest", "not signed in: Welcome, guest"},
		{"another heading", "scrape", "<h1>Projects</h1>", "<h1>Plans</h1>", "expected Projects, got: Plans"},
		{"one project lost", "scrape", "state.textContent = `${list.children.length} projects`",
			"list.lastChild.remove(); state.textContent = `6 projects`", "listed 5, but the page says: 6 projects"},
		{"miscounted", "scrape", "${list.children.length} projects", "7 projects", "listed 6, but the page says: 7 projects"},
		{"API down", "scrape", `fetch("/api/projects")`, `fetch("/api/fail")`, "The projects could not be loaded: status 500"},
		{"second page signed out", "multi-page", "Welcome, ada@mail.example", "Welcome, guest", "the second page is not signed in: Welcome, guest"},
		{"stranger signed in", "multi-page", "<h1>Sign in</h1>", "<h1>Welcome, stranger</h1>", "the other context is signed in: Welcome, stranger"},
		{"API not asked", "mock", "await answer.json()", `{name: "Ada Thorsen"}`, "the mock was not used: Ada Thorsen"},
		{"other user", "mock", `"name":"Ada Thorsen"`, `"name":"Bo"`, "expected Ada Thorsen, got: Bo"},
	} {
		t.Run(m.name, func(t *testing.T) {
			mcp := config(t, mutated(t, site, m.old, m.new), "--timeout", "5")
			for _, e := range examples {
				if e.name == m.program {
					fails(t, e.name+".ilo", mcp, m.want, e.args...)
				}
			}
		})
	}
}

// mutated serves a site with a text replaced everywhere. The test fails if the
// visitor never met the text.
func mutated(t *testing.T, site, old, replacement string) string {
	t.Helper()
	target, err := url.Parse(site)
	if err != nil {
		t.Fatal(err)
	}
	met := make(chan struct{}, 1)
	proxy := &httputil.ReverseProxy{
		ErrorLog: log.New(io.Discard, "", 0), // a closing browser leaves requests behind
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Del("Accept-Encoding")
			r.Out.Header.Del("If-None-Match")
		},
		ModifyResponse: func(r *http.Response) error {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			if bytes.Contains(body, []byte(old)) {
				select {
				case met <- struct{}{}:
				default:
				}
			}
			body = bytes.ReplaceAll(body, []byte(old), []byte(replacement))
			r.Body = io.NopCloser(bytes.NewReader(body))
			r.Header.Set("Content-Length", strconv.Itoa(len(body)))
			return nil
		},
	}
	s := httptest.NewServer(proxy)
	t.Cleanup(func() {
		s.Close()
		if len(met) == 0 {
			t.Errorf("the visitor never met %q: nothing was changed", old)
		}
	})
	return s.URL
}

// late is the error for a missing element when the machine is too busy to
// examine the page again before the deadline.
var late = regexp.MustCompile(`click: no answer after`)

// TestErrorsReachTheProgram: a failed tool is an ilo error with pwpipe's one
// line. `!` passes it on, `?` catches it, and the program goes on after it.
func TestErrorsReachTheProgram(t *testing.T) {
	t.Parallel()
	ilo(t)
	site := pipetest.Site(t)
	mcp := config(t, site, "--timeout", "5")
	missing := `click: nothing matches "#nothing-here" after 5 s on p1 (` + site + `/login)`
	out, errs, status := run(t, write(t, "missing.ilo", `main>R t t;nav! "/login";click! "#nothing-here";~"not reached"`), mcp)
	if got := late.ReplaceAllString(errs, `click: nothing matches "#nothing-here" after`); status != 1 || out != "" || got != "^"+missing+"\n" {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
	out, errs, status = run(t, write(t, "caught.ilo", `go s:t>t;r=click s;?r{~x:"clicked";^er:er}
main>R t t
  nav! "/login"
  @s ["#nothing-here" "a[" "#email"]{x=go s;prnt x}
  r=use-page "p9"
  ?r{~x:prnt x;^er:prnt er}
  r=route "**/x" "{{not json"
  ?r{~x:prnt x;^er:prnt er}
  r=eval "throw new Error('no \"luck\"')"
  ?r{~x:prnt x;^er:prnt er}
  x=title!()
  prnt x
  ~"end"
`), mcp)
	want := strings.Join([]string{
		missing,
		`click: "a[" is not a valid selector: Unexpected token "" while parsing css selector "a[". Did you mean to CSS.escape it?`,
		`clicked`,
		`no page p9; open pages: p1`,
		`route: handler: not JSON: {not json; for a plain text give {"body":"…"}`,
		`eval: no "luck"`,
		`Sign in | Skerry`,
	}, "\n") + "\n"
	if d := cmp.Diff(want, late.ReplaceAllString(out, `click: nothing matches "#nothing-here" after`)); status != 0 || d != "" {
		t.Errorf("status %d (-want +got):\n%s\n%s", status, d, errs)
	}
}

// TestWithoutVM: without --vm the interpreter calls no tool. A program without
// assertions then succeeds; the examples do not.
func TestWithoutVM(t *testing.T) {
	t.Parallel()
	ilo(t)
	mcp := config(t, pipetest.Site(t))
	for _, e := range examples {
		out, errs, status := command(t, append([]string{"run", e.name + ".ilo", "--mcp", mcp}, e.args...)...)
		if status == 0 || out != "" {
			t.Errorf("%s: status %d, %q %q", e.name, status, out, errs)
		}
	}
	out, _, status := command(t, "run", "compare/login-flow.ilo", "--mcp", mcp, "login", "ada@mail.example", "wrong")
	if status != 0 || out != "nil\n" {
		t.Errorf("the README says that login-flow prints nil and succeeds without --vm: status %d, %q", status, out)
	}
}
