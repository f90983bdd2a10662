//go:build linux

package reach

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/shell/thin"
)

// TestPersonLendsATab: the person lends a tab in a terminal, while the agent runs. Whoever
// has no terminal can't.
func TestPersonLendsATab(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestWorkInALentTab is quick")
	t.Parallel()
	terminal, err := exec.LookPath("script")
	if err != nil {
		t.Skip("no program makes a terminal here (script, of util-linux)")
	}
	site := pipetest.Site(t)
	c := startChrome(t, "0")
	c.open(site + "/form?asked")
	c.open(site + "/shadow?SECRET")
	runtime := t.TempDir()
	if err := os.Chmod(runtime, 0o700); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "XDG_RUNTIME_DIR="+runtime)
	f := c.front()
	name := f.named(t)
	cmd := exec.Command(pipetest.Binary(t), "--cdp", name, "--profile", "act")
	cmd.Env = env
	p := pipetest.StartCmd(t, cmd)

	lend := func(answer string) string {
		t.Helper()
		cmd := exec.Command(terminal, "-qec", pipetest.Binary(t)+" lend", "/dev/null")
		cmd.Env, cmd.Stdin = env, strings.NewReader(answer)
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	pipetest.Has(t, lend("1\n"), "no tab to lend, or no agent")
	pipetest.Lacks(t, p.Call("pages", nil), "asked")
	without := exec.Command(pipetest.Binary(t), "lend")
	without.Env, without.Stdin = env, strings.NewReader("1\n")
	if out, err := without.CombinedOutput(); err == nil || !strings.Contains(string(out), "for a person at a terminal") {
		t.Errorf("%v, %s", err, out)
	}
	number := ""
	for _, line := range strings.Split(lend("none\n"), "\n") {
		if strings.Contains(line, "?asked") {
			number = strings.Fields(line)[0]
		}
	}
	pipetest.Lacks(t, p.Call("pages", nil), "asked")
	pipetest.Has(t, lend(number+"\n"), "has the tab now")
	var got string
	pipetest.Eventually(t, "it is lent", func() bool {
		got = p.Call("pages", nil)
		return strings.Contains(got, "?asked") && strings.Contains(got, `"lent":true`) && strings.Contains(got, `"active":true`)
	})
	pipetest.Lacks(t, got, "SECRET")
	if title := p.Text("url", nil); title != site+"/form?asked" {
		t.Error(title)
	}
	pipetest.Has(t, lend("none\n"), "has Form", "?SECRET")
	// What the person's command says has a bound.
	locks, _ := filepath.Glob(filepath.Join(runtime, "pwpipe", "lend-*.lock"))
	if len(locks) != 1 {
		t.Fatalf("%q", locks)
	}
	conn, err := thin.Place{Dir: filepath.Dir(locks[0]), Name: strings.TrimSuffix(filepath.Base(locks[0]), ".lock")}.Dial()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	long := `{"tab":"` + strings.Repeat("x", 4<<10) + `"}`
	fmt.Fprintf(conn, "POST /lend HTTP/1.1\r\nHost: pwpipe\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(long), long)
	answer, _ := io.ReadAll(conn)
	pipetest.Has(t, string(answer), "too large")
	end := func() (string, error) {
		cmd := exec.Command(pipetest.Binary(t), "lend", "--end")
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := end(); err != nil || out != "ended: "+name+"\n" {
		t.Errorf("%v, %s", err, out)
	}
	pipetest.Eventually(t, "the connection has ended", func() bool {
		out, err := end()
		return err != nil && strings.Contains(out, "there is no connection")
	})
	pipetest.Has(t, strings.Join(c.tabs(), " "), "?asked", "?SECRET")
	said := ""
	pipetest.Eventually(t, "the program has noticed", func() bool { said = p.Try("pages", nil).Error; return said != "" })
	pipetest.Has(t, said, "went away since the last request")
	pipetest.Lacks(t, p.Call("pages", nil), "?asked") // over a connection that the person is asked about
	if got := f.connections.Load(); got != 2 {
		t.Errorf("%d connections", got)
	}
	p.Close()
	pipetest.Has(t, strings.Join(c.tabs(), " "), "?asked", "?SECRET")
}

// TestConnectionOfItsOwn: a program for which nobody can keep the connection has one itself.
func TestConnectionOfItsOwn(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestAttach is quick")
	t.Parallel()
	site := pipetest.Site(t)
	c := startChrome(t, "0")
	c.open(site + "/form?lent")
	f := c.front()
	temp := t.TempDir()
	if err := os.Mkdir(filepath.Join(temp, fmt.Sprint("pwpipe-", os.Geteuid())), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(pipetest.Binary(t), "--cdp", f.named(t), "--lend", "?lent")
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR=", "TMPDIR="+temp)
	p := pipetest.StartCmd(t, cmd)
	pipetest.Has(t, p.Call("pages", nil), "?lent", `"lent":true`)
	pipetest.Eventually(t, "stderr says so", func() bool {
		return strings.Contains(p.Stderr(), "a connection of its own") && strings.Contains(p.Stderr(), "others may enter it")
	})
	p.Close()
	pipetest.Has(t, strings.Join(c.tabs(), " "), "?lent")
	if got := f.connections.Load(); got != 1 {
		t.Errorf("%d connections", got)
	}
}
