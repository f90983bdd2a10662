package scripts_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
	"pwpipe/internal/setup"
)

// ownCache is a cache folder with a driver of its own, which has no image yet, and
// the place of its images.
func ownCache(t *testing.T) (dir, images string) {
	t.Helper()
	in, err := setup.Ensure(t.Context(), setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	test, err := setup.Expect(t.Context(), setup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	driver := filepath.Join(dir, filepath.Base(in.DriverDir))
	for from, to := range map[string]string{
		filepath.Join(in.DriverDir, "package"):     filepath.Join(driver, "package"),
		filepath.Join(in.DriverDir, "pwpipe.json"): filepath.Join(driver, "pwpipe.json"),
		filepath.Dir(in.Executable):                filepath.Join(dir, filepath.Base(filepath.Dir(in.Executable))),
		filepath.Dir(test):                         filepath.Join(dir, filepath.Base(filepath.Dir(test))),
	} {
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(from, to); err != nil {
			t.Fatal(err)
		}
	}
	return dir, filepath.Join(driver, "scripts-*.image")
}

// inCache is a pipe that works in such a folder, and with a Node where one is given.
func inCache(t *testing.T, dir, node string, env ...string) *pipetest.Pipe {
	t.Helper()
	cmd := exec.Command(pipetest.Binary(t), "--profile", "agent", "--base-url", pipetest.Site(t))
	cmd.Env = append(append(os.Environ(), "PWPIPE_CACHE="+dir), env...)
	if node != "" {
		cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(node)+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	p := pipetest.StartCmd(t, cmd)
	p.Call("nav", []string{"/form"})
	return p
}

// imaged reports whether the process of a pipe's scripts began with an image.
func imaged(t *testing.T, p *pipetest.Pipe) bool {
	t.Helper()
	return strings.Contains(pipetest.Descendants(t, p.Cmd.Process.Pid)[pipetest.Processes(t, p.Cmd.Process.Pid, "scripts.json", "")[0]], "--snapshot-blob")
}

// made waits for the image, and answers its path.
func made(t *testing.T, pattern string) (image string) {
	t.Helper()
	pipetest.Eventually(t, "there is an image", func() bool {
		list, _ := filepath.Glob(pattern)
		for _, file := range list {
			if info, err := os.Stat(file); err == nil && info.Size() > 0 {
				image = file
			}
		}
		return image != ""
	})
	return image
}

// whatNodeHas is what stands for Node's modules while an image is made, used as
// scripts and Playwright use it: a class's parent, a function, what is kept in a
// module; and what must differ from process to process.
const whatNodeHas = `const http = require('http'), { expect } = require('@playwright/test');
class Mine extends http.Agent {}
await expect(page.locator('form').first()).toBeVisible();
const answer = await context.request.get(page.url());
[new Mine() instanceof http.Agent, require('zlib').gunzipSync(require('zlib').gzipSync('a')).toString(), answer.status(), await new Promise((done) => setTimeout(() => done('later'), 1)),
  new Error('x').stack.includes('script.js'), [2, 1].sort().length, Math.abs(Date.now() - await page.evaluate(() => Date.now())) < 60000, performance.now() < 60000]`

const whatItSays = `[true,"a",200,"later",true,2,true,true]`

// TestImage: the first process of scripts has an image made, the others begin with
// it, and scripts see no difference. One that Node can't begin with is done without.
func TestImage(t *testing.T) {
	pipetest.InCI(t, "every other test of scripts begins with an image")
	t.Parallel()
	dir, images := ownCache(t)
	tryImage(t, dir, images, "")
	p := inCache(t, dir, "")
	// Playwright's own names of objects are of its module crypto, as it has it.
	random := func(p *pipetest.Pipe) string {
		return pipetest.Execute(p, `[Math.random(), require('crypto').randomUUID(), require('crypto').randomBytes(8).toString('hex'), page.context()._guid, (await browser.newContext())._guid].join()`)
	}
	first := random(p)
	p.Close()
	p = inCache(t, dir, "")
	for i, part := range strings.Split(random(p), ",") {
		if strings.Contains(first, strings.Trim(part, `"`)) {
			t.Errorf("%d: two processes have the same random numbers: %s", i, part)
		}
	}
	p.Close()

	image := made(t, images)
	// A process whose files go while it begins, as they do with the browser that it
	// is for, says nothing of the image.
	temp := t.TempDir()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for range 10000 {
			if list, _ := filepath.Glob(filepath.Join(temp, "*", "scripts-*", "scripts.json")); len(list) > 0 {
				_ = os.Remove(list[0])
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	p = inCache(t, dir, "", "TMPDIR="+temp)
	<-gone
	pipetest.Eventually(t, "a process runs scripts", func() bool { return string(p.Try("execute", map[string]any{"code": "1"}).Result) != "" })
	if !imaged(t, p) {
		t.Error("the image was blamed for files that went")
	}
	p.Close()
	if err := os.Truncate(image, 1<<20); err != nil {
		t.Fatal(err)
	}
	p = inCache(t, dir, "")
	if got := pipetest.Execute(p, whatNodeHas); got != whatItSays || imaged(t, p) {
		t.Errorf("with half an image: %s", got)
	}
	p.Close()
	if info, err := os.Stat(image); err != nil || info.Size() > 0 {
		t.Errorf("an image that is of no use is still there: %v %v", info, err)
	}
	if err := os.Chtimes(image, time.Time{}, time.Now().Add(-2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	tryImage(t, dir, images, "")
}

func tryImage(t *testing.T, dir, images, node string) {
	t.Helper()
	for _, with := range []bool{false, true} {
		p := inCache(t, dir, node)
		if got := pipetest.Execute(p, whatNodeHas); got != whatItSays {
			t.Errorf("with an image: %v; %s", with, got)
		}
		made(t, images) // by processes that look alike
		if imaged(t, p) != with {
			t.Errorf("it began with an image: %v", !with)
		}
		p.Close()
	}
}

// TestNodes: scripts run on each Node that people have, with an image and without.
func TestNodes(t *testing.T) {
	pipetest.InCI(t, "three Nodes of 100 MB are fetched")
	t.Parallel()
	for _, version := range []string{"18", "22", "24"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			cmd := exec.Command("npm", "install", "--prefix", home, "--no-audit", "--no-fund", "node@"+version)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Skipf("npm: %v: %s", err, out)
			}
			dir, images := ownCache(t)
			tryImage(t, dir, images, filepath.Join(home, "node_modules", "node", "bin", "node"))
		})
	}
}
