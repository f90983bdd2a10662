package setup

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestForgetOldest(t *testing.T) {
	seen := map[string]sandboxSeen{}
	for i := range maxSeen + 5 {
		seen[fmt.Sprint(i)] = sandboxSeen{Time: time.Unix(int64(i), 0)}
	}
	forgetOldest(seen, maxSeen, func(s sandboxSeen) time.Time { return s.Time })
	if _, old := seen["4"]; len(seen) != maxSeen || old {
		t.Errorf("%d are left, the oldest %v", len(seen), old)
	}
}

// The program of a browser from Playwright's installer is found.
func TestExecutable(t *testing.T) {
	o, _ := quiet(t)
	t.Setenv("PLAYWRIGHT_BROWSERS_PATH", filepath.Join(o.Cache, "browsers"))
	driver := filepath.Join(o.Cache, "driver")
	list, _ := json.Marshal(map[string]any{"browsers": []map[string]string{{"name": "chromium-headless-shell", "revision": "7"}, {"name": "chromium", "revision": "7"}}})
	for path, text := range map[string]string{
		"driver/package/browsers.json":                                   string(list),
		"browsers/chromium_headless_shell-7/INSTALLATION_COMPLETE":       "",
		"browsers/chromium_headless_shell-7/chrome-linux/headless_shell": "",
	} {
		path = filepath.Join(o.Cache, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	exe, err := mustSetup(t, o).executable(&Installed{DriverDir: driver, Kind: "chromium"})
	if err != nil || filepath.Base(exe) != "headless_shell" {
		t.Errorf("%s, %v", exe, err)
	}
}

// Firefox and WebKit have no sandbox that pwpipe can vouch for.
func TestSandboxOfOthers(t *testing.T) {
	o, _ := quiet(t)
	in := &Installed{Kind: "firefox"}
	if c, err := Sandbox(context.Background(), o, in, false); err != nil || c.On || !strings.Contains(c.Why, "Chromium") {
		t.Errorf("%+v, %v", c, err)
	}
	o.Sandbox = SandboxOn
	if c, err := Sandbox(context.Background(), o, in, false); err == nil || !strings.Contains(err.Error(), "--browser-sandbox on: ") {
		t.Errorf("%+v, %v", c, err)
	}
}
