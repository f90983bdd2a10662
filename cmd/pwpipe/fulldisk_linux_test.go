package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pwpipe/internal/pipetest"
)

// onSmallDisk is a pwpipe that alone sees a disk of this size in a folder. At
// its end, stderr lists the folder.
func onSmallDisk(t *testing.T, bytes int, dir string, args ...string) *exec.Cmd {
	t.Helper()
	const script = `mount -t tmpfs -o size="$1" small "$2" || exit 77
dir=$2; shift 2; "$@"; status=$?
echo "left: $(ls -A "$dir" | tr '\n' ' ')" >&2; exit $status`
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command("/bin/sh", append([]string{"-c", script, "sh", fmt.Sprint(bytes), dir}, args...)...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
		if os.Geteuid() != 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
				UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
		}
		return cmd
	}
	if out, err := command("true").CombinedOutput(); err != nil {
		t.Skipf("no disk of its own for a test here: %v %s", err, out)
	}
	return command(append([]string{pipetest.Binary(t)}, args...)...)
}

// left is that list.
func left(t *testing.T, stderr string) string {
	t.Helper()
	_, list, ok := strings.Cut(stderr, "left:")
	if !ok {
		t.Fatalf("no list on stderr: %s", stderr)
	}
	return strings.TrimSpace(list)
}

// TestTempFolder: errors name a temporary folder that is missing or full.
func TestTempFolder(t *testing.T) {
	t.Parallel()
	gone := filepath.Join(t.TempDir(), "gone")
	const visit = `{"id":1,"method":"nav","params":["data:text/html,x"]}`
	run := func(cmd *exec.Cmd, env string) (stdout, stderr string) {
		var out, errs strings.Builder
		cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = append(os.Environ(), "TMPDIR="+env), strings.NewReader(visit), &out, &errs
		_ = cmd.Run()
		return out.String(), errs.String()
	}
	words := "the temporary folder " + gone + " is not there; make it, or set TMPDIR to another"
	if out, errs := run(exec.Command(pipetest.Binary(t)), gone); out != "" || errs != "pwpipe: "+words+"\n" {
		t.Errorf("%q %q", out, errs)
	}
	if out, errs := run(exec.Command(pipetest.Binary(t), "--allow-dir", t.TempDir()), gone); !strings.Contains(out, words) {
		t.Errorf("%q %q", out, errs)
	}
	if out, _ := run(exec.Command(pipetest.Binary(t), "doctor"), gone); !strings.Contains(out, gone+" is not there") || !strings.Contains(out, "mend it: make it, or set TMPDIR") {
		t.Errorf("doctor: %s", out)
	}
	dir := t.TempDir()
	out, errs := run(onSmallDisk(t, 64<<10, dir), dir)
	if !strings.Contains(out, "the temporary folder "+dir+" is full; free some space, or set TMPDIR") && !strings.Contains(out, `"result":null`) || left(t, errs) != "" {
		t.Errorf("%q %q", out, errs) // some Chromiums do not need it
	}
}

// TestTempFolderFillsUp: errors after the folder fills up say so too.
func TestTempFolderFillsUp(t *testing.T) {
	pipetest.InCI(t, "it is long, and TestTempFolder is quick")
	t.Parallel()
	dir, err := os.MkdirTemp("", "up") // short: Chromiums with windows put a socket there
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	cmd := onSmallDisk(t, 64<<20, dir)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	p := pipetest.StartCmd(t, cmd)
	p.Call("nav", []any{"data:text/html,<h1>up"})
	fill, err := os.Create(fmt.Sprintf("/proc/%d/root%s/fill", cmd.Process.Pid, dir))
	if err != nil {
		t.Skip("can't look into another's mounts:", err)
	}
	for block := make([]byte, 64<<10); err == nil; {
		_, err = fill.Write(block)
	}
	_ = fill.Close()
	// The page survives or not, depending on its shared memory.
	if e := p.Fail("txt", []any{"#nope"}, "timeout", 0.3); !strings.Contains(e, "the temporary folder "+dir+" is ") || !strings.Contains(e, "full") {
		t.Errorf("got %s", e)
	}
}

// TestFullDisk: files that do not fit leave nothing, older files stay, and the
// error says that the disk is full.
func TestFullDisk(t *testing.T) {
	pipetest.InCI(t, "it fills a disk")
	t.Parallel()
	dir := t.TempDir()
	cmd := onSmallDisk(t, 12<<10, dir, "--base-url", pipetest.Site(t), "--allow-dir", dir, "--output-dir", dir)
	p := pipetest.StartCmd(t, cmd)
	in := func(name string) string { return filepath.Join(dir, name) }
	p.Call("nav", []any{"/products"})
	if got := p.Call("execute", []any{"require('fs').writeFileSync(" + fmt.Sprintf("%q", in("old.png")) + ", 'old'); 1"}); !strings.Contains(got, "1") {
		t.Fatal(got)
	}
	p.Call("eval", []any{`document.body.insertAdjacentHTML('beforeend', '<a id=big download=big.bin href="' + URL.createObjectURL(new Blob([new Uint8Array(3e6)])) + '">big</a>'), 0`})
	p.Call("trace-start", nil)
	// A trace has a snapshot of the page per action: here an incompressible one.
	p.Call("eval", []any{"document.body.append(Object.assign(document.createElement('p'), {hidden: true, textContent: Array.from(crypto.getRandomValues(new Uint8Array(60000)), b => b.toString(36)).join('')})), 0"})
	p.Call("hover", []any{"h1"})
	for name, call := range map[string]struct {
		tool   string
		params any
	}{
		"a picture over another": {"shot", []any{in("old.png")}},
		"a PDF":                  {"pdf", []any{in("a.pdf")}},
		"a trace":                {"trace-stop", []any{in("a.zip")}},
		"a download":             {"download", map[string]any{"sel": "#big", "path": in("big.bin")}},
		"a download by its name": {"download", map[string]any{"sel": "#big", "path": dir}},
		"a download of no place": {"download", map[string]any{"sel": "#big"}},
		"a script's file":        {"execute", []any{"require('fs').writeFileSync(" + fmt.Sprintf("%q", in("s.bin")) + ", 'x'.repeat(1e6))"}},
		"a script's longer file": {"execute", []any{"require('fs').appendFileSync(" + fmt.Sprintf("%q", in("old.png")) + ", 'x'.repeat(1e6))"}},
	} {
		if e := p.Fail(call.tool, call.params); !strings.Contains(e, "no space left on device") || strings.Contains(e, "pwpipe-run-") {
			t.Errorf("%s: %s", name, e)
		}
	}
	for _, name := range []string{"v.webm", "v.avi"} {
		p.Call("video-start", []any{in(name)})
		p.Call("eval", []any{"new Promise(r => { let n = 0; const t = setInterval(() => { document.body.style.background = n++ % 2 ? 'red' : 'blue'; if (n > 20) { clearInterval(t); r(1) } }, 40) })"})
		if e := p.Fail("video-stop", nil); !strings.Contains(e, "no space left on device") {
			t.Errorf("%s: %s", name, e)
		}
	}
	p.Call("playwright_browser", map[string]any{"action": "launch"})
	if own := p.Call("playwright_browser", map[string]any{"action": "screenshot"}); !strings.Contains(own, "no space left on device") {
		t.Errorf("playwright_browser: %s", own)
	}
	p.Call("har-record", []any{in("end.har")})
	p.Call("nav", []any{"/products"})
	ctx := p.Text("open-ctx", map[string]any{"har": in("ctx.har")})
	page := p.Text("new-page", []any{ctx})
	p.Call("nav", []any{"/products"}, "page", page)
	if e := p.Fail("close-ctx", []any{ctx}); !strings.Contains(e, "can't write "+in("ctx.har")+": no space left on device") {
		t.Errorf("a HAR: %s", e)
	}
	if e := p.Fail("new-page", []any{ctx}); !strings.Contains(e, "it was closed") {
		t.Errorf("a context whose HAR is lost is not closed: %s", e)
	}
	if _, status := p.Close(); status != 0 {
		t.Errorf("status %d", status)
	}
	if !strings.Contains(p.Stderr(), "a recording is lost") || !strings.Contains(p.Stderr(), "end.har") {
		t.Errorf("no error about the HAR that was to be written at the end: %s", p.Stderr())
	}
	list := strings.Fields(left(t, p.Stderr()))
	if len(list) != 2 || !strings.HasPrefix(list[0], "default_launch_") || list[1] != "old.png" {
		t.Errorf("left %q", list)
	}
}

// TestOldFileStays: a report that does not fit leaves the older file. A log
// keeps its complete lines.
func TestOldFileStays(t *testing.T) {
	pipetest.InCI(t, "it fills a disk, and TestTempFolder is quick")
	t.Parallel()
	dir := t.TempDir()
	steps := filepath.Join(t.TempDir(), "steps.ndjson")
	if err := os.WriteFile(steps, []byte(strings.Repeat(`{"id":1,"method":"title"}`+"\n", 200)), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := onSmallDisk(t, 8<<10, dir, "run", "--html", filepath.Join(dir, "report.html"), steps)
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "no space left on device") || left(t, string(out)) != "" {
		t.Errorf("%v %s", err, out)
	}
	cmd = onSmallDisk(t, 8<<10, dir, "--allow-dir", dir)
	p := pipetest.StartCmd(t, cmd)
	log := filepath.Join(dir, "log.ndjson")
	p.Call("log-start", []any{log})
	p.Call("nav", []any{"data:text/html,<h1>up"})
	p.Call("eval", []any{"1 //" + strings.Repeat("x", 20_000)})
	text, rerr := os.ReadFile(fmt.Sprintf("/proc/%d/root%s", cmd.Process.Pid, log))
	if e := p.Fail("log-stop", nil); !strings.Contains(e, "no space left on device") {
		t.Errorf("log-stop: %s", e)
	}
	if rerr == nil && (!strings.HasSuffix(string(text), "}\n") || strings.Count(string(text), "\n") != 1) {
		t.Errorf("the log has half a line: %.300q", text)
	}
}
