//go:build evidence

// Package install_test installs pwpipe as users do, from the packages that deploy/pack
// makes of a release's archives, into an empty folder with an empty HOME.
package install_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"pwpipe/internal/pipetest"
)

func TestMain(m *testing.M) { pipetest.Main(m) }

const version = "9.9.9" // of what the tests build

// packages are the files of a release's packages: in the folder PWPIPE_TEST_PACKAGES, else
// made of the built program.
type packages struct{ dir, version string }

func packagesOf(t *testing.T) packages {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("names the packages of linux/amd64")
	}
	if dir := os.Getenv("PWPIPE_TEST_PACKAGES"); dir != "" {
		p := packages{dir: dir}
		name := filepath.Base(p.file(t, "pwpipe-[0-9]*.tgz"))
		p.version = strings.TrimSuffix(strings.TrimPrefix(name, "pwpipe-"), ".tgz")
		return p
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "pwpipe")
	// Without a release's -trimpath and CGO_ENABLED=0, with which all would be compiled anew.
	run(t, "../..", nil, "go", "build", "-ldflags", "-s -w -X main.version="+version, "-o", binary, "./cmd/pwpipe")
	archive(t, binary, filepath.Join(dir, "pwpipe_"+version+"_linux_amd64.tar.gz"))
	p := packages{filepath.Join(dir, "packages"), version}
	run(t, "../..", nil, "go", "run", "./deploy/pack", "-version", version, "-repository", "Example/pwpipe", "-archives", dir, "-out", p.dir)
	return p
}

// file is the only package with a name.
func (p packages) file(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(p.dir, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %v, %v", pattern, found, err)
	}
	return found[0]
}

func archive(t *testing.T, binary, to string) {
	t.Helper()
	data, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	zipped := gzip.NewWriter(f)
	w := tar.NewWriter(zipped)
	err = w.WriteHeader(&tar.Header{Name: "pwpipe", Mode: 0o755, Size: int64(len(data))})
	_, werr := w.Write(data)
	if err := errors.Join(err, werr, w.Close(), zipped.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// run runs a command in a folder, with variables on top of the environment.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// emptyHome is the environment of a home without settings and caches. Package managers
// keep their caches, which would only be fetched again.
func emptyHome(t *testing.T) []string {
	home := t.TempDir()
	return []string{"HOME=" + home, "XDG_CACHE_HOME=", "PWPIPE_CACHE=", "PWPIPE_NODE=", "PWPIPE_BROWSER="}
}

const jsProgram = `import { Browser, PwpipeError } from 'pwpipe';
const browser = new Browser({ args: ['--site'] });
await browser.nav('/login');
await browser.fill({ sel: '[name=email]', val: 'ada@mail.example' });
await browser.fill('[name=password]', 'secret');
await browser.click('[type=submit]');
await browser.wait('.dashboard');
console.log(await browser.txt('h1'));
const page = browser.page(await browser.newPage(await browser.newCtx()));
await page.nav('/form');
console.log(await page.title(), '|', await browser.title());
await browser.call('txt', ['#nothing'], { timeout: 1 }).catch((err) => console.log(err instanceof PwpipeError, err.tool, err.message));
await browser.close();
await browser.title().catch((err) => console.log(err.message));
`

func TestInstall(t *testing.T) {
	pipetest.InCI(t, "no test covers its core, but it fetches a browser")
	p := packagesOf(t)
	t.Run("npm", func(t *testing.T) { npm(t, p) })
	t.Run("pip", func(t *testing.T) { pip(t, p) })
	t.Run("mcpb", func(t *testing.T) { bundle(t, p) })
	t.Run("server.json", func(t *testing.T) { serverJSON(t, p) })
}

// The npm packages work without install scripts, from nothing to a page with one command.
// tsc accepts the client's types.
func npm(t *testing.T, p packages) {
	dir, home := t.TempDir(), emptyHome(t)
	begin := time.Now()
	run(t, dir, home, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", dir,
		p.file(t, "pwpipe-[0-9]*.tgz"), p.file(t, "pwpipe-linux-x64-*.tgz"))
	if out := run(t, dir, home, "npx", "--no-install", "pwpipe", "--version"); !strings.HasPrefix(out, "pwpipe version "+p.version) {
		t.Errorf("%q", out)
	}
	checkLogin(t, dir, home, "npx", "--no-install", "pwpipe", "--site")
	t.Logf("npm: from the packages to a page in %s", time.Since(begin).Round(100*time.Millisecond))
	if out := run(t, dir, home, "npx", "--no-install", "pwpipe", "upgrade"); !strings.Contains(out, "installed by npm") {
		t.Errorf("%q", out)
	}
	write(t, filepath.Join(dir, "client.mjs"), jsProgram)
	checkClient(t, run(t, dir, home, "node", "client.mjs"), "true txt ")
	run(t, dir, home, "npm", "install", "--no-audit", "--no-fund", "--prefix", dir, "typescript", "@types/node")
	write(t, filepath.Join(dir, "client.mts"), jsProgram+"const visible: boolean = await browser.vis('h1');\n// @ts-expect-error a selector is a text\nawait browser.txt(1);\n")
	run(t, dir, home, "npx", "--no-install", "tsc", "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "--skipLibCheck", "false", "client.mts")

	example, err := os.ReadFile("../../docs/clients/projects.mts")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "projects.mts"), string(example))
	said := regexp.MustCompile(`(?m)^//\s+npx (tsc .*projects\.mts) && node projects\.mjs$`).FindSubmatch(example)
	if said == nil {
		t.Fatal("projects.mts does not say how it is compiled")
	}
	run(t, dir, home, "npx", append([]string{"--no-install"}, strings.Fields(string(said[1]))...)...)
	run(t, dir, home, "npx", append([]string{"--no-install"}, strings.Fields(string(said[1])+" --strict --skipLibCheck false")...)...)
	checkService(t, dir, home, "node", "projects.mjs")
	write(t, filepath.Join(dir, "refused.mjs"), jsRefused)
	checkRefused(t, dir, home, "node", "refused.mjs")
}

const pyProgram = `from pwpipe import Browser, PwpipeError

with Browser(["--site"]) as browser:
    browser.nav("/login")
    browser.fill("[name=email]", "ada@mail.example")
    browser.fill(sel="[name=password]", val="secret")
    browser.click("[type=submit]")
    browser.wait(".dashboard")
    print(browser.txt("h1"))
    page = browser.page(browser.new_page(browser.new_ctx()))
    page.nav("/form")
    print(page.title(), "|", browser.title())
    try:
        browser.call("txt", ["#nothing"], timeout=1)
    except PwpipeError as err:
        print(err)
try:
    browser.title()
except PwpipeError as err:
    print(err)
`

// The wheel works without Node and npm: it brings them.
func pip(t *testing.T, p packages) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	dir, home := t.TempDir(), emptyHome(t)
	if out, err := exec.Command(python, "-m", "venv", filepath.Join(dir, "venv")).CombinedOutput(); err != nil {
		t.Skipf("needs Python's venv: %s", out)
	}
	bin := filepath.Join(dir, "venv", "bin")
	begin := time.Now()
	run(t, dir, home, filepath.Join(bin, "pip"), "install", "--quiet", "--disable-pip-version-check",
		p.file(t, "pwpipe-*-py3-none-manylinux_2_17_x86_64.whl"))
	home = append(home, "PATH="+t.TempDir())
	checkLogin(t, dir, home, filepath.Join(bin, "pwpipe"), "--site")
	t.Logf("pip: from the wheel to a page in %s", time.Since(begin).Round(100*time.Millisecond))
	if out := run(t, dir, home, filepath.Join(bin, "pwpipe"), "upgrade"); !strings.Contains(out, "installed by pip") {
		t.Errorf("%q", out)
	}
	write(t, filepath.Join(dir, "client.py"), pyProgram)
	checkClient(t, run(t, dir, home, filepath.Join(bin, "python"), "client.py"), "txt: nothing matches")
	example, err := filepath.Abs("../../docs/clients/projects.py")
	if err != nil {
		t.Fatal(err)
	}
	checkService(t, dir, home, filepath.Join(bin, "python"), example)
	write(t, filepath.Join(dir, "refused.py"), pyRefused)
	checkRefused(t, dir, home, filepath.Join(bin, "python"), "refused.py")
}

// checkLogin runs the main job.
func checkLogin(t *testing.T, dir string, env []string, name string, args ...string) {
	t.Helper()
	script, err := os.Open("../../fixtures/login.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	defer script.Close()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, append(os.Environ(), env...), script
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), `{"id":6,"result":"Welcome, ada@mail.example"}`) {
		t.Fatalf("%v\n%s%s", err, out, said.String())
	}
}

// checkClient checks the output of the programs above.
func checkClient(t *testing.T, out, failure string) {
	t.Helper()
	for _, want := range []string{"Welcome, ada@mail.example\n", "Form | Skerry | Dashboard | Skerry\n", failure, "pwpipe has ended\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q does not say %q", out, want)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
