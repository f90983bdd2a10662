//go:build evidence && unix

package shell

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// Session storage comes back to the first page that comes to its origin: before the page's
// first script, once, and to no other origin.
func TestPersistSessionStorage(t *testing.T) {
	pipetest.Nightly(t, "it is long, and TestStates is quick")
	t.Parallel()
	pages := map[string]string{
		"/":    `<script>document.title = sessionStorage.who ?? "nobody"</script><h1>Here</h1>`,
		"/out": `<script>sessionStorage.clear()</script>`,
		"/get": `<a href="data:text/plain,x" download="a.txt">Get</a>`,
	}
	one, two := pipetest.ServePages(t, pages), pipetest.ServePages(t, pages)
	d, file := newKeeper(t)
	d.variables = append(d.variables, "ONE="+one, "TWO="+two)
	title := func(command string) string { return strings.TrimSpace(d.ok(command + "; pwpipe title")) }

	d.ok(`pwpipe open -q --persist $ONE/; pwpipe eval -q 'sessionStorage.who = "one \ud800 <é"'`)
	d.kept(file, `\ud800`)
	d.ok(`pwpipe goto -q $TWO/; pwpipe eval -q 'sessionStorage.who = "two"; localStorage.a = 1'; pwpipe close`)
	shown := d.ok("pwpipe state-show")
	pipetest.Has(t, shown, "session storage who of "+one, "session storage who of "+two, "local storage a of "+two)

	d.ok("pwpipe open -q --persist")
	if got := title("pwpipe goto -q $TWO/"); got != "two" {
		t.Errorf("the second site's first script sees %q", got)
	}
	if got := title("pwpipe goto -q $TWO/get; pwpipe download a; pwpipe download a; pwpipe goto -q $TWO/"); !strings.HasSuffix(got, "two") {
		t.Errorf("after two downloads: %q", got)
	}
	if got := title("pwpipe new-page c1 --use >p2; pwpipe goto -q $TWO/"); got != "nobody" {
		t.Errorf("another page of the second site begins with %q", got)
	}
	got := title("pwpipe goto -q $ONE/")
	if exact := strings.TrimSpace(d.ok(`pwpipe eval 'sessionStorage.who === "one \ud800 <é" && sessionStorage.length'`)); exact != "1" {
		t.Errorf("the first site's first script sees %q; %s", got, exact)
	}
	if got := title("pwpipe goto -q $ONE/out; pwpipe goto -q $ONE/"); got != "nobody" {
		t.Errorf("what the page has cleared is there again: %q", got)
	}
	d.ok("pwpipe close")
	shown = d.ok("pwpipe state-show")
	pipetest.Has(t, shown, "session storage who of "+two) // the first page has it still
	pipetest.Lacks(t, shown, one)

	d.ok("pwpipe open -q --persist $TWO/")
	for pid, name := range pipetest.Descendants(t, d.service()) {
		if strings.Contains(name, "--type=renderer") {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	d.bash("pwpipe title") // may report it, once
	if got := title("pwpipe goto -q $TWO/"); got != "two" {
		t.Errorf("after the page crashed: %q", got)
	}

	// A page that stores much: it is said, and what other sites have is kept.
	d.kept(file, `"two"`)
	d.ok(`pwpipe goto -q $ONE/; pwpipe eval -q 'sessionStorage.big = "x".repeat(2 << 20)'`)
	errs := d.fails(1, "pwpipe close")
	pipetest.Has(t, errs, "session storage of "+one+" has 2048 KiB, and 1024 are kept at most: it is left out")
	shown = d.ok("pwpipe state-show")
	pipetest.Has(t, shown, "session storage who of "+two)
	pipetest.Lacks(t, shown, "big")
	if names, _ := filepath.Glob(file + "*"); len(names) != 2 {
		t.Errorf("files: %v", names)
	}
}
