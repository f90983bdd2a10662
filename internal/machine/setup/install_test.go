package setup

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestInstallFromEmpty(t *testing.T) {
	g := newRegistry(t)
	o, stderr := quiet(t)
	o.Cache = filepath.Join(o.Cache, "not", "made", "yet")
	s := mustSetup(t, o)
	dir, m, err := s.ensure(context.Background(), g.release)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "package", "cli.js")); err != nil || string(data) != "console.log(1)" {
		t.Errorf("cli.js: %q, %v", data, err)
	}
	if m.Detail != "1.2.3" || len(m.Files) != 2 {
		t.Errorf("manifest: %+v", m)
	}
	if left := temps(t, o.Cache); left != nil {
		t.Errorf("left behind: %v", left)
	}
	if text := stderr.String(); !strings.HasPrefix(text, "pwpipe: fetching some package 1.2.3 (0 kB) ...\n") || !strings.Contains(text, "pwpipe: unpacked") {
		t.Errorf("progress: %q", text)
	}
	if _, _, err := s.ensure(context.Background(), g.release); err != nil || g.count.Load() != 1 {
		t.Errorf("the second time: %v, %d downloads", err, g.count.Load())
	}
}

func TestTwoAtOnce(t *testing.T) {
	g := newHeldRegistry(t)
	cache := t.TempDir()
	first := helper(t, g.release, cache)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	<-g.asked // it holds the lock and is downloading
	second := helper(t, g.release, cache)
	stderr, err := second.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	if !lines.Scan() || lines.Text() != "pwpipe: waiting for another pwpipe that is setting up" {
		t.Errorf("the second says %q", lines.Text())
	}
	close(g.gate)
	for lines.Scan() {
		t.Errorf("the second says %q", lines.Text())
	}
	for _, cmd := range []*exec.Cmd{first, second} {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if n := g.count.Load(); n != 1 {
		t.Errorf("%d downloads", n)
	}
	if _, err := checkInstall(filepath.Join(cache, "some-package-1.2.3"), g.release); err != nil {
		t.Error(err)
	}
}

func TestManyAtOnce(t *testing.T) {
	g := newRegistry(t)
	cache := t.TempDir()
	var all []*exec.Cmd
	for range 6 {
		cmd := helper(t, g.release, cache)
		cmd.Stderr = new(strings.Builder)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, cmd.Stderr)
		}
	}
	if n := g.count.Load(); n != 1 {
		t.Errorf("%d downloads", n)
	}
	if left := temps(t, cache); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestKilledHalfWay(t *testing.T) {
	for _, at := range []string{"download", "unpack"} {
		t.Run(at, func(t *testing.T) {
			g := newHeldRegistry(t)
			cache := t.TempDir()
			killOne(t, g, cache, at)
			if _, err := os.Stat(filepath.Join(cache, "some-package-1.2.3")); err == nil {
				t.Error("a half install has the final name")
			}
			if temps(t, cache) == nil {
				t.Error("it was killed before it did anything")
			}
			o, _ := quiet(t)
			o.Cache = cache
			if _, _, err := mustSetup(t, o).ensure(context.Background(), g.release); err != nil {
				t.Error(err)
			}
			if left := temps(t, cache); left != nil {
				t.Errorf("not swept: %v", left)
			}
		})
	}
}

// killOne starts an install and kills it during a step.
func killOne(t *testing.T, g *registry, cache, at string) {
	t.Helper()
	var env []string
	if at == "unpack" {
		close(g.gate)
		env = []string{"SETUP_HANG=1"}
	}
	cmd := helper(t, g.release, cache, env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if at == "download" {
		<-g.asked
	} else if line, err := bufio.NewReader(out).ReadString('\n'); line != "unpacking <nil>\n" {
		t.Errorf("%q %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait() // killed, as expected
	if at == "download" {
		close(g.gate)
	}
}

func TestDamageIsMended(t *testing.T) {
	for name, harm := range map[string]func(dir string) error{
		"truncated":   func(dir string) error { return os.Truncate(filepath.Join(dir, "package", "cli.js"), 3) },
		"lost":        func(dir string) error { return os.Remove(filepath.Join(dir, "package", "lib", "a.js")) },
		"no manifest": func(dir string) error { return os.Remove(filepath.Join(dir, manifestName)) },
		"other manifest": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, manifestName), []byte(`{"integrity":"x"}`), 0o644)
		},
		"garbled manifest": func(dir string) error { return os.WriteFile(filepath.Join(dir, manifestName), nil, 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			g := newRegistry(t)
			o, stderr := quiet(t)
			s := mustSetup(t, o)
			dir, _, err := s.ensure(context.Background(), g.release)
			if err != nil {
				t.Fatal(err)
			}
			if err := harm(dir); err != nil {
				t.Fatal(err)
			}
			s.Offline = true
			_, _, err = s.ensure(context.Background(), g.release)
			wantError(t, err, "damaged", "pwpipe install")
			s.Offline = false
			if _, _, err = s.ensure(context.Background(), g.release); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(stderr.String(), "is damaged (") || g.count.Load() != 2 {
				t.Errorf("%d downloads, said %q", g.count.Load(), stderr)
			}
			if left := temps(t, o.Cache); left != nil {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// Without locks two runs may both build. The second rename fails and keeps the
// existing folder.
func TestRenameSettles(t *testing.T) {
	g := newRegistry(t)
	o, _ := quiet(t)
	s := mustSetup(t, o)
	for _, name := range []string{"a", "b"} {
		tmp := filepath.Join(o.Cache, tempPrefix+name)
		if err := os.Mkdir(tmp, 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := s.build(context.Background(), g.release, tmp); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "b"} {
		if err := s.place(filepath.Join(o.Cache, tempPrefix+name, "out"), g.release); err != nil {
			t.Error(err)
		}
	}
	if _, err := checkInstall(s.dir(g.release), g.release); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(o.Cache, tempPrefix+"b", "out")); err != nil {
		t.Error("the second replaced a sound install")
	}
}

func TestCancelLeavesNothing(t *testing.T) {
	g := newHeldRegistry(t)
	o, _ := quiet(t)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-g.asked; cancel() }()
	_, _, err := mustSetup(t, o).ensure(ctx, g.release)
	wantError(t, err, "context canceled")
	if left := temps(t, o.Cache); left != nil {
		t.Errorf("left behind: %v", left)
	}
}
