package setup

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// real installs once, with the machine's npm, into the user's cache, as any
// first run does. Later runs find it there.
func real(t *testing.T) *Installed {
	t.Helper()
	if testing.Short() {
		t.Skip("may fetch 70 MB")
	}
	in, err := Ensure(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestEnsure(t *testing.T) {
	in := real(t)
	if in.Kind != "chromium" || in.Channel != "" || !strings.HasPrefix(in.NodeVersion, "v") {
		t.Errorf("%+v", in)
	}
	out, err := exec.Command(in.Node, filepath.Join(in.DriverDir, "package", "cli.js"), "--version").Output()
	if err != nil || strings.TrimSpace(string(out)) != "Version "+driverRelease.Version {
		t.Errorf("driver: %q %v", out, err)
	}
	var stderr bytes.Buffer
	if _, err := Ensure(context.Background(), Options{Offline: true, Stderr: &stderr}); err != nil || stderr.Len() != 0 {
		t.Errorf("the second time: %v, %q", err, &stderr)
	}
}

// If Ensure finds everything, it starts no process: it works without npm, and
// with a node that only fails.
func TestWarmEnsureRunsNothing(t *testing.T) {
	in := real(t)
	s := mustSetup(t, Options{})
	cache := s.root
	fakeTools(t, "", "")
	t.Setenv("PWPIPE_NODE", in.Node)
	t.Setenv("HOME", "")
	o := Options{Cache: cache, Stderr: io.Discard}
	if _, err := Ensure(context.Background(), o); err != nil {
		t.Error(err)
	}
}

func BenchmarkWarmEnsure(b *testing.B) {
	for b.Loop() {
		if _, err := Ensure(context.Background(), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestAxe(t *testing.T) {
	real(t)
	path, err := Axe(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(data, []byte("axe v"+axeRelease.Version)) {
		t.Errorf("%s: %d bytes, %v", path, len(data), err)
	}
}

// bareEnv is the environment of the pinned Chromium on a machine without
// libraries and fonts.
func bareEnv(t *testing.T, dir string) []string {
	t.Helper()
	conf := filepath.Join(t.TempDir(), fontsConf)
	text := fmt.Sprintf("<fontconfig><dir>%s/fonts</dir></fontconfig>", dir)
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	// This version's stand-in, even if the cache has an older one.
	sqlite := t.TempDir()
	if err := os.WriteFile(filepath.Join(sqlite, sqliteLib), sqliteStub, 0o644); err != nil {
		t.Fatal(err)
	}
	none := func(string) bool { return false }
	return []string{"LD_LIBRARY_PATH=" + sqlite + ":" + chromiumLibs(dir, none), "FONTCONFIG_FILE=" + conf}
}

// drive opens a URL with the driver and browser from Ensure, takes a screenshot
// and prints the page's text. It uses the driver as a library, so that this test
// needs only this package.
const drive = `
const [driver, executablePath, url, path, ...args] = process.argv.slice(1);
const { chromium } = require(driver);
(async () => {
  const browser = await chromium.launch({ executablePath, args, timeout: 30000 });
  const page = await browser.newPage({ viewport: { width: 300, height: 200 }, ignoreHTTPSErrors: true });
  await page.goto(url);
  await page.screenshot({ path });
  console.log(await page.innerText('body'));
  await browser.close();
})().catch(e => { console.error(e); process.exit(1) });
`

// paintPage has black text above a square that WebGL paints red.
const paintPage = `<body style="margin:0;background:white">
<div style="font-size:40px;height:60px;color:black">Hello</div>
<canvas id=c width=100 height=100 style="display:block"></canvas><script>
const gl = c.getContext('webgl', {preserveDrawingBuffer: true});
gl.clearColor(1, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT);
</script>`

// Text and WebGL are really painted, over https, because the first https page
// makes Chromium load NSS and its dependencies.
func TestChromiumPaints(t *testing.T) {
	if !havePinned() {
		t.Skip("the pinned Chromium is for linux/amd64")
	}
	t.Setenv("PWPIPE_BROWSER", "")
	in := real(t)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, paintPage)
	}))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0) // Chromium first refuses the certificate, then ignores the error
	srv.StartTLS()
	defer srv.Close()
	for name, env := range map[string][]string{
		"this machine": in.Env,
		"bare machine": bareEnv(t, filepath.Dir(in.Executable)),
	} {
		if name == "this machine" && os.Getenv("PWPIPE_TEST_ALL") == "" { // where other tests take pictures
			continue
		}
		t.Run(name, func(t *testing.T) {
			img := paint(t, in, env, srv.URL)
			if n := count(img, image.Rect(0, 0, 200, 60), color.RGBA{0, 0, 0, 255}); n < 100 {
				t.Errorf("%d black pixels of text", n)
			}
			if n := count(img, image.Rect(10, 70, 90, 150), color.RGBA{255, 0, 0, 255}); n != 80*80 {
				t.Errorf("%d red pixels of WebGL", n)
			}
		})
	}
}

func paint(t *testing.T, in *Installed, env []string, url string) image.Image {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	shot := filepath.Join(t.TempDir(), "shot.png")
	args := []string{"-e", drive, filepath.Join(in.DriverDir, "package"), in.Executable, url, shot}
	cmd := exec.CommandContext(ctx, in.Node, append(args, in.Args...)...)
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "Hello" {
		t.Fatalf("%v: %s", err, out)
	}
	f, err := os.Open(shot)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func count(img image.Image, in image.Rectangle, want color.RGBA) (n int) {
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if color.RGBAModel.Convert(img.At(x, y)) == want {
				n++
			}
		}
	}
	return n
}
