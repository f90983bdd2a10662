package setup

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What the first run fetches is known for each platform of a release: the driver for all of
// them and a Chromium for linux/amd64 by their hashes, and for others the Chromium that the
// driver's installer names, which nobody gives a hash for. Nothing is fetched here.
func TestPlatforms(t *testing.T) {
	for _, r := range []release{driverRelease, chromiumRelease} {
		sum, known := strings.CutPrefix(r.Integrity, "sha512-")
		if hash, err := base64.StdEncoding.DecodeString(sum); !known || err != nil || len(hash) != 64 {
			t.Errorf("%s: hash %q", r.spec(), r.Integrity)
		}
	}
	in := real(t)
	want, err := readBrowser(in.DriverDir, "chromium-headless-shell")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ goos, goarch, host, file string }{
		{"linux", "amd64", "", ""},
		{"linux", "arm64", "debian12-arm64", "/" + want.Revision + "/chromium-headless-shell-linux-arm64.zip"},
		{"darwin", "amd64", "mac15", "/" + want.BrowserVersion + "/mac-x64/chrome-headless-shell-mac-x64.zip"},
		{"darwin", "arm64", "mac15-arm64", "/" + want.BrowserVersion + "/mac-arm64/chrome-headless-shell-mac-arm64.zip"},
		{"windows", "amd64", "win64", "/" + want.BrowserVersion + "/win64/chrome-headless-shell-win64.zip"},
		{"windows", "arm64", "win64", "/" + want.BrowserVersion + "/win64/chrome-headless-shell-win64.zip"}, // emulated there
	} {
		if pinnedFits(c.goos, c.goarch) != (c.host == "") {
			t.Errorf("%s/%s takes another Chromium", c.goos, c.goarch)
		}
		if c.host == "" || c.host != "mac15-arm64" && os.Getenv("PWPIPE_TEST_ALL") == "" { // the driver takes a while to say it
			continue
		}
		cmd := exec.Command(in.Node, filepath.Join(in.DriverDir, "package", "cli.js"), "install", "--dry-run", want.Name)
		cmd.Env = append(os.Environ(), "PLAYWRIGHT_HOST_PLATFORM_OVERRIDE="+c.host)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), c.file+"\n") {
			t.Errorf("%s/%s: %v, no %s in\n%s", c.goos, c.goarch, err, c.file, out)
		}
	}
}
