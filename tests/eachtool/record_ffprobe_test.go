//go:build evidence

package eachtool_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pwpipe/internal/pipetest"
)

// TestFilmsInFFprobe: ffprobe reads the films of calls and of scripts to their ends, and has no
// complaint.
func TestFilmsInFFprobe(t *testing.T) {
	pipetest.Nightly(t, "it fetches ffprobe, and TestVideoChapters plays films in the browser")
	t.Parallel()
	if runtime.GOOS+runtime.GOARCH != "linuxamd64" {
		t.Skip("the package has a program for Linux on amd64")
	}
	program := filepath.Join(pipetest.NPM(t, "@ffprobe-installer/linux-x64@5.2.0"), "@ffprobe-installer", "linux-x64",
		"ffprobe")
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	p, dir := pipetest.SharedIn(t, "--profile", "agent")
	called := filepath.Join(dir, "called.webm")
	wait := does("eval", list("new Promise((done) => setTimeout(done, 700, 1))"), "1")
	pipetest.Steps(p,
		does("nav", list("data:text/html,<title>Film</title><button>Go</button>"), "null"),
		does("video-start", pipetest.Object{"path": called, "acts": true}, ""),
		does("click", list("button"), "null"), wait, does("video-chapter", list("Log in"), "null"), wait,
		does("video-stop", nil, ""))
	scripted := pipetest.Decode[string](t, pipetest.Execute(p, `const c = await browser.newContext({ recordVideo: { dir: '`+
		filepath.Join(dir, "films")+`' } }), q = await c.newPage();
		await q.goto('data:text/html,<h1>Film');
		await q.waitForTimeout(700);
		await c.close();
		return await q.video().path()`))
	for path, want := range map[string]string{called: "title=Log in", scripted: "format_name=matroska,webm"} {
		cmd := exec.Command(program, "-v", "warning", "-count_frames", "-show_format", "-show_streams", "-show_chapters", path)
		var said strings.Builder
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil || said.Len() > 0 {
			t.Errorf("%s: %v: %s", path, err, said.String())
		}
		pipetest.Has(t, string(out), "codec_name=vp", "nb_read_frames=", want)
		pipetest.Lacks(t, string(out), "nb_read_frames=N/A")
	}
}
