package script

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/playwright-community/playwright-go"

	"pwpipe/fixtures"
	"pwpipe/internal/driver"
	"pwpipe/internal/setup"
)

// realPage is a page of a real browser, on the sample site.
func realPage(t *testing.T) playwright.Page {
	t.Helper()
	site, err := fixtures.Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = site.Close() })
	in, err := setup.Ensure(context.Background(), setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := driver.Start(driver.Options{Node: in.Node, Dir: in.DriverDir, Env: in.DriverEnv})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Kill)
	env := map[string]string{}
	for _, kv := range append(driver.CleanEnv(), in.Env...) {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	b, err := d.Playwright.Chromium.Launch(playwright.BrowserTypeLaunchOptions{ExecutablePath: &in.Executable, Args: in.Args, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	return another(t, b, site.URL)
}

// another is a page with a context of its own.
func another(t *testing.T, b playwright.Browser, site string) playwright.Page {
	t.Helper()
	page, err := b.NewPage(playwright.BrowserNewPageOptions{BaseURL: &site})
	if err == nil {
		_, err = page.Goto("/form")
	}
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// freely are rules that allow the whole network, and a folder.
type freely struct{ oneFolder }

func (freely) Navigate(string) error { return nil }
func (freely) Request(string) error  { return nil }

// seenThrough is an engine, and what no script may see of it.
type seenThrough struct {
	*Runtime
	secret map[*goja.Object]string
}

// spied makes an engine whose scripts have a function judge, which says of a
// value why no script may see it, "" where it may.
func spied(t *testing.T) *seenThrough {
	t.Helper()
	old, names := programs, files
	defer func() { programs, files = old, names }()
	list, err := old()
	if err != nil {
		t.Fatal(err)
	}
	files = append(files[:len(files):len(files)], "spy")
	spy := goja.MustCompile("spy", "(native, scope) => { spy(native, scope); delete globalThis.spy; }", false)
	programs = func() ([]*goja.Program, error) { return append(list[:len(list):len(list)], spy), nil }
	dir := t.TempDir()
	s := &seenThrough{bare(Host{Folders: []string{dir}, Rules: freely{oneFolder(dir)}, Assertions: playwright.NewPlaywrightAssertions()}), map[*goja.Object]string{}}
	ready := make(chan error, 1)
	s.loop.post(func() {
		_ = s.vm.Set("judge", s.judge)
		_ = s.vm.Set("isProxy", func(v goja.Value) bool { return v.ExportType() == reflect.TypeFor[goja.Proxy]() })
		_ = s.vm.Set("spy", func(native, scope *goja.Object) {
			s.secret[native], s.secret[scope] = "it is native", "it is the prelude's scope"
			for _, name := range native.GetOwnPropertyNames() {
				if o, ok := native.Get(name).(*goja.Object); ok {
					s.secret[o] = "it is native." + name
				}
			}
			for _, name := range []string{"begin", "settle", "define", "urlMatches", "sent", "applied", "source", "matching"} {
				s.secret[scope.Get(name).(*goja.Object)] = "it is the prelude's " + name
			}
		})
		ready <- s.setUp()
	})
	if err := <-ready; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// plainTypes are what values of the language are to Go. All else is a Go value
// that the engine lets a script look into.
var plainTypes = []string{"map[string]interface {}", "[]interface {}", "func(goja.FunctionCall) goja.Value", "func(goja.ConstructorCall) *goja.Object",
	"*goja.Promise", "time.Time", "goja.ArrayBuffer", "[][2]interface {}", "goja.Proxy", "string", "int64", "float64", "bool", "*big.Int", "*goja.Symbol",
	"*url.nodeURL", "func() string", "func(goja.Value) string", "func(goja.Value) bool"}

func (s *seenThrough) judge(v goja.Value) string {
	o, ok := v.(*goja.Object)
	if !ok {
		return ""
	}
	if why := s.secret[o]; why != "" {
		return why
	}
	of := "nil"
	if t := o.ExportType(); t != nil {
		of = t.String()
	}
	if t := o.ExportType(); t != nil && t.Kind() == reflect.Pointer && t.NumMethod() == 0 && !slices.ContainsFunc(reflect.VisibleFields(t.Elem()), reflect.StructField.IsExported) {
		return "" // there is nothing to look into
	}
	for _, plain := range plainTypes {
		if of == plain || strings.HasPrefix(of, "[]") && len(of) < 12 && !strings.Contains(of, ".") {
			return ""
		}
	}
	return "it is Go's own " + of
}

// run runs a script with time for much.
func (s *seenThrough) run(t *testing.T, page playwright.Page, code string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	res, err := s.Run(ctx, page, code)
	if err != nil {
		t.Fatalf("%v\n%v", err, res.Console)
	}
	return string(res.Value)
}
