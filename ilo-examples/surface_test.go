package iloexamples

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
	"pwpipe/provider"
	"pwpipe/provider/toollist"
	"pwpipe/provider/wire"
)

// TestDeclarations: tools.ilo is pwpipe's output and valid ilo. Over MCP ilo
// sees the same, except for result types.
func TestDeclarations(t *testing.T) {
	text, errs, status := pipetest.Run(t, "", "tools", "--profile", "core", "--format", "ilo")
	if status != 0 {
		t.Fatal(errs)
	}
	pipetest.Golden(t, "tools.ilo", text)
	ilo(t)
	checks(t, text)
	seen, errs, status := command(t, "tool", "--mcp", config(t, pipetest.Site(t)), "--ilo")
	if status != 0 {
		t.Fatal(errs)
	}
	checks(t, seen)
	if want, got := withoutResults(text), withoutResults(seen); want != got {
		t.Errorf("ilo sees:\n%s\nwe print:\n%s", got, want)
	}
	for _, e := range examples {
		checks(t, text+read(t, e.name+".ilo"))
		checks(t, seen+read(t, e.name+".ilo"))
	}
}

// withoutResults cuts each declaration before its result.
func withoutResults(declarations string) string {
	var b strings.Builder
	for line := range strings.Lines(declarations) {
		head, _, _ := strings.Cut(line, ">R ")
		b.WriteString(strings.TrimSpace(head) + "\n")
	}
	return b.String()
}

// checks lets ilo verify a program without running it.
func checks(t *testing.T, program string) {
	t.Helper()
	if out, errs, status := command(t, "check", write(t, "check.ilo", program)); status != 0 {
		t.Errorf("ilo check: %s%s\n%s", out, errs, program)
	}
}

// TestEveryToolIsCallable: no tool's name has another meaning in ilo.
func TestEveryToolIsCallable(t *testing.T) {
	ilo(t)
	text, _, _ := pipetest.Run(t, "", "tools", "--profile", "core", "--format", "ilo")
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "tool "), `"`)
		params, _, _ := strings.Cut(line[strings.LastIndex(line, `"`)+1:], ">")
		call := name + "!()"
		if n := strings.Count(params, ":"); n > 0 {
			call = name + "!" + strings.Repeat(` "x"`, n)
		}
		checks(t, text+"main>R t t;r="+call+";~\"called\"\n")
	}
}

// TestArguments: positional arguments arrive under the right name, unchanged.
func TestArguments(t *testing.T) {
	t.Parallel()
	ilo(t)
	mcp := config(t, pipetest.Site(t), "--timeout", "5")
	prints(t, mcp, `main>R t t
  nav! "/form"
  fill! "[name=name]" "a \"b\" 'c' \\ {{d}} ñ 日本 😀"
  x=eval! "document.querySelector('[name=name]').value"
  prnt x
  sel! "[name=country]" "no"
  x=eval! "document.querySelector('[name=country]').value"
  prnt x
  x=attr! "[name=name]" "id"
  prnt x
  route! "**/api/user" "{\"status\":418,\"body\":\"{name}\"}"
  x=eval! "fetch('/api/user').then(r => r.text().then(s => r.status + s))"
  prnt x
  ~"end"
`, strings.Join([]string{`a "b" 'c' \ {d} ñ 日本 😀`, "no", "name", "418{name}"}, "\n"))
}

// TestValues: tool results as a program sees them. The README lists these as
// traps.
func TestValues(t *testing.T) {
	t.Parallel()
	ilo(t)
	mcp := config(t, pipetest.Site(t), "--timeout", "5")
	prints(t, mcp, `main>R t t
  x=nav! "/login"
  prnt x
  x=vis! "#email"
  prnt x
  x=vis! ".error-banner"
  prnt x
  x{prnt "the text false is true"}
  x=attr! "#email" "no-such"
  prnt x
  x=eval! "[1e21, null, {a: 'ü'}]"
  prnt x
  x=eval! "undefined"
  prnt x
  x=eval! "({n: [1, 2]})"
  j=jpar! x
  xs=j.n
  prnt (sum xs)
  ~"end"
`, strings.Join([]string{"ok", "true", "false", "the text false is true", "null", `[1e+21,null,{"a":"ü"}]`, "null", "3"}, "\n"))
}

// TestLongTexts: a megabyte of text goes in and comes out complete. The text
// for the page has no emoji: Chromium's layout time for a long line of them is
// quadratic.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	ilo(t)
	mcp := config(t, pipetest.Site(t), "--timeout", "90")
	prints(t, mcp, `main>R t t
  in="é\"\\{{ x"
  out="日\"\\\n😀"
  @i 0..17{in=+in in;out=+out out}
  nav! "/form"
  fill! "[name=message]" in
  x=eval! "document.querySelector('[name=message]').value"
  =x in{prnt "came back"}
  x=eval! "'日\"\\\\\\n😀'.repeat(2 ** 17)"
  =x out{prnt "came out"}
  n=len out
  prnt n
  nav! "/table"
  y=html! "body"
  rows=spl y "<tr"
  n=len rows
  >n 5000{prnt "all rows"}
  ~"end"
`, fmt.Sprintf("came back\ncame out\n%d\nall rows", len("日\"\\\n😀")<<17))
}

// oddServer names the environment variable that makes this test binary an MCP
// server with tools unlike those of core.
const oddServer = "PWPIPE_TEST_ODD_TOOLS"

type oddIn struct {
	Zulu  string `json:"zulu" doc:"comes first"`
	Extra string `json:"extra,omitempty" doc:"may be left out"`
	Alpha string `json:"alpha" doc:"comes second"`
	Bool  bool   `json:"bool,omitempty" doc:"may be left out"`
}

type spelledIn struct {
	FullPage bool            `json:"fullPage" doc:"a hump"`
	Type     string          `json:"type" doc:"a word of ilo"`
	AnyValue json.RawMessage `json:"any_value" doc:"an underscore"`
	Many     int             `json:"many" doc:"a number"`
}

func oddTools() []*provider.Tool {
	spec := func(name, doc string) provider.Spec {
		return provider.Spec{Name: name, Title: "Odd", Doc: doc, Profile: "core", Timeout: 90 * time.Second, Effect: provider.Acts}
	}
	return []*provider.Tool{
		provider.Define(spec("odd", "Says \"{zulu}\" \\ and\nmore {"), func(_ context.Context, in oddIn) (string, error) {
			return fmt.Sprintf("zulu=%s alpha=%s extra=%q bool=%v", in.Zulu, in.Alpha, in.Extra, in.Bool), nil
		}),
		provider.Define(spec("spelled", "Names that ilo can't spell"), func(context.Context, spelledIn) (bool, error) { return true, nil }),
		provider.Define(spec("browser_click", "A name that ilo can't spell"), func(context.Context, oddIn) (provider.None, error) { return provider.None{}, nil }),
		provider.Define(spec("use", "A word of ilo"), func(context.Context, struct{}) (int, error) { return 1, nil }),
	}
}

// onePage stands for a session's handles.
type onePage struct{}

func (onePage) Active() string    { return "p1" }
func (onePage) Known(string) bool { return true }

func serveOddTools() {
	s := &wire.Stdio{Table: provider.NewTable(oddTools(), provider.TableOptions{}), Pages: onePage{}}
	if _, err := s.Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestOptionalParameters: ilo requires every property in tools/list, so it gets
// only the required ones, in positional order.
func TestOptionalParameters(t *testing.T) {
	ilo(t)
	t.Setenv(oddServer, "1")
	mcp := writeJSON(t, map[string]any{"mcpServers": map[string]any{"odd": map[string]any{"command": os.Args[0], "args": []string{}}}})
	prints(t, mcp, `main>R t t;r=odd! "first" "second";~r`, `zulu=first alpha=second extra="" bool=false`)
}

// TestOddDeclarations: declarations stay valid ilo with quotes, braces and
// names that ilo does not know.
func TestOddDeclarations(t *testing.T) {
	text, err := toollist.Describe(oddTools(), "ilo")
	if err != nil {
		t.Fatal(err)
	}
	const want = `tool odd"Says \"{zulu}\" \\ and\nmore {" zulu:t alpha:t>R t t timeout:90
tool spelled"Names that ilo can't spell" full-page:b type2:t any-value:t many:n>R b t timeout:90
-- browser_click is no name in ilo
-- use is no name in ilo
`
	if text != want {
		t.Errorf("got:\n%s\nwant:\n%s", text, want)
	}
	ilo(t)
	checks(t, text+`main>R t t;r=odd! "a" "b";~r`+"\n")
}

// TestNothingStays: pwpipe and its driver end with the interpreter. Both hold
// the pipe that they inherit.
func TestNothingStays(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs inherited files")
	}
	cmd := exec.Command(ilo(t), "run", "--vm", "scrape.ilo", "--mcp", config(t, pipetest.Site(t)), "chk", "/login")
	held, holder, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	cmd.ExtraFiles = []*os.File{holder}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = holder.Close()
	if err := cmd.Wait(); err == nil {
		t.Error("scrape believed the log-in page")
	}
	if err := held.SetReadDeadline(time.Now().Add(pipetest.Patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := held.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("processes outlive the interpreter: %v", err)
	}
}
